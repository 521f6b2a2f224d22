/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clEnqueueNDRangeKernel, clEnqueueTask, clGetKernelSuggestedLocalWorkSize: checks, then one
 * command. A warm enqueue allocates nothing and takes the kernel's and the queue's lock only.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "commands/enqueue/args_snapshot.h"
#include "commands/enqueue/commands.h"
#include "commands/enqueue/record_tail.h"
#include "commands/queue/queue.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/args.h"
#include "program/object/demand.h"
#include "program/object/host_end.h"

struct range { /* as struct sl_launch_args wants it: full three dimensions */
    cl_uint dim;
    bool empty;  /* a legal no-op since 2.1 */
    bool chosen; /* the local size is ours */
    size_t offset[3], global[3], local[3];
};

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_objects(cl_command_queue queue, cl_kernel kernel, const struct sl_tail *tail,
                            const struct sl_kernel_device **on)
{
    cl_int rc = sl_tail_check_queue(queue, tail);
    if (rc)
        return rc;
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (queue->context != kernel->program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "kernel and queue are of different contexts");
    *on = sl_kernel_on(kernel, queue->device);
    if (!*on)
        return sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the queue's device");
    /* A valid kernel, but it has been running since the program was loaded, and always will. */
    if ((*on)->info->flags & SL_KERNEL_AUTORUN)
        return sl_refuse(CL_INVALID_OPERATION, "%s is an autorun kernel", (*on)->info->name);
    if ((*on)->info->flags & SL_KERNEL_USES_PIPES)
        return sl_host_ends_check(kernel->program, (*on)->code, (*on)->index);
    return CL_SUCCESS;
}

static cl_int read_range(cl_uint dim, const size_t *offset, const size_t *global,
                         struct range *range)
{
    size_t items = 1;
    if (dim < 1 || dim > 3)
        return sl_refuse(CL_INVALID_WORK_DIMENSION, "%u dimensions", dim);
    *range = (struct range){.dim = dim, .global = {1, 1, 1}, .local = {1, 1, 1}};
    range->empty = !global;
    for (cl_uint i = 0; i < dim && global; i++)
        range->empty |= !global[i];
    if (range->empty)
        return CL_SUCCESS;
    for (cl_uint i = 0; i < dim; i++) {
        range->global[i] = global[i];
        range->offset[i] = offset ? offset[i] : 0;
        if (__builtin_mul_overflow(items, global[i], &items))
            return sl_refuse(CL_INVALID_GLOBAL_WORK_SIZE, "more than 2^64 work-items");
        if (range->offset[i] > SIZE_MAX - global[i])
            return sl_refuse(CL_INVALID_GLOBAL_OFFSET, "offset %zu in dimension %u",
                             range->offset[i], i);
    }
    return CL_SUCCESS;
}

/* max_global_work_dim(N), uses_global_work_offset(0): what the kernel was promised. */
static cl_int check_attributes(const struct sl_kernel_info *info, const struct range *range)
{
    bool no_offset = info->flags & SL_KERNEL_NO_OFFSET || info->work_dim_limit == 1;
    for (cl_uint i = 0; i < range->dim && !range->empty; i++) {
        if (info->work_dim_limit && i + 1 >= info->work_dim_limit && range->global[i] != 1)
            return sl_refuse(CL_INVALID_GLOBAL_WORK_SIZE,
                             "%zu work-items in dimension %u with max_global_work_dim(%u)",
                             range->global[i], i, info->work_dim_limit - 1);
        if (no_offset && range->offset[i])
            return sl_refuse(CL_INVALID_GLOBAL_OFFSET, "kernel %s has no global offset",
                             info->name);
    }
    return CL_SUCCESS;
}

static bool non_uniform_allowed(const struct sl_kernel_device *on)
{
    return sl_device_feature(on->device, SL_FEATURE_NON_UNIFORM_GROUPS) &&
           !(on->info->flags & SL_KERNEL_UNIFORM_GROUPS);
}

static cl_int check_dividing(const struct sl_kernel_device *on, const struct range *range)
{
    if (non_uniform_allowed(on))
        return CL_SUCCESS;
    for (cl_uint i = 0; i < range->dim; i++)
        if (range->global[i] % range->local[i])
            return sl_refuse(CL_INVALID_WORK_GROUP_SIZE, "%zu does not divide %zu in dimension %u",
                             range->local[i], range->global[i], i);
    return CL_SUCCESS;
}

static cl_int check_required(const struct sl_kernel_device *on, const struct range *range)
{
    const uint32_t *required = on->info->reqd_size;
    for (int i = 0; i < 3 && required[0]; i++)
        if (range->local[i] != required[i])
            return sl_refuse(CL_INVALID_WORK_GROUP_SIZE, "the kernel requires %ux%ux%u",
                             required[0], required[1], required[2]);
    return CL_SUCCESS;
}

