/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clUpdateMutableCommandsKHR: all that can fail is done on copies, with the calls that a kernel
 * would get, and then the new commands take the places of the old ones in one step, under the
 * buffer's lock. Replays that run go on with the old ones.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "base/thread/fork.h"
#include "commands/enqueue/commands.h"
#include "commands/recording/mutable_command.h"
#include "commands/recording/record.h"
#include "commands/recording/replay.h"
#include "platform/platform.h"

struct change { /* of one command */
    cl_mutable_command_khr command;
    cl_kernel state; /* owned: its kernel as it will be */
    struct sl_named_range range;
    bool uniform;                  /* work-groups, before */
    struct sl_recording recording; /* of the command as it will be, which it owns */
};

struct update {
    cl_command_buffer_khr buffer;
    struct change *changes; /* owned */
    cl_uint count;
    uint32_t *of; /* owned: number + 1 of the change of each recorded command */
};

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_fields(const cl_mutable_dispatch_config_sluice *config)
{
    const cl_mutable_command_khr command = config->command;
    const struct {
        cl_mutable_dispatch_fields_khr field;
        bool used;
        const char *name;
    } rows[] = {
        {CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, config->global_work_offset, "offset"},
        {CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, config->global_work_size, "global size"},
        {CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, config->local_work_size, "local size"},
        {CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, config->num_args || config->num_svm_args, "arguments"},
        {CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, config->num_exec_infos, "execution info"},
    };
    if (config->work_dim && config->work_dim != command->dim)
        return sl_refuse(CL_INVALID_OPERATION, "%u dimensions, recorded with %u", config->work_dim,
                         command->dim);
    for (size_t i = 0; i < SL_LEN(rows); i++)
        if (rows[i].used && !(command->fields & rows[i].field))
            return sl_refuse(CL_INVALID_OPERATION, "the %s cannot be updated", rows[i].name);
    return CL_SUCCESS;
}

static cl_int check_lists(const cl_mutable_dispatch_config_sluice *config)
{
    if (!config->num_args != !config->arg_list || !config->num_svm_args != !config->arg_svm_list ||
        !config->num_exec_infos != !config->exec_info_list)
        return sl_refuse(CL_INVALID_VALUE, "a list without a length, or a length without a list");
    return CL_SUCCESS;
}

static cl_int check_config(const struct _cl_command_buffer_khr *buffer,
                           const cl_mutable_dispatch_config_sluice *config)
{
    if (!sl_valid(config->command, &sl_mutable_command_type) || config->command->buffer != buffer)
        return sl_refuse(CL_INVALID_MUTABLE_COMMAND_KHR, "not a command of the command-buffer");
    cl_int rc = check_fields(config);
    return rc ? rc : check_lists(config);
}

