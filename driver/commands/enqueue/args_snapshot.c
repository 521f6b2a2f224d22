/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See args_snapshot.h. The kernel's lock is held over the copy of its block, into which goes what
 * depends on the launch: addresses of memory, places in local memory.
 */
#include "commands/enqueue/args_snapshot.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

#include "base/log/error.h"
#include "commands/enqueue/args_apart.h"
#include "commands/enqueue/pipe_handover.h"
#include "memory/buffer.h"
#include "memory/device_queue.h"
#include "memory/pipe_sides.h"
#include "memory/svm_allocation.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/args.h"
#include "sluice/unshared.h"

struct snapshot {
    cl_kernel kernel;
    const struct sl_kernel_device *on;
    cl_event command;
    unsigned char *block;           /* the command's copy */
    struct sl_arg_memory *memories; /* behind it */
    uint32_t memory_count;
    uint64_t local_end;         /* bytes of local memory given out */
    struct sl_extents *extents; /* NULL: its code does not ask */
};

static void put_word(struct snapshot *shot, uint32_t index, uint64_t word)
{
    memcpy(shot->block + shot->kernel->info->args[index].offset, &word, sizeof word);
}

/* Spec 5.7: the address of a sub-buffer must suit the device that runs the kernel. */
static bool aligned_for(const struct snapshot *shot, cl_mem mem)
{
    size_t align = sl_caps(shot->on->device)->mem_base_align_bits / 8;
    return !mem->parent || mem->type != CL_MEM_OBJECT_BUFFER || !align || mem->origin % align == 0;
}

static cl_int put_memory(struct snapshot *shot, uint32_t index, cl_mem mem, bool image)
{
    if (!mem) {
        put_word(shot, index, (uintptr_t)shot->kernel->args[index].svm);
        if (shot->extents)
            sl_extents_put(shot->extents, index, NULL, shot->kernel->args[index].svm);
        return CL_SUCCESS;
    }
    if (!sl_valid(mem, &sl_mem_type) || mem->obj.generation != shot->kernel->args[index].generation)
        return sl_refuse(CL_INVALID_KERNEL_ARGS, "argument %u was released", index);
    if (!aligned_for(shot, mem))
        return sl_refuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, "argument %u", index);
    const struct sl_device *impl = shot->on->device->root->impl;
    cl_int rc = sl_check_reach(mem, impl);
    if (rc || (rc = sl_command_keep(shot->command, mem)))
        return rc;
    put_word(shot, index, image ? (uintptr_t)&mem->image : (uintptr_t)mem->host);
    if (shot->extents && !image)
        sl_extents_put(shot->extents, index, mem, NULL);
    if (mem->home == impl)
        shot->memories[shot->memory_count++] = (struct sl_arg_memory){
            .memory = mem->memory, .offset = mem->origin, .arg_index = index};
    return CL_SUCCESS;
}

/* A pipe that the host is at the other end of, or that its device keeps to itself, is one device's.
 */
static cl_int put_pipe(struct snapshot *shot, uint32_t index, cl_mem mem)
{
    if (!sl_pipe_of(mem) || mem->obj.generation != shot->kernel->args[index].generation)
        return sl_refuse(CL_INVALID_KERNEL_ARGS, "argument %u was released", index);
    struct sl_pipe_ring *ring = sl_pipe_ring_on(mem->pipe, shot->on->device->root->impl);
    if (!ring) {
        sl_context_notify(mem->context, "a pipe was given to a kernel on a second device");
        return sl_refuse_known(CL_INVALID_OPERATION, "argument %u is a pipe of another device",
                               index);
    }
    cl_int rc = sl_command_keep(shot->command, mem);
    if (rc)
        return rc;
    sl_pipe_handover_attach(shot->command, mem->pipe);
    put_word(shot, index, (uintptr_t)ring);
    return CL_SUCCESS;
}

static cl_int put_queue(struct snapshot *shot, uint32_t index)
{
    const struct sl_arg *arg = &shot->kernel->args[index];
    if (!sl_valid(arg->queue, &sl_queue_on_device_type) ||
        arg->queue->obj.generation != arg->generation)
        return sl_refuse(CL_INVALID_KERNEL_ARGS, "argument %u was released", index);
    if (arg->queue->impl != shot->on->device->root->impl)
        return sl_refuse(CL_INVALID_OPERATION, "argument %u is a queue of another device", index);
    cl_int rc = sl_command_keep(shot->command, arg->queue);
    if (!rc)
        put_word(shot, index, (uintptr_t)arg->queue->queue);
    return rc;
}

/* get_default_queue() in a kernel that enqueues; the command holds it then. */
static cl_int put_default_queue(struct snapshot *shot, struct sl_launch_args *launch)
{
    launch->default_queue = NULL;
    if (!(shot->on->info->flags & SL_KERNEL_ENQUEUES))
        return CL_SUCCESS;
    struct sl_queue_on_device *queue =
        sl_queue_default(shot->kernel->program->context, shot->on->device);
    cl_int rc = queue ? sl_command_keep(shot->command, queue) : CL_SUCCESS;
    if (queue && !rc)
        launch->default_queue = queue->queue;
    sl_drop(queue);
    return rc;
}

static cl_int put_local(struct snapshot *shot, uint32_t index, size_t bytes)
{
    uint64_t at = sl_align_local(shot->local_end);
    uint64_t limit = sl_caps(shot->on->device)->local_mem_bytes;
    if (at > limit || bytes > limit - at)
        return sl_refuse(CL_OUT_OF_RESOURCES, "local argument %u of %zu bytes at %llu", index,
                         bytes, (unsigned long long)at);
    put_word(shot, index, at);
    shot->local_end = at + bytes;
    return CL_SUCCESS;
}

