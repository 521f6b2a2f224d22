/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels that enqueue kernels call: checks, then a node of the tree (device_enqueue.h).
 * Errors are those of OpenCL C, 6.15.22.4. The calling thread is inside of a job, which the launch
 * names.
 */
#include <stdlib.h>
#include <string.h>

#include "common/kernel/ndrange.h"
#include "common/runtime/code.h"
#include "common/runtime/device_enqueue.h"
#include "common/runtime/hosted.h"
#include "common/runtime/job.h"
#include "common/runtime/scheduler.h"

enum { /* CLK_* */
       OUT_OF_RESOURCES = -5,
       INVALID_ARG_SIZE = -51,
       INVALID_EVENT_WAIT_LIST = -57,
       EVENT_ALLOCATION_FAILURE = -100,
       INVALID_QUEUE = -102,
       INVALID_NDRANGE = -160,
       QUEUE_FULL = -161,
};
enum { NO_WAIT = 0, WAIT_KERNEL = 1, WAIT_WORK_GROUP = 2 };
enum { EXEC_TIME = 1 }; /* CLK_PROFILING_COMMAND_EXEC_TIME */
enum { LARGEST_ALIGN = 4096 };
static const uint64_t no_event = UINT64_MAX; /* CLK_NULL_EVENT */

static struct sl_job *job_of(const struct sl_launch *launch)
{
    return launch->owner;
}

static struct sl_nest *nest_of(const struct sl_launch *launch)
{
    return job_of(launch)->work_queue->nest;
}

static const struct sl_launch_args *args_of(const struct sl_launch *launch)
{
    return &job_of(launch)->work->u.kernel;
}

static int by_name(const void *name, const void *kernel)
{
    return strcmp(name, ((const struct sl_kernel_info *)kernel)->name);
}

