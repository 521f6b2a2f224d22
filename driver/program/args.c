/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clSetKernelArg. The kernel's lock guards args[] and block; setting allocates nothing. The block
 * holds values at their offsets; what depends on the launch is put into the command's copy
 * (commands/enqueue/args_snapshot.c).
 */
#include "program/args.h"

#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "memory/buffer.h"
#include "memory/device_queue.h"
#include "memory/sampler.h"
#include "memory/svm.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/pipe_binding.h"

static void store(cl_kernel kernel, cl_uint index, const struct sl_arg *arg, const void *value,
                  size_t bytes)
{
    pthread_mutex_lock(&kernel->lock);
    kernel->args[index] = *arg;
    if (bytes)
        memcpy(kernel->block + kernel->info->args[index].offset, value, bytes);
    pthread_mutex_unlock(&kernel->lock);
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const struct sl_arg_info *info = &kernel->info->args[index];
    if (size != info->size)
        return sl_refuse(CL_INVALID_ARG_SIZE, "argument %u has %u bytes, not %zu", index,
                         info->size, size);
    if (!value)
        return sl_refuse(CL_INVALID_ARG_VALUE, "argument %u is NULL", index);
    store(kernel, index, &(struct sl_arg){.set = true}, value, size);
    return CL_SUCCESS;
}

/* From OpenCL 3.1 on; devices of others may be older. */
static bool may_be_empty(cl_kernel kernel)
{
    const struct _cl_context *context = kernel->program->context;
    for (cl_uint i = 0; i < context->device_count; i++)
        if (sl_device_minor_version(context->devices[i]) > 0)
            return true;
    return false;
}

static cl_int set_local(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (!size && !may_be_empty(kernel))
        return sl_refuse(CL_INVALID_ARG_SIZE, "local argument %u of 0 bytes", index);
    if (value)
        return sl_refuse(CL_INVALID_ARG_VALUE, "local argument %u with a value", index);
    store(kernel, index, &(struct sl_arg){.set = true, .local_bytes = size}, NULL, 0);
    return CL_SUCCESS;
}

/* The handle at `value`; the size has been found to be that of a handle. */
static cl_mem handle_at(const void *value)
{
    cl_mem mem = NULL;
    if (value)
        memcpy(&mem, value, sizeof mem);
    return mem;
}

/* As far as the source says so: SPIR-V has no such word. */
static bool may_write(cl_kernel kernel, cl_uint index)
{
    const struct sl_arg_info *info = &kernel->info->args[index];
    return info->kind == SL_ARG_GLOBAL && !(info->qualifiers & SL_QUAL_CONST) &&
           !kernel->program->il;
}

static cl_int set_buffer(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return sl_refuse(CL_INVALID_ARG_SIZE, "buffer argument %u takes a cl_mem, not %zu bytes",
                         index, size);
    cl_mem mem = handle_at(value);
    if (mem) {
        if (!sl_valid(mem, &sl_mem_type) || mem->type != CL_MEM_OBJECT_BUFFER)
            return sl_refuse(CL_INVALID_MEM_OBJECT, "argument %u is not a buffer", index);
        if (mem->context != kernel->program->context)
            return sl_refuse(CL_INVALID_CONTEXT, "buffer %u is of another context", index);
        if (mem->flags & CL_MEM_IMMUTABLE_EXT && may_write(kernel, index))
            return sl_refuse(CL_INVALID_ARG_VALUE, "argument %u points to no const", index);
    }
    const struct sl_arg arg = {
        .set = true, .mem = mem, .generation = mem ? mem->obj.generation : 0};
    store(kernel, index, &arg, NULL, 0);
    return CL_SUCCESS;
}

