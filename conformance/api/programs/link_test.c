/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation: headers, objects, libraries. */
#include "cl_help.h"

#include <stdlib.h>
#include <string.h>

static const char user[] = "#include \"answer.h\"\n"
                           "int helper(int);\n"
                           "kernel void k(global int *x) { *x = helper(ANSWER); }\n";
static const char helper[] = "int helper(int x) { return x * 2; }\n";

static cl_program compiled(const char *source, const char *options)
{
    cl_program program = new_program(source);
    cl_int rc = clCompileProgram(program, 1, &cl.device, options, 0, NULL, NULL, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
        free(log);
        check_abandon();
    }
    return program;
}

static cl_program compiled_with_header(const char *header_text, const char *name)
{
    cl_program header = new_program(header_text), program = new_program(user);
    REQUIRE_OK(clCompileProgram(program, 1, &cl.device, NULL, 1, &header, &name, NULL, NULL));
    RELEASE_PROGRAM(header);
    return program;
}

static cl_program linked(const char *options, cl_uint count, const cl_program *inputs)
{
    cl_int rc;
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, options, count, inputs, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    return program;
}

static cl_program_binary_type type_of(cl_program program)
{
    cl_program_binary_type type = 99;
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                                   NULL));
    return type;
}

static int run_for_int(cl_program program)
{
    int result = -1;
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof result, &result);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    return result;
}