static cl_int put_argument(struct snapshot *shot, uint32_t index)
{
    const struct sl_arg *arg = &shot->kernel->args[index];
    enum sl_arg_kind kind = shot->kernel->info->args[index].kind;
    if (!arg->set)
        return sl_refuse(CL_INVALID_KERNEL_ARGS, "argument %u is not set", index);
    switch (kind) {
    case SL_ARG_GLOBAL:
    case SL_ARG_CONSTANT:
        return put_memory(shot, index, arg->mem, false);
    case SL_ARG_IMAGE:
        return put_memory(shot, index, arg->mem, true);
    case SL_ARG_LOCAL:
        return put_local(shot, index, arg->local_bytes);
    case SL_ARG_PIPE:
        return put_pipe(shot, index, arg->mem);
    case SL_ARG_QUEUE:
        return put_queue(shot, index);
    case SL_ARG_VALUE:
    case SL_ARG_SAMPLER:
        break;
    }
    return CL_SUCCESS;
}

static cl_int put_arguments_locked(struct snapshot *shot)
{
    const struct sl_kernel_info *info = shot->kernel->info;
    cl_int rc = CL_SUCCESS;
    if (shot->local_end > sl_caps(shot->on->device)->local_mem_bytes)
        return sl_refuse(CL_OUT_OF_RESOURCES,
                         "kernel %s has %u bytes of __local variables, the device %llu for a group",
                         info->name, info->local_bytes,
                         (unsigned long long)sl_caps(shot->on->device)->local_mem_bytes);
    if (info->args_bytes)
        memcpy(shot->block, shot->kernel->block, info->args_bytes);
    for (uint32_t i = 0; i < info->arg_count && !rc; i++)
        rc = put_argument(shot, i);
    return rc;
}

/* That argument's, or room for it behind all of them. */
static struct sl_arg_memory *memory_of(const struct snapshot *shot, uint32_t index)
{
    uint32_t k = 0;
    while (k < shot->memory_count && shot->memories[k].arg_index != index)
        k++;
    return &shot->memories[k];
}

/* Shared memory of the device that pointers lead to, or buffers lie in: a device that runs such
 * kernels asks which of them have the same. With no lock held: the context has one. */
static void put_allocations(struct snapshot *shot)
{
    const struct sl_kernel_info *info = shot->on->info;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        struct sl_allocation found;
        struct sl_arg_memory *memory = memory_of(shot, i);
        void *at;
        if (info->args[i].kind != SL_ARG_GLOBAL && info->args[i].kind != SL_ARG_CONSTANT)
            continue;
        memcpy(&at, shot->block + info->args[i].offset, sizeof at);
        if (!sl_allocation_find(shot->kernel->program->context, at, &found) ||
            found.home != shot->on->device->root->impl)
            continue;
        *memory = (struct sl_arg_memory){
            .memory = found.memory, .offset = (uintptr_t)at - found.range.start, .arg_index = i};
        shot->memory_count += memory == &shot->memories[shot->memory_count];
    }
}

/* The command's copy: the block, the pointers that the kernel was told of, room for memories. */
static cl_int lay_out_locked(struct snapshot *shot)
{
    const cl_kernel kernel = shot->kernel;
    const size_t block_bytes = (kernel->info->args_bytes + 15) & ~(size_t)15;
    const size_t used = block_bytes + kernel->pointers_bytes;
    cl_int rc = sl_command_args(shot->command,
                                used + kernel->info->arg_count * sizeof(struct sl_arg_memory));
    if (rc)
        return rc;
    shot->block = shot->command->args;
    shot->memories = (struct sl_arg_memory *)(void *)(shot->block + used);
    if (block_bytes) /* or there may be no memory at all */
        memset(shot->block + kernel->info->args_bytes, 0, block_bytes - kernel->info->args_bytes);
    if (kernel->pointers_bytes)
        memcpy(shot->block + block_bytes, kernel->pointers, kernel->pointers_bytes);
    shot->command->args_used = used;
    shot->command->indirect = kernel->indirect;
    return CL_SUCCESS;
}

cl_int sl_args_snapshot(cl_kernel kernel, const struct sl_kernel_device *on, cl_event command)
{
    struct snapshot shot = {
        .kernel = kernel, .on = on, .command = command, .local_end = on->info->local_bytes};
    struct sl_extents extents;
    cl_int rc = sl_command_keep(command, kernel);
    if (rc)
        return rc;
    if (on->info->apart) {
        extents = (struct sl_extents){0};
        shot.extents = &extents;
    }
    pthread_mutex_lock(&kernel->lock);
    rc = lay_out_locked(&shot);
    if (!rc)
        rc = put_arguments_locked(&shot);
    pthread_mutex_unlock(&kernel->lock);
    if (rc)
        return rc;
    if (on->info->flags & SL_KERNEL_KEEPS_TO_ARGUMENTS)
        put_allocations(&shot);
    struct sl_launch_args *launch = &command->work.u.kernel;
    launch->code = on->code->code;
    launch->kernel_index = on->index;
    launch->args = shot.block;
    launch->memories = shot.memories;
    launch->memory_count = shot.memory_count;
    launch->local_bytes = (uint32_t)sl_align_local(shot.local_end);
    launch->child = NULL;
    launch->apart =
        shot.extents && sl_extents_apart(shot.extents, kernel->program->context, on->info);
    launch->clear_local =
        kernel->program->context->initialize & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
    return put_default_queue(&shot, launch);
}
