/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in SPIR-V that no compiler of OpenCL C writes, each with what it must write: out[i] for
 * an argument of 13. Numbers are computed here, in C.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "runner.h"
#include "spirv_cases.h"
#include "spirv_text.h"

static void need_spirv(void)
{
    char version[256] = "";
    clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL);
    if (!strstr(version, "SPIR-V"))
        check_skip("the device takes no SPIR-V");
}

static cl_program program_of(const char *text, uint32_t version, bool turned)
{
    struct spirv_module module = spirv_assemble(text, version);
    cl_int rc;
    for (size_t w = 0; turned && w < module.count; w++)
        module.words[w] = __builtin_bswap32(module.words[w]);
    cl_program program =
        clCreateProgramWithIL(cl.context, module.words, module.count * sizeof(uint32_t), &rc);
    REQUIRE_OK(rc);
    spirv_module_finish(&module);
    rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        fprintf(stderr, "%s\n%s\n", text, log);
        free(log);
    }
    REQUIRE_OK(rc);
    return program;
}

static void run_case(const struct spirv_case *c, bool turned)
{
    cl_uint out[SPIRV_CASE_VALUES];
    cl_uint x = 13;
    char *text = spirv_case_text(c);
    cl_program program = program_of(text, c->version, turned);
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
    RELEASE_PROGRAM(program);
    free(text);
}

static void values(void)
{
    need_spirv();
    for (unsigned k = 0; k < spirv_case_count; k++)
        run_case(&spirv_cases[k], false);
}

static void builtins(void)
{
    need_spirv();
    for (unsigned k = 0; k < spirv_builtin_case_count; k++)
        run_case(&spirv_builtin_cases[k], false);
}

/* Or a build that fails, and says by which capability. */
static void pipe_at_program_scope(void)
{
    need_spirv();
    if (has_extension("cl_intel_channels")) {
        run_case(&spirv_pipe_case, false);
        /* SYCL declares all pipes as the host's, also those that only kernels use. */
        struct spirv_case declared = spirv_pipe_case;
        declared.before = "OpDecorate %storage 41 \"stream\" 0\n"
                          "OpDecorate %storage 6147 2 \"stream\"\n";
        run_case(&declared, false);
        return;
    }
    char *text = spirv_case_text(&spirv_pipe_case);
    struct spirv_module module = spirv_assemble(text, spirv_pipe_case.version);
    cl_int rc;
    cl_program program =
        clCreateProgramWithIL(cl.context, module.words, module.count * sizeof(uint32_t), &rc);
    REQUIRE_OK(rc);
    rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    CHECK_EQ(rc, CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    CHECK(strstr(log, "PipeStorage"));
    free(log);
    RELEASE_PROGRAM(program);
    spirv_module_finish(&module);
    free(text);
}

static void either_byte_order(void)
{
    need_spirv();
    for (unsigned k = 0; k < spirv_case_count; k += 3)
        run_case(&spirv_cases[k], true);
}

static void check_argument(const struct spirv_case *c, cl_uint index, const char *want_type,
                           const char *want_name, cl_uint want_address)
{
    char *text = spirv_case_text(c), type[64] = "?", name[64] = "?";
    cl_uint address = 0;
    cl_program program = program_of(text, c->version, false);
    cl_kernel kernel = kernel_of(program, "k");
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address,
                                &address, NULL));
    if (strcmp(type, want_type) || strcmp(name, want_name))
        check_fail(__FILE__, __LINE__, "argument %u: \"%s\" of type \"%s\", not \"%s\" of \"%s\"",
                   index, name, type, want_name, want_type);
    CHECK_EQ(address, want_address);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

/* What a module says of arguments, and what SPIR-V's types do where it says nothing. */
static void arguments(void)
{
    need_spirv();
    struct spirv_case told = spirv_cases[0];
    told.before = "%types = OpString \"kernel_arg_type.k.foo_t*,size,\"\nOpName %out \"result\"\n";
    check_argument(&spirv_cases[0], 0, "int*", "", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    check_argument(&spirv_cases[0], 1, "int", "", CL_KERNEL_ARG_ADDRESS_PRIVATE);
    check_argument(&told, 0, "foo_t*", "result", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    check_argument(&told, 1, "size", "", CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

static void required_sizes(void)
{
    need_spirv();
    struct spirv_case sized = spirv_cases[0];
    size_t size[3] = {0};
    sized.before = "OpExecutionMode %k 17 4 2 1\n";
    char *text = spirv_case_text(&sized);
    cl_program program = program_of(text, sized.version, false);
    cl_kernel kernel = kernel_of(program, "k");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof size, size, NULL));
    CHECK(size[0] == 4 && size[1] == 2 && size[2] == 1);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

static const struct test_case cases[] = {
    CASE(values),
    CASE(builtins),
    CASE(arguments),
    CASE(required_sizes),
    CASE(pipe_at_program_scope),
    CASE(either_byte_order),
};
TEST_MAIN("spirv values", cases)