static const struct sl_kernel_info *find_kernel(const struct sl_launch *launch, const char *name)
{
    const struct sl_module_info *info = args_of(launch)->code->info;
    return bsearch(name, info->kernels, info->kernel_count, sizeof *info->kernels, by_name);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static size_t group_limit(const struct sl_nest *nest, const struct sl_kernel_info *kernel)
{
    size_t most = nest->caps->max_work_group_size, own = kernel->max_work_group_size;
    return own && own < most ? own : most;
}

/* The local size that the range names, or (all zeros) one of ours; false: it cannot be. */
static bool set_local(const struct sl_nest *nest, const struct sl_kernel_info *kernel,
                      const struct sl_child_range *range, struct sl_launch_args *args)
{
    size_t items = 1, limit = group_limit(nest, kernel), named = 0;
    for (uint32_t i = 0; i < range->work_dim; i++)
        named += range->local_size[i] != 0;
    if (!named) {
        sl_ndrange_suggest(kernel, range->work_dim, args->global_size, nest->units, limit,
                           args->local_size);
        return true;
    }
    for (uint32_t i = 0; i < range->work_dim; i++) {
        size_t local = args->local_size[i] = range->local_size[i];
        if (!local || local > nest->caps->max_work_item_sizes[i] ||
            __builtin_mul_overflow(items, local, &items) || items > limit)
            return false;
        if (kernel->flags & SL_KERNEL_UNIFORM_GROUPS && range->global_size[i] % local)
            return false;
    }
    return true;
}

static bool set_range(const struct sl_nest *nest, const struct sl_kernel_info *kernel,
                      const struct sl_child_range *range, struct sl_launch_args *args, bool *empty)
{
    size_t items = 1;
    if (range->work_dim < 1 || range->work_dim > 3)
        return false;
    args->work_dim = range->work_dim;
    *empty = false;
    for (uint32_t i = 0; i < 3; i++) {
        bool used = i < range->work_dim;
        size_t global = used ? range->global_size[i] : 1;
        args->global_offset[i] = used ? range->global_offset[i] : 0;
        args->global_size[i] = global;
        args->local_size[i] = 1;
        *empty |= !global;
        if (__builtin_mul_overflow(items, global, &items) ||
            args->global_offset[i] > SIZE_MAX - global)
            return false;
    }
    return *empty || set_local(nest, kernel, range, args);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct request {
    const struct sl_launch *launch;
    uint64_t queue;
    uint32_t flags, wait_count;
    const uint64_t *waits;
    uint64_t *event;
};

struct plan { /* of a node with all that belongs to it in one piece of memory */
    size_t links, args, block, bytes;
};

static size_t place(size_t *end, size_t bytes, size_t align)
{
    size_t at = (*end + align - 1) / align * align;
    *end = at + bytes;
    return at;
}

static struct sl_child *new_node(const struct request *r, const struct sl_kernel_info *kernel,
                                 const struct sl_child_block *block, struct plan *plan)
{
    size_t align = 64;
    *plan = (struct plan){.bytes = sizeof(struct sl_child)};
    plan->links = place(&plan->bytes, r->wait_count * sizeof(struct sl_child_wait), 8);
    if (kernel) {
        if (block->align > align && block->align <= LARGEST_ALIGN)
            align = block->align;
        plan->args = place(&plan->bytes, kernel->args_bytes, 64);
        plan->block = place(&plan->bytes, block->bytes, align);
    }
    plan->bytes = (plan->bytes + align - 1) / align * align;
    struct sl_child *node = aligned_alloc(align, plan->bytes);
    if (!node)
        return NULL;
    memset(node, 0, sizeof *node);
    node->links = (struct sl_child_wait *)((char *)node + plan->links);
    node->bytes = plan->bytes;
    return node;
}

/* All that can be wrong with a list of events by itself. */
static bool is_list(const struct request *r)
{
    return !r->waits == !r->wait_count;
}

static bool has_events_locked(struct sl_nest *nest, const struct request *r)
{
    for (uint32_t i = 0; i < r->wait_count; i++)
        if (!sl_child_event_find_locked(nest, r->waits[i]))
            return false;
    return true;
}

/* A queue in which nothing waits takes one node, however small it is. */
static bool is_full(const struct sl_device_queue *queue, uint64_t bytes)
{
    return queue->used && (queue->used > queue->bytes || bytes > queue->bytes - queue->used);
}

static int add_locked(struct sl_nest *nest, const struct request *r, struct sl_child *node,
                      struct sl_errands *errands)
{
    struct sl_device_queue *queue = (struct sl_device_queue *)(uintptr_t)r->queue;
    if (!sl_nest_has_queue_locked(nest, queue))
        return INVALID_QUEUE;
    if (!has_events_locked(nest, r))
        return INVALID_EVENT_WAIT_LIST;
    if (is_full(queue, node->bytes))
        return QUEUE_FULL;
    struct sl_child *parent = sl_child_of_job_locked(job_of(r->launch));
    if (!parent)
        return OUT_OF_RESOURCES;
    uint64_t event = r->event ? sl_child_event_new_locked(nest, parent->root, node) : 0;
    if (r->event && !event)
        return EVENT_ALLOCATION_FAILURE;
    for (uint32_t i = 0; i < r->wait_count; i++)
        sl_child_event_await_locked(sl_child_event_find_locked(nest, r->waits[i]), node,
                                    &node->links[i]);
    if (r->event)
        *r->event = event;
    node->queue = queue;
    queue->used += node->bytes;
    node->after_parent = r->flags != NO_WAIT;
    node->waits += node->after_parent;
    sl_child_add_locked(parent, node, errands);
    sl_child_settle_locked(nest, errands);
    return 0;
}

/* The node becomes part of the tree, or nothing of it is left. */
static int add(const struct request *r, struct sl_child *node)
{
    struct sl_nest *nest = nest_of(r->launch);
    struct sl_errands errands = {0};
    pthread_mutex_lock(&nest->lock);
    int rc = add_locked(nest, r, node, &errands);
    pthread_mutex_unlock(&nest->lock);
    sl_child_run_errands(&errands);
    if (rc)
        sl_child_free(node);
    return rc;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static size_t align_local(size_t bytes)
{
    return (bytes + SL_LOCAL_ALIGN - 1) / SL_LOCAL_ALIGN * SL_LOCAL_ALIGN;
}

/* As a launch lays out its arguments for local memory, see device.h. */
static int set_arguments(const struct sl_nest *nest, const struct sl_kernel_info *kernel,
                         unsigned char *args, uint64_t block, const uint64_t *local_bytes,
                         uint32_t *end_out)
{
    uint64_t end = kernel->local_bytes;
    memset(args, 0, kernel->args_bytes);
    memcpy(args + kernel->args[0].offset, &block, sizeof block);
    for (uint32_t i = 1; i < kernel->arg_count; i++) {
        uint64_t at = align_local(end), bytes = local_bytes[i - 1];
        if (!bytes)
            return INVALID_ARG_SIZE;
        if (at > nest->caps->local_mem_bytes || bytes > nest->caps->local_mem_bytes - at)
            return OUT_OF_RESOURCES;
        memcpy(args + kernel->args[i].offset, &at, sizeof at);
        end = at + bytes;
    }
    *end_out = (uint32_t)align_local(end);
    return 0;
}

static int fill(const struct request *r, struct sl_child *node, const struct plan *plan,
                const struct sl_kernel_info *kernel, const struct sl_child_block *block,
                const struct sl_child_range *range, const uint64_t *local_bytes)
{
    const struct sl_nest *nest = nest_of(r->launch);
    const struct sl_launch_args *outer = args_of(r->launch);
    struct sl_launch_args *args = &node->work.u.kernel;
    unsigned char *own_args = (unsigned char *)node + plan->args;
    unsigned char *own_block = (unsigned char *)node + plan->block;
    bool empty;
    memcpy(own_block, block, block->bytes);
    node->work.kind = SL_WORK_KERNEL;
    args->code = outer->code;
    args->kernel_index = (uint32_t)(kernel - outer->code->info->kernels);
    args->args = own_args;
    args->default_queue = outer->default_queue;
    args->clear_local = outer->clear_local;
    args->child = node;
    if (!set_range(nest, kernel, range, args, &empty))
        return INVALID_NDRANGE;
    node->runs = !empty;
    return set_arguments(nest, kernel, own_args, (uintptr_t)own_block, local_bytes,
                         &args->local_bytes);
}

static int32_t enqueue(const struct sl_launch *launch, uint64_t queue, uint32_t flags,
                       const struct sl_child_range *range, uint32_t wait_count,
                       const uint64_t *waits, uint64_t *event, const char *name,
                       const struct sl_child_block *block, uint32_t local_count,
                       const uint64_t *local_bytes)
{
    const struct request r = {launch, queue, flags, wait_count, waits, event};
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    struct plan plan;
    if (!queue)
        return INVALID_QUEUE;
    if (!is_list(&r))
        return INVALID_EVENT_WAIT_LIST;
    if (!kernel || kernel->arg_count != 1 + local_count || flags > WAIT_WORK_GROUP)
        return OUT_OF_RESOURCES;
    struct sl_child *node = new_node(&r, kernel, block, &plan);
    if (!node)
        return OUT_OF_RESOURCES;
    int rc = fill(&r, node, &plan, kernel, block, range, local_bytes);
    if (!rc)
        return add(&r, node);
    sl_child_free(node);
    return rc;
}

/* Without an event nobody could tell that there is a marker. */
static int32_t marker(const struct sl_launch *launch, uint64_t queue, uint32_t wait_count,
                      const uint64_t *waits, uint64_t *event)
{
    const struct request r = {launch, queue, NO_WAIT, wait_count, waits, event};
    struct plan plan;
    if (!queue)
        return INVALID_QUEUE;
    if (!is_list(&r) || !wait_count)
        return INVALID_EVENT_WAIT_LIST;
    struct sl_child *node = new_node(&r, NULL, NULL, &plan);
    return node ? add(&r, node) : OUT_OF_RESOURCES;
}

static uint64_t default_queue(const struct sl_launch *launch)
{
    return (uintptr_t)args_of(launch)->default_queue;
}

/* ---- events ---------------------------------------------------------------------------------- */

static uint64_t user_event(const struct sl_launch *launch)
{
    struct sl_nest *nest = nest_of(launch);
    pthread_mutex_lock(&nest->lock);
    struct sl_child *node = sl_child_of_job_locked(job_of(launch));
    uint64_t event = node ? sl_child_event_new_locked(nest, node->root, NULL) : 0;
    pthread_mutex_unlock(&nest->lock);
    return event ? event : no_event;
}

enum act { SET, RETAIN, RELEASE, PROFILE, ASK };

static bool act_on(const struct sl_launch *launch, uint64_t number, enum act act, int status,
                   uint64_t *value)
{
    struct sl_nest *nest = nest_of(launch);
    struct sl_errands errands = {0};
    pthread_mutex_lock(&nest->lock);
    struct sl_child_event *event = sl_child_event_find_locked(nest, number);
    if (event && act == SET)
        sl_child_event_set_locked(nest, event, status, &errands);
    else if (event && act == RETAIN)
        sl_child_event_retain_locked(event);
    else if (event && act == RELEASE)
        sl_child_event_release_locked(nest, event, &errands);
    else if (event && act == PROFILE)
        sl_child_event_profile_locked(event, value);
    sl_child_settle_locked(nest, &errands);
    pthread_mutex_unlock(&nest->lock);
    sl_child_run_errands(&errands);
    return event != NULL;
}

static void set_status(const struct sl_launch *launch, uint64_t event, int32_t status)
{
    act_on(launch, event, SET, status, NULL);
}

static void retain(const struct sl_launch *launch, uint64_t event)
{
    act_on(launch, event, RETAIN, 0, NULL);
}

static void release(const struct sl_launch *launch, uint64_t event)
{
    act_on(launch, event, RELEASE, 0, NULL);
}

static uint32_t is_valid(const struct sl_launch *launch, uint64_t event)
{
    return act_on(launch, event, ASK, 0, NULL);
}

static void profile(const struct sl_launch *launch, uint64_t event, uint32_t what, uint64_t *value)
{
    if (what == EXEC_TIME && value)
        act_on(launch, event, PROFILE, 0, value);
}

/* ---- questions about kernels ----------------------------------------------------------------- */

static uint32_t group_size(const struct sl_launch *launch, const char *name)
{
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    return kernel ? (uint32_t)group_limit(nest_of(launch), kernel) : 0;
}

static uint32_t group_multiple(const struct sl_launch *launch, const char *name)
{
    size_t multiple = nest_of(launch)->caps->preferred_group_multiple;
    return multiple && multiple <= group_size(launch, name) ? (uint32_t)multiple : 1;
}

/* The work-items of a group; 0: there is no such range. */
static uint64_t items_of(const struct sl_launch *launch, const struct sl_child_range *range,
                         const struct sl_kernel_info *kernel)
{
    struct sl_launch_args args = {0};
    bool empty = true;
    if (!kernel || !set_range(nest_of(launch), kernel, range, &args, &empty) || empty)
        return 0;
    return (uint64_t)args.local_size[0] * args.local_size[1] * args.local_size[2];
}

static uint32_t sub_group_items(const struct sl_kernel_info *kernel)
{
    return kernel->sub_group_size ? kernel->sub_group_size : 1;
}

static uint32_t sub_group_size(const struct sl_launch *launch, const struct sl_child_range *range,
                               const char *name)
{
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    uint64_t items = items_of(launch, range, kernel);
    return !items || items >= sub_group_items(kernel) ? (items ? sub_group_items(kernel) : 0)
                                                      : (uint32_t)items;
}

static uint32_t sub_group_count(const struct sl_launch *launch, const struct sl_child_range *range,
                                const char *name)
{
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    uint64_t items = items_of(launch, range, kernel);
    return items ? (uint32_t)((items + sub_group_items(kernel) - 1) / sub_group_items(kernel)) : 0;
}

static uint32_t size_for_count(const struct sl_launch *launch, uint32_t sub_groups,
                               const char *name)
{
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    uint64_t items = kernel ? (uint64_t)sub_groups * sub_group_items(kernel) : 0;
    return items <= group_size(launch, name) ? (uint32_t)items : 0;
}

static uint32_t most_sub_groups(const struct sl_launch *launch, const char *name)
{
    const struct sl_kernel_info *kernel = find_kernel(launch, name);
    uint32_t size = kernel ? sub_group_items(kernel) : 1;
    return (group_size(launch, name) + size - 1) / size;
}

const struct sl_child_runtime sl_child_runtime = {
    .enqueue = enqueue,
    .marker = marker,
    .default_queue = default_queue,
    .user_event = user_event,
    .set_status = set_status,
    .retain = retain,
    .release = release,
    .is_valid = is_valid,
    .profile = profile,
    .group_size = group_size,
    .group_multiple = group_multiple,
    .sub_group_size = sub_group_size,
    .sub_group_count = sub_group_count,
    .size_for_count = size_for_count,
    .most_sub_groups = most_sub_groups,
};