/* The image types a declared type accepts; several names start alike, so the longest come first. */
static cl_mem_object_type declared_image(const char *type_name)
{
    static const struct {
        const char *start;
        cl_mem_object_type type;
    } rows[] = {
        {"image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER},
        {"image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
        {"image1d", CL_MEM_OBJECT_IMAGE1D},
        {"image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
        {"image2d", CL_MEM_OBJECT_IMAGE2D},
        {"image3d", CL_MEM_OBJECT_IMAGE3D},
    };
    for (size_t i = 0; i < SL_LEN(rows); i++)
        if (!strncmp(type_name, rows[i].start, strlen(rows[i].start)))
            return rows[i].type;
    return 0; /* a binary without argument information: any image */
}

/* A depth image goes to an image2d(_array)_depth_t and to nothing else. */
static bool is_of_kind(cl_mem mem, const char *type_name)
{
    const cl_mem_object_type wanted = declared_image(type_name);
    if (mem->type == CL_MEM_OBJECT_BUFFER || mem->type == CL_MEM_OBJECT_PIPE)
        return false;
    const bool depth = mem->format.image_channel_order == CL_DEPTH;
    return !wanted || (mem->type == wanted && depth == (strstr(type_name, "depth") != NULL));
}

static bool access_allowed(const struct sl_arg_info *info, cl_mem_flags flags)
{
    if (info->access == SL_ACCESS_READ_ONLY)
        return !(flags & CL_MEM_WRITE_ONLY);
    if (info->access == SL_ACCESS_WRITE_ONLY)
        return !(flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT));
    return !(flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_IMMUTABLE_EXT)) ||
           info->access == SL_ACCESS_NONE;
}

static cl_int set_image(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const struct sl_arg_info *info = &kernel->info->args[index];
    if (size != sizeof(cl_mem))
        return sl_refuse(CL_INVALID_ARG_SIZE, "image argument %u takes a cl_mem, not %zu bytes",
                         index, size);
    cl_mem mem = handle_at(value);
    if (!sl_valid(mem, &sl_mem_type))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "argument %u is not an image", index);
    if (!is_of_kind(mem, info->type_name))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "argument %u needs an %s", index, info->type_name);
    if (mem->context != kernel->program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "image %u is of another context", index);
    if (!access_allowed(info, mem->flags))
        return sl_refuse(CL_INVALID_ARG_VALUE, "image %u does not allow the access", index);
    const struct sl_arg arg = {
        .set = true, .mem = mem, .generation = mem ? mem->obj.generation : 0};
    store(kernel, index, &arg, NULL, 0);
    return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_sampler sampler = NULL;
    if (size != sizeof sampler)
        return sl_refuse(CL_INVALID_ARG_SIZE,
                         "sampler argument %u takes a cl_sampler, not %zu bytes", index, size);
    if (value)
        memcpy(&sampler, value, sizeof sampler);
    if (!sl_valid(sampler, &sl_sampler_type))
        return sl_refuse(CL_INVALID_SAMPLER, "argument %u is not a sampler", index);
    if (sampler->context != kernel->program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "sampler %u is of another context", index);
    uint64_t bits = sampler->bits;
    store(kernel, index, &(struct sl_arg){.set = true, .sampler = sampler}, &bits, sizeof bits);
    return CL_SUCCESS;
}

static cl_int set_pipe(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return sl_refuse(CL_INVALID_ARG_SIZE, "pipe argument %u of %zu bytes", index, size);
    cl_mem mem = handle_at(value);
    if (!mem)
        return sl_refuse(CL_INVALID_ARG_VALUE, "pipe argument %u is NULL", index);
    if (!sl_valid(mem, &sl_mem_type))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "argument %u is not a memory object", index);
    if (mem->type != CL_MEM_OBJECT_PIPE)
        return sl_refuse(CL_INVALID_ARG_VALUE, "argument %u is not a pipe", index);
    if (mem->context != kernel->program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "pipe %u is of another context", index);
    cl_int rc = sl_pipe_bind(mem, kernel, index);
    if (rc)
        return rc;
    const struct sl_arg arg = {.set = true, .mem = mem, .generation = mem->obj.generation};
    store(kernel, index, &arg, NULL, 0);
    return CL_SUCCESS;
}

