/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_global_variable_access: the host reads and writes variables that a program has in global
 * memory, by name. They lie in the code loaded for a device, so each device has its own. A name is
 * the one in the source, of C++ the mangled one; `static` variables have none, since a program of
 * several parts may have several of one name. Beside that, pointers to functions of SPIR-V, which
 * are numbers. No lock of its own.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/rect.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/queue.h"
#include "platform/device.h"
#include "platform/platform.h"
#include "program/object/program.h"

/* `kind`: 0 or SL_GLOBAL_FUNCTION. */
static const struct sl_global_info *find_name(const struct sl_module_info *info, const char *name,
                                              uint64_t kind)
{
    for (uint32_t i = 0; i < info->global_count; i++)
        if ((info->globals[i].flags & (SL_GLOBAL_STATIC | SL_GLOBAL_FUNCTION)) == kind &&
            !strcmp(info->globals[i].name, name))
            return &info->globals[i];
    return NULL;
}

static const struct sl_global_info *find_variable(const struct sl_module_info *info,
                                                  const char *name)
{
    return find_name(info, name, 0);
}

/* ---- copies ---------------------------------------------------------------------------------- */

struct request {
    cl_command_queue queue;
    cl_program program;
    const char *name;
    size_t size, offset;
    void *ptr;
    bool write;
    struct sl_tail tail;
    struct sl_code_ref *code; /* counted */
};

static cl_int check_objects(struct request *r)
{
    if (!sl_valid(r->queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (!sl_valid(r->program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a valid program");
    return sl_program_code_for(r->program, r->queue->context, r->queue->device, &r->code);
}

static cl_int check_region(const struct request *r, const struct sl_global_info *variable)
{
    if (!sl_range_inside(r->offset, r->size, variable->size))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes from %zu on: variable %s has %llu", r->size,
                         r->offset, r->name, (unsigned long long)variable->size);
    if (variable->flags & (r->write ? SL_GLOBAL_NOT_WRITTEN : SL_GLOBAL_NOT_READ))
        return sl_refuse(CL_INVALID_OPERATION, "the host may not %s variable %s (HostAccessINTEL)",
                         r->write ? "write" : "read", r->name);
    if (r->write && variable->flags & SL_GLOBAL_CONSTANT)
        return sl_refuse(CL_INVALID_OPERATION, "variable %s is const", r->name);
    return CL_SUCCESS;
}

static cl_int copy(const struct request *r)
{
    if (!r->name || !r->ptr)
        return sl_refuse(CL_INVALID_VALUE, r->name ? "ptr is NULL" : "no name");
    const struct sl_global_info *variable = find_variable(r->code->info, r->name);
    if (!variable)
        return sl_refuse(CL_INVALID_ARG_VALUE, "the program has no variable %s", r->name);
    cl_int rc = check_region(r, variable);
    if (rc)
        return rc;
    char *at = (char *)variable->address + r->offset;
    return sl_enqueue_copy_of_code(
        r->queue,
        r->write ? CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL : CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL,
        r->write ? at : r->ptr, r->write ? r->ptr : at, r->size, r->code, &r->tail);
}

static cl_int transfer(struct request *r)
{
    cl_int rc = check_objects(r);
    if (!rc)
        rc = copy(r);
    sl_code_drop(r->code);
    return rc;
}

cl_int sl_clEnqueueReadGlobalVariableINTEL(cl_command_queue queue, cl_program program,
                                           const char *name, cl_bool blocking_read, size_t size,
                                           size_t offset, void *ptr, cl_uint wait_count,
                                           const cl_event *wait_list, cl_event *event)
{
    struct request r = {.queue = queue,
                        .program = program,
                        .name = name,
                        .size = size,
                        .offset = offset,
                        .ptr = ptr,
                        .tail = {blocking_read, wait_count, wait_list, event, NULL}};
    return transfer(&r);
}

cl_int sl_clEnqueueWriteGlobalVariableINTEL(cl_command_queue queue, cl_program program,
                                            const char *name, cl_bool blocking_write, size_t size,
                                            size_t offset, const void *ptr, cl_uint wait_count,
                                            const cl_event *wait_list, cl_event *event)
{
    struct request r = {.queue = queue,
                        .program = program,
                        .name = name,
                        .size = size,
                        .offset = offset,
                        .ptr = (void *)(uintptr_t)ptr,
                        .write = true,
                        .tail = {blocking_write, wait_count, wait_list, event, NULL}};
    return transfer(&r);
}

/* ---- the address ----------------------------------------------------------------------------- */

/* Kernels of the device may be given the address as any other. It ends with the executable. */
cl_int sl_clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program,
                                                const char *name, size_t *size_ret,
                                                void **pointer_ret)
{
    struct sl_code_ref *code;
    cl_int rc = sl_program_code_on(program, device, &code);
    if (rc)
        return rc;
    const struct sl_global_info *variable =
        name && pointer_ret ? find_variable(code->info, name) : NULL;
    if (variable) {
        *pointer_ret = variable->address;
        if (size_ret)
            *size_ret = (size_t)variable->size;
    } else {
        rc = sl_refuse(CL_INVALID_ARG_VALUE, "no name, no place for the address, or no variable %s",
                       name ? name : "(NULL)");
    }
    sl_code_drop(code);
    return rc;
}

/* Good as long as the executable; in kernels of this program only. */
cl_int sl_clGetDeviceFunctionPointerINTEL(cl_device_id device, cl_program program,
                                          const char *function_name, cl_ulong *function_pointer_ret)
{
    struct sl_code_ref *code;
    cl_int rc = sl_program_code_on(program, device, &code);
    if (rc)
        return rc;
    const struct sl_global_info *function =
        function_name && function_pointer_ret
            ? find_name(code->info, function_name, SL_GLOBAL_FUNCTION)
            : NULL;
    if (function)
        memcpy(function_pointer_ret, function->address, sizeof *function_pointer_ret);
    else
        rc = sl_refuse(CL_INVALID_ARG_VALUE,
                       "no name, no place for the pointer, or no function %s to be pointed at",
                       function_name ? function_name : "(NULL)");
    sl_code_drop(code);
    return rc;
}
