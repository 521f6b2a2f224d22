/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in SPIR-V that no compiler of OpenCL C writes, each with what it must write: out[i] for
 * an argument of 13. Numbers are computed here, in C.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext_sluice.h>

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

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

/* Variables have the name that the module has for the host beside that of their linkage, and one of
 * the module's own only the first. */
static void names_for_the_host(void)
{
    static const char *const decorations[] = {"6147 2", "6188 3"};
    clEnqueueReadGlobalVariableINTEL_fn enqueue_read;
    clEnqueueWriteGlobalVariableINTEL_fn enqueue_write;
    spirv_need();
    if (!has_extension("cl_intel_global_variable_access"))
        check_skip("variables are the program's own business");
    find(&enqueue_read, "clEnqueueReadGlobalVariableINTEL");
    find(&enqueue_write, "clEnqueueWriteGlobalVariableINTEL");
    for (size_t k = 0; k < LEN(decorations); k++) {
        char before[256];
        snprintf(before, sizeof before,
                 "OpDecorate %%v 41 \"linked\" 0\nOpDecorate %%v %s \"outside\"\n"
                 "OpName %%own \"hidden\"\nOpDecorate %%own %s \"open\"\n",
                 decorations[k], decorations[k]);
        const struct spirv_case c = {
            "variables",
            0x10000,
            before,
            "%v = OpVariable %gp 5 %c5\n%own = OpVariable %gp 5 %c7\n",
            "%a = OpLoad %uint %v 2 4\n%b = OpLoad %uint %own 2 4\nOpStore %v %b 2 4\n"
            "OpStore %own %a 2 4\nOpReturn\nOpFunctionEnd\n",
            "",
            0,
            {0}};
        char *text = spirv_case_text(&c);
        cl_program program = spirv_program(text, c.version, NULL, false);
        cl_kernel kernel = kernel_of(program, "k");
        cl_uint value = 1234, got[3] = {0};
        CHECK_OK(enqueue_write(cl.queue, program, "outside", CL_TRUE, 4, 0, &value, 0, NULL, NULL));
        cl_mem buffer = new_buffer(0, 4, NULL);
        ARG(kernel, 0, buffer);
        ARG(kernel, 1, value);
        run_1d(kernel, 1, 1);
        CHECK_OK(enqueue_read(cl.queue, program, "linked", CL_TRUE, 4, 0, &got[0], 0, NULL, NULL));
        CHECK_OK(enqueue_read(cl.queue, program, "outside", CL_TRUE, 4, 0, &got[1], 0, NULL, NULL));
        CHECK_OK(enqueue_read(cl.queue, program, "open", CL_TRUE, 4, 0, &got[2], 0, NULL, NULL));
        CHECK(got[0] == 7 && got[1] == 7 && got[2] == 1234);
        CHECK_EQ(enqueue_read(cl.queue, program, "hidden", CL_TRUE, 4, 0, got, 0, NULL, NULL),
                 CL_INVALID_ARG_VALUE);
        RELEASE_MEM(buffer);
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(program);
        free(text);
    }
}

