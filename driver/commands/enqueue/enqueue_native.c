/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clEnqueueNativeKernel: a C function of the application as a command. The command owns a copy of
 * the arguments. No lock. Spec 5.9, "native kernels".
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/rect.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/buffer.h"
#include "platform/device.h"

struct native { /* the call as given */
    void *args;
    size_t bytes;
    cl_uint mem_count;
    const cl_mem *mems;
    const void **places; /* inside args: where each mem's address goes */
};

static cl_int check_arguments(void(CL_CALLBACK *function)(void *), const struct native *n)
{
    if (!function)
        return sl_refuse(CL_INVALID_VALUE, "no function");
    if (!n->args && (n->bytes || n->mem_count))
        return sl_refuse(CL_INVALID_VALUE, "no arguments, but %zu bytes and %u objects", n->bytes,
                         n->mem_count);
    if (n->args && !n->bytes)
        return sl_refuse(CL_INVALID_VALUE, "arguments of 0 bytes");
    if (!n->mem_count != !n->mems || !n->mem_count != !n->places)
        return sl_refuse(CL_INVALID_VALUE, "%u objects, lists %p and %p", n->mem_count,
                         (const void *)n->mems, (const void *)n->places);
    for (cl_uint i = 0; i < n->mem_count; i++)
        if (!sl_range_inside((uintptr_t)n->places[i] - (uintptr_t)n->args, sizeof(void *),
                             n->bytes))
            return sl_refuse(CL_INVALID_VALUE, "place %u is not inside the arguments", i);
    return CL_SUCCESS;
}

static cl_int check_mems(cl_command_queue queue, const struct native *n)
{
    for (cl_uint i = 0; i < n->mem_count; i++) {
        cl_int rc = n->mems[i] ? sl_check_buffer(queue->context, n->mems[i]) : CL_SUCCESS;
        if (rc)
            return rc;
        if (n->mems[i] && !n->mems[i]->host)
            return sl_refuse(CL_OUT_OF_RESOURCES, "buffer %u has no host address", i);
    }
    return CL_SUCCESS;
}

static cl_int capture(cl_event e, const struct native *n)
{
    cl_int rc = sl_command_args(e, n->bytes);
    if (rc)
        return rc;
    if (n->bytes)
        memcpy(e->args, n->args, n->bytes);
    e->args_used = n->bytes;
    for (cl_uint i = 0; i < n->mem_count; i++) {
        rc = sl_command_keep(e, n->mems[i]);
        if (rc)
            return rc;
        void *address = n->mems[i] ? n->mems[i]->host : NULL;
        size_t offset = (size_t)((const char *)n->places[i] - (const char *)n->args);
        memcpy((char *)e->args + offset, &address, sizeof address);
    }
    return CL_SUCCESS;
}

cl_int sl_clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                void *args, size_t bytes, cl_uint mem_count, const cl_mem *mems,
                                const void **places, cl_uint wait_count, const cl_event *wait_list,
                                cl_event *event)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    struct native n = {args, bytes, mem_count, mems, places};
    cl_int rc = check_arguments(function, &n);
    if (rc)
        return rc;
    if (!sl_device_feature(queue->device, SL_FEATURE_NATIVE_KERNELS))
        return sl_refuse(CL_INVALID_OPERATION, "the device runs no native kernels");
    if ((rc = check_mems(queue, &n)) ||
        (rc = sl_check_wait_list(queue->context, wait_count, wait_list)))
        return rc;
    cl_event e;
    rc = sl_command_create(queue, CL_COMMAND_NATIVE_KERNEL, SL_HOW_DEVICE, &e);
    if (rc)
        return rc;
    rc = capture(e, &n);
    if (rc) {
        sl_command_abandon(e);
        return rc;
    }
    e->work.kind = SL_WORK_NATIVE;
    e->work.u.native = (struct sl_native){function, bytes ? e->args : NULL};
    return sl_command_submit(e, wait_count, wait_list, false, event);
}
