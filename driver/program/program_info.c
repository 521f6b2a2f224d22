/* SPDX-License-Identifier: Apache-2.0 */
/* clGetProgramInfo, clGetProgramBuildInfo. Answers about builds are made under the program's lock.
 */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "platform/context.h"
#include "program/kernel.h"
#include "program/object/program.h"

/* ---- clGetProgramInfo ------------------------------------------------------------------------ */

static void refs(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sl_api_refs(object));
}

static void devices(const void *object, struct sl_answer *answer)
{
    const struct _cl_program *program = object;
    sl_answer_bytes(answer, program->devices, program->device_count * sizeof(cl_device_id));
}

static void binary_sizes(const void *object, struct sl_answer *answer)
{
    cl_program program = (cl_program)(uintptr_t)object;
    answer->need = program->device_count * sizeof(size_t);
    if (answer->out && answer->cap < answer->need)
        answer->rc = CL_INVALID_VALUE;
    if (!answer->out || answer->rc)
        return;
    answer->rc = sl_program_complete(program);
    if (answer->rc)
        return;
    size_t *sizes = sl_zalloc((program->device_count + 1) * sizeof *sizes);
    if (!sizes) {
        answer->rc = CL_OUT_OF_HOST_MEMORY;
        return;
    }
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->device_count; i++)
        sizes[i] = program->builds[i].binary_bytes;
    pthread_mutex_unlock(&program->lock);
    sl_answer_bytes(answer, sizes, program->device_count * sizeof *sizes);
    sl_free(sizes);
}

/* The caller's buffer holds one pointer per device, to room of the size that BINARY_SIZES told;
 * NULL skips a device. */
static void binaries(const void *object, struct sl_answer *answer)
{
    cl_program program = (cl_program)(uintptr_t)object;
    unsigned char **room = answer->out;
    answer->need = program->device_count * sizeof *room;
    if (room && answer->cap < answer->need)
        answer->rc = CL_INVALID_VALUE;
    if (!room || answer->rc)
        return;
    answer->rc = sl_program_complete(program);
    if (answer->rc)
        return;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->device_count; i++)
        if (room[i] && program->builds[i].binary)
            memcpy(room[i], program->builds[i].binary, program->builds[i].binary_bytes);
    pthread_mutex_unlock(&program->lock);
}

static void kernel_count(const void *object, struct sl_answer *answer)
{
    struct sl_code_ref *code = sl_program_any_code((cl_program)(uintptr_t)object);
    if (code)
        SL_ANSWER(answer, size_t, sl_kernel_count(code->info));
    else
        answer->rc = sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable");
    sl_code_drop(code);
}

/* The i-th name of a list, or NULL for what the application does not see. */
typedef const char *(*name_fn)(const struct sl_module_info *, uint32_t i);

static const char *kernel_name(const struct sl_module_info *info, uint32_t i)
{
    return sl_kernel_is_visible(&info->kernels[i]) ? info->kernels[i].name : NULL;
}

static const char *host_pipe_name(const struct sl_module_info *info, uint32_t i)
{
    return info->pipes[i].flags & SL_PIPE_HOST ? info->pipes[i].name : NULL;
}

static char *join_names(const struct sl_module_info *info, uint32_t count, name_fn name)
{
    size_t bytes = 1;
    for (uint32_t i = 0; i < count; i++)
        bytes += name(info, i) ? strlen(name(info, i)) + 1 : 0;
    char *names = sl_alloc(bytes), *at = names;
    if (!names)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!name(info, i))
            continue;
        if (at != names)
            *at++ = ';';
        at = stpcpy(at, name(info, i));
    }
    *at = 0;
    return names;
}

static void list_names(const void *object, bool of_pipes, struct sl_answer *answer)
{
    struct sl_code_ref *code = sl_program_any_code((cl_program)(uintptr_t)object);
    if (!code) {
        answer->rc = sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable");
        return;
    }
    char *names = of_pipes ? join_names(code->info, code->info->pipe_count, host_pipe_name)
                           : join_names(code->info, code->info->kernel_count, kernel_name);
    if (names)
        sl_answer_string(answer, names);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(names);
    sl_code_drop(code);
}

static void kernel_names(const void *object, struct sl_answer *answer)
{
    list_names(object, false, answer);
}

static void host_pipe_names(const void *object, struct sl_answer *answer)
{
    list_names(object, true, answer);
}

static void host_pipe_count(const void *object, struct sl_answer *answer)
{
    struct sl_code_ref *code = sl_program_any_code((cl_program)(uintptr_t)object);
    size_t count = 0;
    for (uint32_t i = 0; code && i < code->info->pipe_count; i++)
        count += host_pipe_name(code->info, i) != NULL;
    if (code)
        SL_ANSWER(answer, size_t, count);
    else
        answer->rc = sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable");
    sl_code_drop(code);
}