static cl_int set_queue(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    struct sl_queue_on_device *queue = NULL;
    if (size != sizeof(cl_command_queue))
        return sl_refuse(CL_INVALID_ARG_SIZE, "queue argument %u of %zu bytes", index, size);
    if (value)
        memcpy(&queue, value, sizeof queue);
    if (!sl_valid(queue, &sl_queue_on_device_type))
        return sl_refuse(CL_INVALID_DEVICE_QUEUE, "argument %u is no queue on the device", index);
    if (queue->context != kernel->program->context)
        return sl_refuse(CL_INVALID_CONTEXT, "queue %u is of another context", index);
    const struct sl_arg arg = {.set = true, .queue = queue, .generation = queue->obj.generation};
    store(kernel, index, &arg, NULL, 0);
    return CL_SUCCESS;
}

cl_int sl_clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                         const void *arg_value)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (arg_index >= kernel->info->arg_count)
        return sl_refuse(CL_INVALID_ARG_INDEX, "argument %u of %u", arg_index,
                         kernel->info->arg_count);
    switch ((enum sl_arg_kind)kernel->info->args[arg_index].kind) {
    case SL_ARG_VALUE:
        return set_value(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_GLOBAL:
    case SL_ARG_CONSTANT:
        return set_buffer(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_LOCAL:
        return set_local(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_IMAGE:
        return set_image(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_SAMPLER:
        return set_sampler(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_PIPE:
        return set_pipe(kernel, arg_index, arg_size, arg_value);
    case SL_ARG_QUEUE:
        return set_queue(kernel, arg_index, arg_size, arg_value);
    }
    return sl_refuse(CL_INVALID_ARG_VALUE, "argument %u is of a kind we do not have", arg_index);
}

static bool takes_address(const struct sl_arg_info *info)
{
    return info->kind == SL_ARG_GLOBAL || info->kind == SL_ARG_CONSTANT;
}

static cl_int set_address(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (!sl_svm_context_capabilities(kernel->program->context))
        return sl_refuse(CL_INVALID_OPERATION, "no device has shared memory");
    if (arg_index >= kernel->info->arg_count)
        return sl_refuse(CL_INVALID_ARG_INDEX, "argument %u of %u", arg_index,
                         kernel->info->arg_count);
    if (!takes_address(&kernel->info->args[arg_index]))
        return sl_refuse(CL_INVALID_ARG_VALUE, "argument %u is no pointer to global memory",
                         arg_index);
    /* Any address may be one: a device with shared virtual memory sees the whole process. */
    store(kernel, arg_index, &(struct sl_arg){.set = true, .svm = arg_value}, NULL, 0);
    return CL_SUCCESS;
}

/* cl_ext_buffer_device_address: those of our devices are addresses of the process. */
cl_int CL_API_CALL sl_clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                     cl_ulong arg_value)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (arg_index < kernel->info->arg_count &&
        kernel->info->args[arg_index].kind != SL_ARG_GLOBAL &&
        sl_svm_context_capabilities(kernel->program->context))
        return sl_refuse(CL_INVALID_ARG_INDEX, "argument %u is no pointer to global memory",
                         arg_index);
    return set_address(kernel, arg_index, (const void *)(uintptr_t)arg_value);
}

cl_int sl_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    return set_address(kernel, arg_index, arg_value);
}

cl_int CL_API_CALL sl_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                    const void *arg_value)
{
    return set_address(kernel, arg_index, arg_value);
}

bool sl_args_complete(cl_kernel kernel)
{
    bool complete = true;
    pthread_mutex_lock(&kernel->lock);
    for (uint32_t i = 0; i < kernel->info->arg_count && complete; i++)
        complete = kernel->args[i].set;
    pthread_mutex_unlock(&kernel->lock);
    return complete;
}

cl_int sl_args_check(cl_kernel kernel)
{
    return sl_args_complete(kernel) ? CL_SUCCESS
                                    : sl_refuse(CL_INVALID_KERNEL_ARGS, "an argument is not set");
}