static void two_objects(void)
{
    cl_program parts[] = {compiled_with_header("#define ANSWER 21\n", "answer.h"),
                          compiled(helper, NULL)};
    CHECK_EQ(type_of(parts[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program program = linked("", 2, parts);
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(run_for_int(program), 42);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
    CHECK_EQ(run_for_int(program), 42);
    RELEASE_PROGRAM(program);
}

static void headers_in_folders(void)
{
    static const char source[] = "#include <inc/deep/a.h>\n"
                                 "kernel void k(global int *x) { *x = A + B; }\n";
    const char *names[] = {"inc/deep/a.h", "inc/deep/b.h"};
    cl_program headers[] = {new_program("#pragma once\n#include \"b.h\"\n#define A 40\n"),
                            new_program("#define B 2\n")};
    cl_program program = new_program(source);
    cl_int rc = clCompileProgram(program, 1, &cl.device, NULL, 2, headers, names, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
        free(log);
    } else {
        cl_program whole = linked(NULL, 1, &program);
        CHECK_EQ(run_for_int(whole), 42);
        RELEASE_PROGRAM(whole);
    }
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(headers[0]);
    RELEASE_PROGRAM(headers[1]);
}

static void library(void)
{
    cl_program part = compiled(helper, NULL);
    cl_program archive = linked("-create-library", 1, &part);
    CHECK_EQ(type_of(archive), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    RELEASE_PROGRAM(part);
    cl_program inputs[] = {compiled_with_header("#define ANSWER 4\n", "answer.h"), archive};
    cl_program program = linked(NULL, 2, inputs);
    CHECK_EQ(run_for_int(program), 8);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(inputs[0]);
    RELEASE_PROGRAM(archive);
}

static void link_failure(void)
{
    cl_program part = compiled_with_header("#define ANSWER 4\n", "answer.h");
    cl_int rc = 0;
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, NULL, 1, &part, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    if (program) {
        char *log = build_log(program);
        CHECK(strstr(log, "helper") != NULL);
        free(log);
        RELEASE_PROGRAM(program);
    }
    RELEASE_PROGRAM(part);
}

static void compile_failure(void)
{
    cl_program program = new_program(user);
    FAILS(CL_COMPILE_PROGRAM_FAILURE,
          clCompileProgram(program, 1, &cl.device, NULL, 0, NULL, NULL, NULL, NULL));
    char *log = build_log(program);
    CHECK(strstr(log, "answer.h") != NULL);
    free(log);
    RELEASE_PROGRAM(program);
}

/* OpenCL C lets a kernel call another as a function, of any object. */
static void kernel_of_another_object(void)
{
    cl_program parts[2] = {
        compiled("kernel void twice(global int *x) { *x *= 2; }\n"
                 "kernel void four_times(global int *x) { twice(x); twice(x); }\n",
                 NULL),
        compiled("extern kernel void four_times(global int *x);\n"
                 "kernel void k(global int *x) { *x = 5; four_times(x); }\n",
                 NULL),
    };
    cl_program direct = linked(NULL, 2, parts);
    CHECK_EQ(run_for_int(direct), 20);
    cl_program inputs[2] = {linked("-create-library", 1, &parts[0]), parts[1]};
    cl_program through_library = linked(NULL, 2, inputs);
    CHECK_EQ(run_for_int(through_library), 20);
    cl_kernel called = kernel_of(through_library, "twice");
    RELEASE_KERNEL(called);
    RELEASE_PROGRAM(through_library);
    RELEASE_PROGRAM(inputs[0]);
    RELEASE_PROGRAM(direct);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

/* ---- objects that only serve others ---------------------------------------------------------- */

/* What no kernel needs of them is not in the program: not the table, and not what nobody defines.
 */
static const char large[] = "static global const int first[20000] = {1, 2, 3};\n"
                            "int undefined(int);\n"
                            "static int of_first(int i) { return first[i] + undefined(i); }\n"
                            "int unneeded(int i) { return i ? of_first(i) : undefined(i); }\n";
static const char chain[] = "int last(int);\n"
                            "static int next(int x) { return last(x) + 1; }\n"
                            "int helper(int x) { return next(x) * 10; }\n"
                            "int lookup(int i) { return i; }\n";
static const char end[] = "int lookup(int);\n"
                          "constant int table[4] = {5, 6, 7, 8};\n"
                          "int last(int x) { return table[lookup(x) & 3]; }\n";

static size_t binary_bytes(cl_program program)
{
    size_t bytes = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    return bytes;
}

static void need_variables(void)
{
    if (device_version() < 200 || !device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE))
        check_skip("variables of the program");
}

static void needed_parts(void)
{
    need_variables();
    cl_program parts[] = {compiled(chain, NULL), compiled(large, "-cl-std=CL3.0"),
                          compiled(end, NULL),
                          compiled_with_header("#define ANSWER 2\n", "answer.h")};
    cl_program program = linked(NULL, 4, parts);
    CHECK_EQ(run_for_int(program), (7 + 1) * 10);
    if (is_sluice())
        CHECK(binary_bytes(program) < sizeof(cl_int) * 20000);
    cl_program library = linked("-create-library", 3, parts); /* that may be needed later */
    cl_program again[] = {parts[3], library};
    cl_program through = linked(NULL, 2, again);
    CHECK_EQ(run_for_int(through), (7 + 1) * 10);
    RELEASE_PROGRAM(through);
    RELEASE_PROGRAM(library);
    RELEASE_PROGRAM(program);
    for (int i = 0; i < 4; i++)
        RELEASE_PROGRAM(parts[i]);
}

static void twice_defined(void)
{
    cl_program parts[] = {compiled("kernel void k(global int *x) { *x = 1; }\n", NULL),
                          compiled(helper, NULL), compiled(helper, NULL)};
    cl_int rc = 0;
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, NULL, 3, parts, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    if (program)
        RELEASE_PROGRAM(program);
    for (int i = 0; i < 3; i++)
        RELEASE_PROGRAM(parts[i]);
}

/* The definition that is not weak counts, whichever object has it. */
static void weak_function(void)
{
    cl_program parts[] = {compiled("__attribute__((weak)) int helper(int x) { return -x; }\n"
                                   "kernel void k(global int *x) { *x = helper(4); }\n",
                                   NULL),
                          compiled(helper, NULL)};
    cl_program alone = linked(NULL, 1, parts), both = linked(NULL, 2, parts);
    CHECK_EQ(run_for_int(alone), -4);
    CHECK_EQ(run_for_int(both), 8);
    RELEASE_PROGRAM(alone);
    RELEASE_PROGRAM(both);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

/* A variable that the host may name stays, though no kernel reads it. */
static void variable_of_an_object(void)
{
    need_variables();
    cl_program parts[] = {compiled("kernel void k(global int *x) { *x = 1; }\n", NULL),
                          compiled("global int counter = 4;\n"
                                   "int read_counter(void) { return counter; }\n",
                                   "-cl-std=CL3.0")};
    cl_program program = linked(NULL, 2, parts);
    size_t bytes = 0;
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                   sizeof bytes, &bytes, NULL));
    CHECK_EQ(bytes, sizeof(cl_int));
    CHECK_EQ(run_for_int(program), 1);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static void errors(void)
{
    cl_program program = new_program(helper), part = compiled(helper, NULL), null = NULL;
    cl_program source_only = new_program(helper), wrong = (cl_program)cl.queue;
    const char *name = "a.h";
    cl_device_id device = cl.device;
    cl_context context = cl.context;
    FAILS(CL_INVALID_PROGRAM, clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clCompileProgram(program, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clCompileProgram(program, 0, &device, NULL, 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 0, &part, &name, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, program));
    FAILS(CL_INVALID_COMPILER_OPTIONS,
          clCompileProgram(program, 0, NULL, "-cl-nonsense", 0, NULL, NULL, NULL, NULL));
    CREATE_FAILS(CL_INVALID_CONTEXT, clLinkProgram(NULL, 0, NULL, NULL, 1, &part, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clLinkProgram(context, 1, NULL, NULL, 1, &part, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clLinkProgram(context, 0, &device, NULL, 1, &part, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clLinkProgram(context, 0, NULL, NULL, 0, &part, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, NULL, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clLinkProgram(context, 0, NULL, NULL, 1, &part, NULL, &null, ERR));
    CREATE_FAILS(CL_INVALID_PROGRAM,
                 clLinkProgram(context, 0, NULL, NULL, 1, &null, NULL, NULL, ERR));
    CREATE_WRONG(CL_INVALID_PROGRAM,
                 clLinkProgram(context, 0, NULL, NULL, 1, &wrong, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_LINKER_OPTIONS,
                 clLinkProgram(context, 0, NULL, "-cl-nonsense", 1, &part, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_OPERATION,
                 clLinkProgram(context, 0, NULL, NULL, 1, &source_only, NULL, NULL, ERR));
    RELEASE_PROGRAM(source_only);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(part);
}

static const struct test_case cases[] = {
    CASE(two_objects),
    CASE(headers_in_folders),
    CASE(library),
    CASE(link_failure),
    CASE(compile_failure),
    CASE(errors),
    CASE(kernel_of_another_object),
    CASE(needed_parts),
    CASE(twice_defined),
    CASE(weak_function),
    CASE(variable_of_an_object),
};
TEST_MAIN("link", cases)
