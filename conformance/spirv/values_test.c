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
#include "spirv_run.h"

static void values(void)
{
    spirv_need();
    for (unsigned k = 0; k < spirv_case_count; k++)
        spirv_run_case(&spirv_cases[k], NULL, false);
}

static void builtins(void)
{
    spirv_need();
    for (unsigned k = 0; k < spirv_builtin_case_count; k++)
        spirv_run_case(&spirv_builtin_cases[k], NULL, false);
}

static void either_byte_order(void)
{
    spirv_need();
    for (unsigned k = 0; k < spirv_case_count; k += 3)
        spirv_run_case(&spirv_cases[k], NULL, true);
}

static void check_argument(const struct spirv_case *c, cl_uint index, const char *want_type,
                           const char *want_name, cl_uint want_address)
{
    char *text = spirv_case_text(c), type[64] = "?", name[64] = "?";
    cl_uint address = 0;
    cl_program program = spirv_program(text, c->version, NULL, false);
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
    spirv_need();
    struct spirv_case told = spirv_cases[0];
    told.before = "%types = OpString \"kernel_arg_type.k.foo_t*,size,\"\nOpName %out \"result\"\n";
    check_argument(&spirv_cases[0], 0, "int*", "", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    check_argument(&spirv_cases[0], 1, "int", "", CL_KERNEL_ARG_ADDRESS_PRIVATE);
    check_argument(&told, 0, "foo_t*", "result", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    check_argument(&told, 1, "size", "", CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

static void required_sizes(void)
{
    spirv_need();
    struct spirv_case sized = spirv_cases[0];
    size_t size[3] = {0};
    sized.before = "OpExecutionMode %k 17 4 2 1\n";
    char *text = spirv_case_text(&sized);
    cl_program program = spirv_program(text, sized.version, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof size, size, NULL));
    CHECK(size[0] == 4 && size[1] == 2 && size[2] == 1);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

static const struct test_case cases[] = {
    CASE(values), CASE(builtins), CASE(arguments), CASE(required_sizes), CASE(either_byte_order),
};
TEST_MAIN("spirv values", cases)