/* HostAccessINTEL: what the host may not do it cannot, by either name; kernels may. */
static void limits_of_the_host(void)
{
    static const char *const names[] = {"linked", "outside"};
    clEnqueueReadGlobalVariableINTEL_fn enqueue_read;
    clEnqueueWriteGlobalVariableINTEL_fn enqueue_write;
    spirv_need();
    if (!has_extension("cl_intel_global_variable_access"))
        check_skip("variables are the program's own business");
    find(&enqueue_read, "clEnqueueReadGlobalVariableINTEL");
    find(&enqueue_write, "clEnqueueWriteGlobalVariableINTEL");
    for (unsigned access = 0; access < 4; access++) {
        char before[256];
        snprintf(before, sizeof before,
                 "OpDecorate %%v 41 \"linked\" 0\nOpDecorate %%v 6188 %u \"outside\"\n", access);
        const struct spirv_case c = {"limits",
                                     0x10000,
                                     before,
                                     "%v = OpVariable %gp 5 %c5\n",
                                     "%a = OpLoad %uint %v 2 4\nOpStore %out %a 2 4\n"
                                     "OpReturn\nOpFunctionEnd\n",
                                     "",
                                     1,
                                     {access & 2 ? 1234 : 5}};
        char *text = spirv_case_text(&c);
        cl_program program = spirv_program(text, c.version, NULL, false);
        for (size_t k = 0; k < LEN(names); k++) {
            cl_uint value = 1234, got = 77;
            CHECK_EQ(
                enqueue_write(cl.queue, program, names[k], CL_TRUE, 4, 0, &value, 0, NULL, NULL),
                access & 2 ? CL_SUCCESS : CL_INVALID_OPERATION);
            CHECK_EQ(enqueue_read(cl.queue, program, names[k], CL_TRUE, 4, 0, &got, 0, NULL, NULL),
                     access & 1 ? CL_SUCCESS : CL_INVALID_OPERATION);
            CHECK_EQ(got, access == 1 ? 5 : access == 3 ? 1234 : 77);
        }
        spirv_run_kernel(program, &c);
        RELEASE_PROGRAM(program);
        free(text);
    }
}

static void a5_parts_of_global(void)
{
    spirv_need();
    spirv_run_case(&spirv_address_case, NULL, false);
    spirv_run_case(&spirv_address_case, "-cl-opt-disable", false);
}

#define DEBUG(id, line, column) id " = OpExtInst %void %debug 103 %part " line " " line column "\n"

/* What is refused behind the reader has the place that the module has for it. */
static const struct spirv_case circles[] = {
    {"by OpLine",
     0x10000,
     "%file = OpString \"own.cl\"\n%other = OpString \"part.h\"\n",
     "%ft = OpTypeFunction %uint %uint\n",
     "OpLine %file 30 5\n%r = OpFunctionCall %uint %f %x\nOpReturn\nOpFunctionEnd\n",
     "OpLine %file 10 1\n%f = OpFunction %uint 0 %ft\n%y = OpFunctionParameter %uint\n"
     "%l = OpLabel\nOpLine %file 11 3\n%a = OpIAdd %uint %y %c1\nOpLine %other 12 7\n"
     "%b = OpFunctionCall %uint %f %a\nOpNoLine\n%c = OpIMul %uint %b %b\n"
     "OpReturnValue %c\nOpFunctionEnd\n",
     0,
     {0}},
    /* The second one names no text and may say what it will. */
    {"by DebugLine",
     0x10000,
     "OpExtension \"SPV_KHR_non_semantic_info\"\n%other = OpString \"part.h\"\n"
     "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.200\"\n",
     "%ft = OpTypeFunction %uint %uint\n%c12 = OpConstant %uint 12\n"
     "%part = OpExtInst %void %debug 35 %other\n",
     "%r = OpFunctionCall %uint %f %x\nOpReturn\nOpFunctionEnd\n",
     "%f = OpFunction %uint 0 %ft\n%y = OpFunctionParameter %uint\n%l = "
     "OpLabel\n" DEBUG("%d1", "%c1", " %c2 %c3") "%a = OpIAdd %uint %y %c1\n" DEBUG(
         "%d2", "%c12", " %c7 %c7") "%d3 = OpExtInst %void %debug 103 %c1 %c2 %c2 %c2 %c2\n"
                                    "%b = OpFunctionCall %uint %f %a\n%d4 = OpExtInst %void %debug "
                                    "104\n"
                                    "%c = OpIMul %uint %b %b\nOpReturnValue %c\nOpFunctionEnd\n",
     0,
     {0}},
};

