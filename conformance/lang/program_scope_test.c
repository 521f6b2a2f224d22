/* SPDX-License-Identifier: Apache-2.0 */
/* Variables at program scope in the global address space: they live as long as their program. */
#include "cl_help.h"

#include <string.h>

static void need_globals(void)
{
    if (device_version() < 300 || !device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE))
        check_skip("no program scope variables");
}

static const char source[] =
    "typedef struct { int id; float weight[3]; } thing;\n"
    "global int counter = 5;\n"
    "global long table[10];\n"
    "static global thing things[2] = {{7, {0.5f, 1.5f, 2.5f}}, {8, {3.5f, 4.5f, 5.5f}}};\n"
    "global int *global where = &counter;\n"
    "global float *constant weight = &things[1].weight[1];\n"
    "kernel void step(global long *out)\n"
    "{\n"
    "    static global int calls = 100;\n"
    "    size_t i = get_global_id(0);\n"
    "    table[i] += i;\n"
    "    out[i] = table[i];\n"
    "    if (i == 0) {\n"
    "        *where += 2;\n"
    "        calls++;\n"
    "        things[0].id *= 2;\n"
    "        out[10] = counter;\n"
    "        out[11] = calls;\n"
    "    }\n"
    "}\n"
    "kernel void look(global long *out)\n"
    "{\n"
    "    for (int i = 0; i < 10; i++)\n"
    "        out[i] = table[i];\n"
    "    out[10] = counter;\n"
    "    out[11] = things[0].id;\n"
    "    out[12] = (long)(*weight * 2);\n"
    "    where = &things[1].id;\n"
    "}\n";

static void run(cl_program program, const char *name, size_t items, cl_long *out)
{
    cl_mem mem = new_buffer(0, 13 * sizeof *out, NULL);
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, mem);
    run_1d(kernel, items, 0);
    read_back(mem, 13 * sizeof *out, out);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

static void values_stay(void)
{
    need_globals();
    cl_long out[13];
    cl_program program = built(source, "-cl-std=CL3.0"), other = built(source, "-cl-std=CL3.0");
    for (int round = 1; round <= 3; round++) {
        run(program, "step", 10, out);
        for (int i = 0; i < 10; i++)
            CHECK_EQ(out[i], i * round);
        CHECK_EQ(out[10], 5 + 2 * round);
        CHECK_EQ(out[11], 100 + round);
    }
    run(program, "look", 1, out);
    CHECK_EQ(out[9], 27);
    CHECK_EQ(out[10], 11);
    CHECK_EQ(out[11], 56);
    CHECK_EQ(out[12], 9);
    run(other, "look", 1, out); /* of the same source, but with variables of its own */
    CHECK_EQ(out[9], 0);
    CHECK_EQ(out[10], 5);
    CHECK_EQ(out[11], 7);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(other);
}

static void total_size(void)
{
    need_globals();
    cl_program with = built("global int a[100]; kernel void k(global int *x) { *x = a[*x]++; }",
                            "-cl-std=CL3.0"),
               without = built("kernel void k(global int *x) { *x = 1; }", NULL);
    size_t size = 0;
    CHECK_OK(clGetProgramBuildInfo(with, cl.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                   sizeof size, &size, NULL));
    CHECK(size >= 400);
    CHECK_OK(clGetProgramBuildInfo(without, cl.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                   sizeof size, &size, NULL));
    CHECK_EQ(size, 0);
    RELEASE_PROGRAM(with);
    RELEASE_PROGRAM(without);
}

static cl_program compiled(const char *text)
{
    cl_program program = new_program(text);
    REQUIRE_OK(
        clCompileProgram(program, 1, &cl.device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    return program;
}

static void shared_by_objects(void)
{
    need_globals();
    cl_int rc, result[2];
    cl_program parts[2] = {
        compiled("global int shared_value = 40;\n"
                 "int next(void) { return ++shared_value; }\n"),
        compiled(
            "extern global int shared_value;\n"
            "int next(void);\n"
            "kernel void k(global int *out) { out[0] = next(); out[1] = shared_value + 1; }\n"),
    };
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, NULL, 2, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    for (int round = 0; round < 2; round++) {
        run_1d(kernel, 1, 1);
        read_back(mem, sizeof result, result);
        CHECK_EQ(result[0], 41 + round);
        CHECK_EQ(result[1], 42 + round);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static const struct test_case cases[] = {
    CASE(values_stay),
    CASE(total_size),
    CASE(shared_by_objects),
};
TEST_MAIN("program_scope", cases)