/* Of the first device that has something to tell. */
static struct sl_code_ref *reporting_code(cl_program program)
{
    for (cl_uint i = 0; i < program->device_count; i++) {
        struct sl_code_ref *code = sl_program_code(program, program->devices[i]);
        if (code && code->device->ops->code_report)
            return code;
        sl_code_drop(code);
    }
    return NULL;
}

static void pipe_profile(const void *object, struct sl_answer *answer)
{
    struct sl_code_ref *code = reporting_code((cl_program)(uintptr_t)object);
    char *text = NULL;
    if (code)
        answer->rc = code->device->ops->code_report(code->code, SL_REPORT_PIPE_PROFILE, &text);
    else
        answer->rc = sl_refuse(CL_INVALID_OPERATION, "no device has code of it that it profiles");
    if (!answer->rc)
        sl_answer_string(answer, text);
    /* The text of a running program grows: who asks for the size gets room for that. */
    if (!answer->rc && !answer->out)
        answer->need += answer->need / 4 + 4096;
    free(text);
    sl_code_drop(code);
}

static void intermediate(const void *object, struct sl_answer *answer)
{
    const struct _cl_program *program = object;
    sl_answer_bytes(answer, program->il, program->il_bytes);
}

static void has_kernels(const void *object, uint32_t flags, struct sl_answer *answer)
{
    struct sl_code_ref *code = sl_program_any_code((cl_program)(uintptr_t)object);
    cl_bool any = CL_FALSE;
    for (uint32_t i = 0; code && i < code->info->kernel_count; i++)
        any |= (code->info->kernels[i].flags & flags) != 0;
    if (code)
        SL_ANSWER(answer, cl_bool, any);
    else
        answer->rc = sl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, "no executable");
    sl_code_drop(code);
}

static void constructors(const void *object, struct sl_answer *answer)
{
    has_kernels(object, SL_KERNEL_INITIALIZES, answer);
}

/* None run: nobody could see what they do. */
static void destructors(const void *object, struct sl_answer *answer)
{
    has_kernels(object, 0, answer);
}

static const struct sl_info_row program_rows[] = {
    SL_CALL(CL_PROGRAM_REFERENCE_COUNT, refs),
    SL_VALUE(CL_PROGRAM_CONTEXT, struct _cl_program, context),
    SL_VALUE(CL_PROGRAM_NUM_DEVICES, struct _cl_program, device_count),
    SL_CALL(CL_PROGRAM_DEVICES, devices),
    SL_STRING(CL_PROGRAM_SOURCE, struct _cl_program, source),
    SL_CALL(CL_PROGRAM_BINARY_SIZES, binary_sizes),
    SL_CALL(CL_PROGRAM_BINARIES, binaries),
    SL_CALL(CL_PROGRAM_NUM_KERNELS, kernel_count),
    SL_CALL(CL_PROGRAM_KERNEL_NAMES, kernel_names),
    SL_CALL(CL_PROGRAM_NUM_HOST_PIPES_INTEL, host_pipe_count),
    SL_CALL(CL_PROGRAM_HOST_PIPE_NAMES_INTEL, host_pipe_names),
    SL_CALL(CL_PROGRAM_PIPE_PROFILE_SLUICE, pipe_profile),
    SL_CALL(CL_PROGRAM_IL, intermediate),
    SL_CALL(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, constructors),
    SL_CALL(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, destructors),
};

cl_int sl_clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    return sl_info(program_rows, SL_LEN(program_rows), program, param_name, param_value_size,
                   param_value, param_value_size_ret);
}

/* ---- clGetProgramBuildInfo ------------------------------------------------------------------- */

static void global_bytes(const void *object, struct sl_answer *answer)
{
    const struct sl_build *build = object;
    SL_ANSWER(answer, size_t, build->code ? (size_t)build->code->info->globals_bytes : 0);
}

static const struct sl_info_row build_rows[] = {
    SL_VALUE(CL_PROGRAM_BUILD_STATUS, struct sl_build, status),
    SL_STRING(CL_PROGRAM_BUILD_OPTIONS, struct sl_build, options),
    SL_STRING(CL_PROGRAM_BUILD_LOG, struct sl_build, log),
    SL_VALUE(CL_PROGRAM_BINARY_TYPE, struct sl_build, binary_type),
    SL_CALL(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, global_bytes),
};

cl_int sl_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                cl_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret)
{
    if (!sl_valid(program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a program");
    int index = sl_program_index(program, device);
    if (index < 0)
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the program");
    pthread_mutex_lock(&program->lock);
    cl_int rc = sl_info(build_rows, SL_LEN(build_rows), &program->builds[index], param_name,
                        param_value_size, param_value, param_value_size_ret);
    pthread_mutex_unlock(&program->lock);
    return rc;
}