/* The size that the application names. */
static cl_int check_local(const struct sl_kernel_device *on, const struct range *range)
{
    const struct sl_device_caps *caps = sl_caps(on->device);
    size_t limit = sl_kernel_group_limit(on), items = 1;
    cl_int rc = check_required(on, range);
    if (rc)
        return rc;
    for (cl_uint i = 0; i < range->dim; i++) {
        if (!range->local[i] || __builtin_mul_overflow(items, range->local[i], &items))
            return sl_refuse(CL_INVALID_WORK_GROUP_SIZE, "local size %zu in dimension %u",
                             range->local[i], i);
    }
    if (items > limit)
        return sl_refuse(CL_INVALID_WORK_GROUP_SIZE, "%zu work-items, at most %zu", items, limit);
    const uint32_t *most = on->info->max_size;
    for (cl_uint i = 0; i < range->dim && most[0]; i++)
        if (range->local[i] > most[i])
            return sl_refuse(CL_INVALID_WORK_GROUP_SIZE,
                             "local size %zu in dimension %u with max_work_group_size(%u,%u,%u)",
                             range->local[i], i, most[0], most[1], most[2]);
    for (cl_uint i = 0; i < range->dim; i++)
        if (range->local[i] > caps->max_work_item_sizes[i])
            return sl_refuse(CL_INVALID_WORK_ITEM_SIZE, "local size %zu in dimension %u",
                             range->local[i], i);
    return check_dividing(on, range);
}

static bool goes_in_step(const struct sl_kernel_info *info, const struct range *range)
{
    return !(info->flags & SL_KERNEL_IN_STEP) ||
           sl_launch_goes_in_step(info, range->offset, range->global, range->local);
}

/* A kernel whose sub-groups should be parts of rows gets groups of one row where they are not, and
 * one that needs whole sub-groups rows of some of them: a number that divides the range, which is
 * whole as well (open_size). */
static void keep_in_step(const struct sl_kernel_info *info, struct range *range)
{
    const size_t size = info->sub_group_size;
    if (!goes_in_step(info, range))
        range->local[1] = range->local[2] = 1;
    if (goes_in_step(info, range))
        return;
    range->local[0] = range->local[0] < size ? size : range->local[0] / size * size;
    while (range->global[0] % range->local[0] && range->local[0] > size)
        range->local[0] -= size;
}

/* Sub-groups of the size that a kernel requires are whole if the range's rows are: what its items
 * do together takes all of them, as products of matrices do, whatever code it has. */
static void keep_whole(const struct sl_kernel_device *on, struct range *range)
{
    const size_t size = on->info->reqd_sub_group_size, row = range->global[0];
    const size_t most = on->info->max_size[0] ? on->info->max_size[0] : SIZE_MAX;
    if (!size || row % size || range->local[0] % size == 0 || most < size ||
        sl_kernel_group_limit(on) < size)
        return;
    if (range->local[0] < size)
        range->local[1] = range->local[2] = 1;
    range->local[0] = range->local[0] < size ? size : range->local[0] / size * size;
    while (row % range->local[0])
        range->local[0] -= size;
}

/* Down to what max_work_group_size(X,Y,Z) allows, dividing where that was so. */
static void fit_local(const struct sl_kernel_info *info, struct range *range)
{
    const uint32_t *most = info->max_size;
    for (cl_uint i = 0; i < range->dim && most[0]; i++) {
        if (range->local[i] <= most[i])
            continue;
        range->local[i] = most[i];
        while (range->global[i] % range->local[i])
            range->local[i]--;
    }
}

/* The size that we choose. A required size counts as named. */
static cl_int choose_local(const struct sl_kernel_device *on, struct range *range)
{
    struct sl_device *device = on->device->root->impl;
    const uint32_t *required = on->info->reqd_size;
    if (required[0]) {
        for (cl_uint i = 0; i < range->dim; i++)
            range->local[i] = required[i];
        return check_local(on, range);
    }
    if (device->ops->suggest_local_size)
        device->ops->suggest_local_size(device, on->info, range->dim, range->global, range->local);
    fit_local(on->info, range);
    keep_in_step(on->info, range);
    keep_whole(on, range);
    return CL_SUCCESS;
}

static cl_int set_local(const struct sl_kernel_device *on, const size_t *local, struct range *range)
{
    if (range->empty)
        return CL_SUCCESS;
    range->chosen = !local;
    if (!local)
        return choose_local(on, range);
    memcpy(range->local, local, range->dim * sizeof *local);
    return check_local(on, range);
}

