/* SPDX-License-Identifier: Apache-2.0 */
#include "spirv_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "runner.h"
#include "spirv_text.h"

void spirv_need(void)
{
    char version[256] = "";
    clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL);
    if (!strstr(version, "SPIR-V"))
        check_skip("the device takes no SPIR-V");
}

cl_program spirv_create(const char *text, uint32_t version, bool turned)
{
    struct spirv_module module = spirv_assemble(text, version);
    cl_int rc;
    for (size_t w = 0; turned && w < module.count; w++)
        module.words[w] = __builtin_bswap32(module.words[w]);
    cl_program program =
        clCreateProgramWithIL(cl.context, module.words, module.count * sizeof(uint32_t), &rc);
    REQUIRE_OK(rc);
    spirv_module_finish(&module);
    return program;
}

cl_program spirv_program(const char *text, uint32_t version, const char *options, bool turned)
{
    cl_program program = spirv_create(text, version, turned);
    cl_int rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        fprintf(stderr, "%s\n%s\n", text, log);
        free(log);
    }
    REQUIRE_OK(rc);
    return program;
}

cl_program spirv_object(const struct spirv_case *c, char kernel)
{
    char *text = spirv_case_text(c);
    for (char *at = text; (at = strstr(at, "\"k\"")); at++)
        at[1] = kernel;
    cl_program program = spirv_create(text, c->version, false);
    CHECK_OK(clCompileProgram(program, 1, &cl.device, "", 0, NULL, NULL, NULL, NULL));
    free(text);
    return program;
}

void spirv_run_kernel(cl_program program, const struct spirv_case *c)
{
    cl_uint out[SPIRV_CASE_VALUES];
    cl_uint x = 13;
    cl_kernel kernel = kernel_of(program, "k");
    memset(out, 0xee, sizeof out);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    ARG(kernel, 0, buffer);
    ARG(kernel, 1, x);
    run_1d(kernel, 1, 1);
    read_back(buffer, sizeof out, out);
    for (unsigned i = 0; i < c->count; i++)
        if (out[i] != c->want[i])
            check_fail(__FILE__, __LINE__, "%s: value %u is %#x, not %#x", c->name, i, out[i],
                       c->want[i]);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

void spirv_run_case(const struct spirv_case *c, const char *options, bool turned)
{
    char *text = spirv_case_text(c);
    cl_program program = spirv_program(text, c->version, options, turned);
    spirv_run_kernel(program, c);
    RELEASE_PROGRAM(program);
    free(text);
}
