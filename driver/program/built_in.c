/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of kernels that devices have built in. Each device makes code of those that are named;
 * from then on the program is one from binaries that is built already. No lock: nobody else knows
 * the program yet.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/built_in_kernels.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/build/device_compiler.h"
#include "program/object/program.h"
#include "sluice/base/stack.h"

/* The names stand between semicolons. */
static cl_int check_names(cl_program program, const char *names)
{
    for (const char *at = names, *end;; at = end + 1) {
        end = strchrnul(at, ';');
        for (cl_uint i = 0; i < program->device_count; i++)
            if (!sl_has_built_in_kernel(program->devices[i]->root->impl, at, (size_t)(end - at)))
                return sl_refuse(CL_INVALID_VALUE, "no built-in kernel of device %u is called %.*s",
                                 i, (int)(end - at), at);
        if (!*end)
            return CL_SUCCESS;
    }
}

struct making {
    struct sl_device *device;
    const char *names;
    struct sl_build *build;
    cl_int rc;
};

static void make(void *data)
{
    struct making *m = data;
    const struct sl_program_part part = {SL_PROGRAM_BUILT_IN, m->names, strlen(m->names), NULL};
    struct sl_program_request request = {
        .kind = SL_PROGRAM_BUILD, .parts = &part, .part_count = 1, .options = ""};
    m->rc = sl_device_build(m->device, sl_device_programs(m->device), &request, &m->build->binary,
                            &m->build->binary_bytes, &m->build->log);
}

static cl_int build_on(struct sl_device *device, struct sl_build *build, const char *names)
{
    struct making making = {device, names, build, CL_SUCCESS};
    const char *why = NULL;
    cl_int rc = sl_on_stack(make, &making) ? CL_OUT_OF_HOST_MEMORY : making.rc;
    if (!rc)
        rc = sl_code_load(device, build->binary, build->binary_bytes, &build->code, &why);
    if (rc)
        return sl_refuse(CL_OUT_OF_RESOURCES,
                         "the device makes no program of its built-in kernels "
                         "(%d): %s",
                         rc,
                         why          ? why
                         : build->log ? build->log
                                      : "it does not say why");
    build->binary_type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    build->status = CL_BUILD_SUCCESS;
    return CL_SUCCESS;
}

static cl_int create(cl_context context, cl_uint count, const cl_device_id *devices,
                     const char *names, cl_program *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    cl_int rc = sl_program_check_devices(context, count, devices);
    if (rc)
        return rc;
    if (!names)
        return sl_refuse(CL_INVALID_VALUE, "no names of built-in kernels");
    cl_program program = sl_program_new(context, count, devices, SL_FROM_BINARY);
    if (!program)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "program");
    rc = check_names(program, names);
    for (cl_uint i = 0; !rc && i < program->device_count; i++)
        rc = build_on(program->devices[i]->root->impl, &program->builds[i], names);
    if (rc)
        sl_discard(program);
    else
        *out = program;
    return rc;
}

cl_program sl_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                const cl_device_id *device_list,
                                                const char *kernel_names, cl_int *errcode_ret)
{
    cl_program program = NULL;
    cl_int rc = create(context, num_devices, device_list, kernel_names, &program);
    if (errcode_ret)
        *errcode_ret = rc;
    return program;
}