static cl_int check_call(cl_command_buffer_khr buffer, cl_uint count,
                         const cl_command_buffer_update_type_khr *types, const void **configs)
{
    if (!sl_valid(buffer, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    if (!sl_command_buffer_is_finalized(buffer))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is not finalized");
    if (!(buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is not mutable");
    if (!count != !types || !count != !configs)
        return sl_refuse(CL_INVALID_VALUE, "%u configs, types %p, list %p", count,
                         (const void *)types, (const void *)configs);
    for (cl_uint i = 0; i < count; i++)
        if (types[i] != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE || !configs[i])
            return sl_refuse(CL_INVALID_VALUE, "config %u: type %u at %p", i, types[i], configs[i]);
    return CL_SUCCESS;
}

/* ---- changing copies ------------------------------------------------------------------------- */

/* The size that we choose divides. */
static bool is_uniform(cl_kernel kernel, const struct sl_named_range *range)
{
    const uint32_t *required = kernel->info->reqd_size;
    for (cl_uint i = 0; i < range->dim; i++) {
        const size_t local = range->has_local ? range->local[i] : required[0] ? required[i] : 1;
        if (local && range->global[i] % local)
            return false;
    }
    return true;
}

/* What an earlier config of the same call has changed is changed further. */
static cl_int find_change(struct update *update, cl_mutable_command_khr command,
                          struct change **out)
{
    uint32_t *of = &update->of[command->number];
    if (*of) {
        *out = &update->changes[*of - 1];
        return CL_SUCCESS;
    }
    struct change *change = &update->changes[update->count];
    pthread_mutex_lock(&update->buffer->lock);
    cl_kernel state = sl_hold(command->state);
    change->range = command->range;
    pthread_mutex_unlock(&update->buffer->lock);
    cl_int rc = sl_kernel_clone(state, &change->state);
    sl_drop(state);
    if (rc)
        return rc;
    change->command = command;
    change->uniform = is_uniform(change->state, &change->range);
    *of = ++update->count;
    *out = change;
    return CL_SUCCESS;
}

static cl_int set_arguments(cl_kernel kernel, const cl_mutable_dispatch_config_sluice *config)
{
    cl_int rc = CL_SUCCESS;
    for (cl_uint i = 0; i < config->num_args && !rc; i++)
        rc = sl_clSetKernelArg(kernel, config->arg_list[i].arg_index, config->arg_list[i].arg_size,
                               config->arg_list[i].arg_value);
    for (cl_uint i = 0; i < config->num_svm_args && !rc; i++)
        rc = sl_clSetKernelArgSVMPointer(kernel, config->arg_svm_list[i].arg_index,
                                         config->arg_svm_list[i].arg_value);
    for (cl_uint i = 0; i < config->num_exec_infos && !rc; i++)
        rc = sl_clSetKernelExecInfo(kernel, config->exec_info_list[i].param_name,
                                    config->exec_info_list[i].param_value_size,
                                    config->exec_info_list[i].param_value);
    return rc;
}

static void set_range(struct sl_named_range *range, const cl_mutable_dispatch_config_sluice *config)
{
    const size_t bytes = range->dim * sizeof(size_t);
    if (config->global_work_offset)
        memcpy(range->offset, config->global_work_offset, bytes);
    if (config->global_work_size)
        memcpy(range->global, config->global_work_size, bytes);
    if (config->local_work_size)
        memcpy(range->local, config->local_work_size, bytes);
    range->has_global |= config->global_work_size != NULL;
    range->has_local |= config->local_work_size != NULL;
}

static cl_int apply(struct update *update, const cl_mutable_dispatch_config_sluice *config)
{
    struct change *change;
    cl_int rc = check_config(update->buffer, config);
    if (!rc)
        rc = find_change(update, config->command, &change);
    if (!rc)
        rc = set_arguments(change->state, config);
    if (!rc)
        set_range(&change->range, config);
    return rc;
}

/* The new command. */
static cl_int record(struct update *update, struct change *change)
{
    const struct sl_named_range *range = &change->range;
    const struct sl_range named = sl_named_range_of(range);
    const struct sl_tail tail = {.recording = &change->recording};
    change->recording = (struct sl_recording){.buffer = update->buffer, .allows_unset = true};
    cl_int rc = sl_launch(change->command->queue, change->state, &named, &tail);
    if (!rc && is_uniform(change->state, range) != change->uniform)
        rc = sl_refuse(CL_INVALID_OPERATION, "work-groups were %suniform",
                       change->uniform ? "" : "not ");
    return rc;
}

/* ---- in one step ----------------------------------------------------------------------------- */

/* Afterwards the changes have what was there before. */
static void commit(struct update *update)
{
    const cl_command_buffer_khr buffer = update->buffer;
    pthread_mutex_lock(&buffer->lock);
    for (cl_uint i = 0; i < update->count; i++) {
        struct change *change = &update->changes[i];
        struct sl_recorded *recorded = &buffer->recorded[change->command->number];
        const struct sl_recording before = {.made = recorded->body};
        const cl_kernel state = change->command->state;
        if (!recorded->body && change->recording.made)
            atomic_fetch_sub_explicit(&buffer->unset, 1, memory_order_release);
        recorded->body = change->recording.made;
        change->recording = before;
        change->command->state = change->state;
        change->state = state;
        change->command->range = change->range;
    }
    buffer->version++;
    pthread_mutex_unlock(&buffer->lock);
    sl_replay_refresh_idle(buffer);
}

static void finish(struct update *update)
{
    for (cl_uint i = 0; update->changes && i < update->count; i++) {
        sl_recording_discard(&update->changes[i].recording);
        sl_discard(update->changes[i].state);
    }
    sl_free(update->changes);
    sl_free(update->of);
}

static cl_int change_all(struct update *update, cl_uint count, const void *const *configs)
{
    cl_int rc = CL_SUCCESS;
    update->changes = sl_zalloc(count * sizeof *update->changes);
    update->of = sl_zalloc((update->buffer->plan.count + (size_t)1) * sizeof *update->of);
    if (!update->changes || !update->of)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %u changes", count);
    for (cl_uint i = 0; i < count && !rc; i++)
        rc = apply(update, configs[i]);
    for (cl_uint i = 0; i < update->count && !rc; i++)
        rc = record(update, &update->changes[i]);
    if (!rc)
        commit(update);
    return rc;
}

cl_int CL_API_CALL sl_clUpdateMutableCommandsKHR(
    cl_command_buffer_khr command_buffer, cl_uint num_configs,
    const cl_command_buffer_update_type_khr *config_types, const void **configs)
{
    struct update update = {.buffer = command_buffer};
    cl_int rc = check_call(command_buffer, num_configs, config_types, configs);
    if (rc || !num_configs)
        return rc;
    sl_hold(command_buffer); /* code may have to be made, as in a recording */
    rc = change_all(&update, num_configs, configs);
    finish(&update);
    sl_drop(command_buffer);
    return rc;
}