/* ---- the command ----------------------------------------------------------------------------- */

static uint64_t item_count(const struct range *range)
{
    return (uint64_t)range->global[0] * range->global[1] * range->global[2];
}

/* What can never run is refused here: later only the command's status could tell. */
static cl_int check_memory(const struct sl_kernel_device *on, const struct range *range)
{
    const struct sl_device_caps *caps = sl_caps(on->device);
    const struct sl_kernel_info *info = on->info;
    uint64_t items = (uint64_t)range->local[0] * range->local[1] * range->local[2], context;
    if (caps->max_stack_bytes && info->stack_bytes > caps->max_stack_bytes)
        return sl_refuse(CL_OUT_OF_RESOURCES, "kernel %s needs %u bytes of stack, at most %zu",
                         info->name, info->stack_bytes, caps->max_stack_bytes);
    if (__builtin_mul_overflow(items, info->context_per_item, &context) ||
        __builtin_add_overflow(context, info->context_fixed, &context))
        context = UINT64_MAX;
    if (caps->global_mem_bytes && context > caps->global_mem_bytes)
        return sl_refuse(CL_OUT_OF_RESOURCES, "kernel %s needs %llu bytes for a work-group",
                         info->name, (unsigned long long)context);
    return CL_SUCCESS;
}

static cl_int fill(cl_kernel kernel, const struct sl_kernel_device *on, const struct range *range,
                   cl_event command)
{
    struct sl_launch_args *launch = &command->work.u.kernel;
    cl_int rc = sl_args_snapshot(kernel, on, command);
    if (!rc)
        rc = check_memory(on, range);
    if (rc)
        return rc;
    command->work.kind = SL_WORK_KERNEL;
    launch->work_dim = range->dim;
    memcpy(launch->global_offset, range->offset, sizeof range->offset);
    memcpy(launch->global_size, range->global, sizeof range->global);
    memcpy(launch->local_size, range->local, sizeof range->local);
    return CL_SUCCESS;
}

/* Of a command that was refused after all, or that is only recorded so far. */
static void settle_claim(cl_kernel kernel, const struct sl_kernel_device *on,
                         const struct sl_tail *tail, cl_int rc)
{
    if (rc)
        sl_host_ends_unclaim(kernel->program, sl_code_of_pipes(on->code), on->index);
    else if (tail->recording)
        sl_recording_claimed(tail->recording, kernel->program, sl_code_of_pipes(on->code),
                             on->index);
}

static cl_int enqueue(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
                      const struct sl_kernel_device *on, const struct range *range,
                      const struct sl_tail *tail)
{
    cl_event command;
    cl_int rc = sl_tail_check(queue, tail);
    if (!rc)
        rc =
            sl_command_create(queue, type, range->empty ? SL_HOW_NOTHING : SL_HOW_DEVICE, &command);
    if (rc)
        return rc;
    rc = range->empty ? sl_args_check(kernel) : fill(kernel, on, range, command);
    bool claims = on->info->flags & SL_KERNEL_USES_PIPES;
    if (!rc && claims)
        rc = sl_host_ends_claim(kernel->program, sl_code_of_pipes(on->code), on->index);
    if (rc) {
        sl_command_abandon(command);
        return rc;
    }
    rc = sl_tail_submit(command, tail);
    if (claims)
        settle_claim(kernel, on, tail, rc);
    return rc;
}

/* A local size of our choice suits the code. */
static cl_int enqueue_picked(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
                             const struct sl_kernel_device *picked, struct range *range,
                             const struct sl_demand_launch *launch, const struct sl_tail *tail)
{
    cl_int rc = range->chosen ? set_local(picked, NULL, range) : CL_SUCCESS;
    if (rc)
        return rc;
    sl_demand_launched(picked, launch);
    return enqueue(queue, type, kernel, picked, range, tail);
}

/* A local size that suits code of every kind that a size of our choice could be made for
 * (keep_in_step): a row of as many items as the largest sub-group has, or as the kernel takes. */
static const size_t *open_size(const struct sl_kernel_info *info)
{
    static const size_t sizes[][3] = {{64, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1},
                                      {4, 1, 1},  {2, 1, 1},  {1, 1, 1}};
    size_t k = 0;
    while (info->max_size[0] && sizes[k][0] > info->max_size[0])
        k++;
    return sizes[k];
}

/* What is recorded is going to run again and again: the best code pays. A local size of our choice
 * is chosen once more, for the code. */
