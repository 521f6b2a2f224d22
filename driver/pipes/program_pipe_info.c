/* SPDX-License-Identifier: Apache-2.0 */
/* clGetProgramPipeInfoSLUICE: what a program says about one of its pipes. No state, no lock. */
#include <CL/cl_ext_sluice.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "program/object/program.h"

struct asked {
    struct sl_pipe_info pipe; /* first, as the rows expect it */
    const struct sl_module_info *module;
    uint32_t index;
};

static bool find(const struct sl_module_info *module, const char *symbol, struct asked *out)
{
    for (uint32_t i = 0; i < module->pipe_count; i++)
        if (!strcmp(module->pipes[i].name, symbol)) {
            *out = (struct asked){module->pipes[i], module, i};
            return true;
        }
    return false;
}

/* Kernels that have such operations on the pipe. */
static void kernel_names(const void *object, enum sl_pipe_op op, struct sl_answer *answer)
{
    const struct asked *asked = object;
    const struct sl_module_info *module = asked->module;
    size_t bytes = 1;
    for (uint32_t i = 0; i < module->kernel_count; i++)
        bytes += strlen(module->kernels[i].name) + 1;
    char *names = sl_zalloc(bytes), *end = names;
    for (uint32_t i = 0; names && i < module->kernel_count; i++) {
        const char *name = module->kernels[i].name;
        if (!sl_module_may_use(module, asked->index, i, op))
            continue;
        end = stpcpy(stpcpy(end, end > names ? ";" : ""), name);
    }
    if (names)
        sl_answer_string(answer, names);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(names);
}

static void writers(const void *object, struct sl_answer *answer)
{
    kernel_names(object, SL_PIPE_WRITE, answer);
}

static void readers(const void *object, struct sl_answer *answer)
{
    kernel_names(object, SL_PIPE_READ, answer);
}

static void io_name(const void *object, struct sl_answer *answer)
{
    const struct sl_pipe_info *info = object;
    sl_answer_string(answer, info->io ? info->io : "");
}

static void host_access(const void *object, struct sl_answer *answer)
{
    const struct sl_pipe_info *info = object;
    cl_mem_flags access = 0;
    if (!(info->flags & SL_PIPE_HOST))
        access = CL_MEM_HOST_NO_ACCESS;
    else if (info->flags & SL_PIPE_HOST_READS || info->writer >= 0)
        access = CL_MEM_HOST_READ_ONLY;
    else if (info->flags & SL_PIPE_HOST_WRITES || info->reader >= 0)
        access = CL_MEM_HOST_WRITE_ONLY;
    SL_ANSWER(answer, cl_mem_flags, access);
}

static const struct sl_info_row pipe_rows[] = {
    SL_VALUE(CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE, struct sl_pipe_info, packet_bytes),
    SL_VALUE(CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE, struct sl_pipe_info, packet_align),
    SL_VALUE(CL_PROGRAM_PIPE_DECLARED_CAPACITY_SLUICE, struct sl_pipe_info, declared_depth),
    SL_VALUE(CL_PROGRAM_PIPE_CAPACITY_SLUICE, struct sl_pipe_info, depth),
    SL_STRING(CL_PROGRAM_PIPE_TYPE_SLUICE, struct sl_pipe_info, type_name),
    SL_CALL(CL_PROGRAM_PIPE_IO_SLUICE, io_name),
    SL_CALL(CL_PROGRAM_PIPE_HOST_ACCESS_SLUICE, host_access),
    SL_CALL(CL_PROGRAM_PIPE_WRITERS_SLUICE, writers),
    SL_CALL(CL_PROGRAM_PIPE_READERS_SLUICE, readers),
};

cl_int sl_clGetProgramPipeInfoSLUICE(cl_program program, cl_device_id device,
                                     const char *pipe_symbol,
                                     cl_program_pipe_info_sluice param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret)
{
    struct sl_code_ref *code = NULL;
    cl_int rc = sl_program_code_on(program, device, &code);
    if (rc)
        return rc;
    struct asked asked;
    if (pipe_symbol && find(code->info, pipe_symbol, &asked))
        rc = sl_info(pipe_rows, SL_LEN(pipe_rows), &asked, param_name, param_value_size,
                     param_value, param_value_size_ret);
    else
        rc = sl_refuse(CL_INVALID_VALUE, "the program has no pipe %s",
                       pipe_symbol ? pipe_symbol : "without a name");
    sl_code_drop(code);
    return rc;
}