static void expect_log(const struct spirv_case *c, const char *want)
{
    char *text = spirv_case_text(c);
    cl_program program = spirv_create(text, c->version, false);
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    if (!strstr(log, want))
        check_fail(__FILE__, __LINE__, "%s: another log: %s", c->name, log);
    free(log);
    free(text);
    RELEASE_PROGRAM(program);
}

static void lines_in_logs(void)
{
    spirv_need();
    for (size_t k = 0; k < LEN(circles); k++)
        expect_log(&circles[k], "part.h:12:7: error: recursion");
}

static void lines_of_no_file(void)
{
    struct spirv_case wrong = spirv_cases[0];
    char body[4096];
    snprintf(body, sizeof body, "OpLine %%c1 1 1\n%s", wrong.body);
    wrong.body = body;
    spirv_need();
    expect_log(&wrong, "is no text");
}

/* The writer of LLVM's project exports what it makes of an intrinsic from each module that has it.
 */
static void functions_of_the_writer(void)
{
#define ROTATE                                                                                     \
    "%rotate = OpFunction %uint 0 %rt\n%ra = OpFunctionParameter %uint\n"                          \
    "%rl = OpLabel\n%up = OpShiftLeftLogical %uint %ra %c4\n%c28 = OpISub %uint %c0 %c4\n"         \
    "%low = OpBitwiseAnd %uint %c28 %mask\n%down = OpShiftRightLogical %uint %ra %low\n"           \
    "%both = OpBitwiseOr %uint %up %down\nOpReturnValue %both\nOpFunctionEnd\n"
    static const struct spirv_case parts[] = {
        {"who calls",
         0x10000,
         "OpDecorate %rotate 41 \"spirv.llvm_fshl_i32\" 0\nOpDecorate %other 41 \"other\" 1\n",
         "%rt = OpTypeFunction %uint %uint\n%mask = OpConstant %uint 31\n",
         "%a = OpFunctionCall %uint %rotate %x\n%n = OpNot %uint %x\n"
         "%b = OpFunctionCall %uint %other %n\n"
         "%o0 = OpInBoundsPtrAccessChain %gp %out %c0\nOpStore %o0 %a 2 4\n"
         "%o1 = OpInBoundsPtrAccessChain %gp %out %c1\nOpStore %o1 %b 2 4\n"
         "OpReturn\nOpFunctionEnd\n",
         ROTATE "%other = OpFunction %uint 0 %rt\n%oa = OpFunctionParameter %uint\nOpFunctionEnd\n",
         2,
         {208, 0xffffff2f}},
        {"who is called",
         0x10000,
         "OpDecorate %rotate 41 \"spirv.llvm_fshl_i32\" 0\nOpDecorate %other 41 \"other\" 0\n",
         "%rt = OpTypeFunction %uint %uint\n%mask = OpConstant %uint 31\n",
         "OpReturn\nOpFunctionEnd\n",
         ROTATE "%other = OpFunction %uint 0 %rt\n%oa = OpFunctionParameter %uint\n%ol = OpLabel\n"
                "%ob = OpFunctionCall %uint %rotate %oa\nOpReturnValue %ob\nOpFunctionEnd\n",
         0,
         {0}}};
#undef ROTATE
    cl_int rc;
    spirv_need();
    cl_program objects[] = {spirv_object(&parts[0], 'k'), spirv_object(&parts[1], 'm')};
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, "", 2, objects, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    spirv_run_kernel(program, &parts[0]);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(objects[0]);
    RELEASE_PROGRAM(objects[1]);
}

static const struct test_case cases[] = {
    CASE(a5_parts_of_global),
    CASE(values),
    CASE(builtins),
    CASE(arguments),
    CASE(required_sizes),
    CASE(names_for_the_host),
    CASE(limits_of_the_host),
    CASE(either_byte_order),
    CASE(lines_in_logs),
    CASE(lines_of_no_file),
    CASE(functions_of_the_writer),
};
TEST_MAIN("spirv values", cases)
