/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs from intermediate language, which is SPIR-V, and values for their specialization
 * constants. Spec 5.8.1, 5.8.4. What a module contains is the compiler's business: here its header
 * is looked at, and which specialization constants it has.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/device_programs.h"
#include "program/object/program.h"
#include "sluice/base/spirv.h"

static bool takes_il(cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (sl_device_features(devices[i]) & SL_FEATURE_IL)
            return true;
    return false;
}

static bool compiles(cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (sl_device_compiles(devices[i]->root->impl))
            return true;
    return false;
}

/* ---- clCreateProgramWithIL ------------------------------------------------------------------- */

static cl_int check_il(cl_context context, const void *il, size_t length)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    if (!takes_il(context->device_count, context->devices))
        return sl_refuse(CL_INVALID_OPERATION, "no device of the context takes SPIR-V");
    if (!il || !length)
        return sl_refuse(CL_INVALID_VALUE, il ? "length is 0" : "il is NULL");
    const char *why = sl_spirv_check_header(il, length);
    return why ? sl_refuse(CL_INVALID_VALUE, "no SPIR-V: %s", why) : CL_SUCCESS;
}

static cl_int create_with_il(cl_context context, const void *il, size_t length, cl_program *out)
{
    cl_int rc = check_il(context, il, length);
    if (rc)
        return rc;
    cl_program program =
        sl_program_new(context, context->device_count, context->devices, SL_FROM_IL);
    if (!program)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "program");
    program->il = sl_memdup(il, length);
    program->il_bytes = length;
    if (!program->il) {
        sl_discard(program);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "module of %zu bytes", length);
    }
    *out = program;
    return CL_SUCCESS;
}

cl_program sl_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                    cl_int *errcode_ret)
{
    cl_program program = NULL;
    cl_int rc = create_with_il(context, il, length, &program);
    if (errcode_ret)
        *errcode_ret = rc;
    return program;
}

cl_program sl_clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                       cl_int *errcode_ret)
{
    return sl_clCreateProgramWithIL(context, il, length, errcode_ret);
}

/* ---- specialization constants ---------------------------------------------------------------- */

static cl_int check_constant(cl_program program, cl_uint id, size_t size, const void *value)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    if (!takes_il(program->device_count, program->devices))
        return sl_refuse(CL_INVALID_OPERATION, "no device of the program takes SPIR-V");
    if (program->origin != SL_FROM_IL)
        return sl_refuse(CL_INVALID_PROGRAM, "the program is not made from SPIR-V");
    if (!compiles(program->device_count, program->devices))
        return sl_refuse(CL_COMPILER_NOT_AVAILABLE, "there is no compiler");
    size_t bytes = sl_spirv_constant_bytes(program->il, program->il_bytes, id);
    if (!bytes)
        return sl_refuse(CL_INVALID_SPEC_ID, "the module has no specialization constant %u", id);
    if (!value || size != bytes)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p: constant %u has %zu", size, value, id,
                         bytes);
    return CL_SUCCESS;
}

/* The row of the id, a new one if it has none; NULL when memory is out. */
static struct sl_spec_constant *place_locked(struct sl_spec_constants *constants, cl_uint id)
{
    size_t at = 0;
    while (at < constants->count && constants->rows[at].id < id)
        at++;
    if (at < constants->count && constants->rows[at].id == id)
        return &constants->rows[at];
    struct sl_spec_constant *rows =
        sl_realloc(constants->rows, (constants->count + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    memmove(&rows[at + 1], &rows[at], (constants->count - at) * sizeof *rows);
    constants->rows = rows;
    constants->count++;
    return &rows[at];
}

cl_int sl_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                             const void *spec_value)
{
    cl_int rc = check_constant(program, spec_id, spec_size, spec_value);
    if (rc)
        return rc;
    struct sl_spec_constant row = {.id = spec_id, .bytes = (uint32_t)spec_size};
    memcpy(&row.value, spec_value, spec_size);
    pthread_mutex_lock(&program->lock);
    struct sl_spec_constant *place = place_locked(&program->constants, spec_id);
    if (place)
        *place = row;
    pthread_mutex_unlock(&program->lock);
    return place ? CL_SUCCESS : sl_refuse(CL_OUT_OF_HOST_MEMORY, "specialization constant");
}