static struct sl_demand_launch launch_of(cl_kernel kernel, const struct sl_kernel_device *on,
                                         const struct range *range, bool recorded)
{
    bool open = range->chosen && !on->info->reqd_size[0];
    return (struct sl_demand_launch){recorded ? UINT64_MAX : item_count(range), range->offset,
                                     range->global, open ? open_size(on->info) : range->local,
                                     kernel->block};
}

/* Its code may not be made yet, which takes long enough for another thread to release things: they
 * stay until the command has them. */
static cl_int make_and_enqueue(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
                               const struct sl_kernel_device *on, struct range *range,
                               const struct sl_tail *tail)
{
    struct sl_kernel_device picked;
    if (range->empty || !on->code->demand)
        return enqueue(queue, type, kernel, on, range, tail);
    const struct sl_demand_launch launch = launch_of(kernel, on, range, tail->recording);
    if (sl_demand_pick(on, &launch, &picked))
        return enqueue_picked(queue, type, kernel, &picked, range, &launch, tail);
    cl_int rc = sl_tail_check(queue, tail);
    if (!rc)
        rc = sl_args_check(kernel);
    if (rc)
        return rc;
    sl_hold(queue);
    sl_hold(kernel);
    rc = sl_demand_get(on, &launch, kernel->program->context, &picked);
    if (!rc)
        rc = enqueue_picked(queue, type, kernel, &picked, range, &launch, tail);
    sl_drop(kernel);
    sl_drop(queue);
    return rc;
}

/* The specification lists unset arguments before bad sizes; only a refusal asks twice. */
static cl_int arguments_first(cl_kernel kernel, cl_int rc)
{
    cl_int unset = sl_args_check(kernel);
    return unset ? unset : rc;
}

cl_int sl_launch(cl_command_queue queue, cl_kernel kernel, const struct sl_range *named,
                 const struct sl_tail *tail)
{
    const struct sl_kernel_device *on = NULL;
    struct range range;
    cl_int rc = check_objects(queue, kernel, tail, &on);
    if (rc)
        return rc;
    const bool later = sl_recording_allows_unset(tail->recording) && !sl_args_complete(kernel);
    rc = read_range(named->dim, named->offset, named->global, &range);
    if (!rc)
        rc = check_attributes(on->info, &range);
    if (!rc)
        rc = set_local(on, named->local, &range);
    if (rc)
        return later ? rc : arguments_first(kernel, rc);
    if (later)
        return sl_tail_check(queue, tail);
    return make_and_enqueue(queue, CL_COMMAND_NDRANGE_KERNEL, kernel, on, &range, tail);
}

cl_int sl_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                 const size_t *global_work_offset, const size_t *global_work_size,
                                 const size_t *local_work_size, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_range range = {work_dim, global_work_offset, global_work_size, local_work_size};
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return sl_launch(command_queue, kernel, &range, &tail);
}

cl_int sl_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                        cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    const struct sl_kernel_device *on = NULL;
    struct range range = {.dim = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
    cl_int rc = check_objects(command_queue, kernel, &tail, &on);
    if (rc)
        return rc;
    rc = check_local(on, &range);
    if (rc)
        return arguments_first(kernel, rc);
    return make_and_enqueue(command_queue, CL_COMMAND_TASK, kernel, on, &range, &tail);
}

cl_int sl_clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel,
                                            cl_uint work_dim, const size_t *global_work_offset,
                                            const size_t *global_work_size,
                                            size_t *suggested_local_work_size)
{
    const struct sl_kernel_device *on = NULL;
    struct sl_kernel_device picked;
    struct range range;
    const struct sl_tail none = {0};
    cl_int rc = check_objects(command_queue, kernel, &none, &on);
    if (!rc)
        rc = sl_args_check(kernel);
    if (!rc)
        rc = read_range(work_dim, global_work_offset, global_work_size, &range);
    if (!rc)
        rc = check_attributes(on->info, &range);
    if (!rc && range.empty)
        rc = sl_refuse(CL_INVALID_GLOBAL_WORK_SIZE, "no work-items");
    if (!rc && !suggested_local_work_size)
        rc = sl_refuse(CL_INVALID_VALUE, "no place for the answer");
    if (rc)
        return rc;
    range.chosen = true;
    const struct sl_demand_launch launch = launch_of(kernel, on, &range, false);
    sl_hold(kernel);
    picked = *on; /* a size that is required is that of any code */
    if (!on->info->reqd_size[0] && !sl_demand_pick(on, &launch, &picked))
        rc = sl_demand_get(on, &launch, kernel->program->context, &picked);
    if (!rc)
        rc = set_local(&picked, NULL, &range);
    if (!rc)
        memcpy(suggested_local_work_size, range.local, work_dim * sizeof range.local[0]);
    sl_drop(kernel);
    return rc;
}
