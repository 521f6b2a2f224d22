/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that multiply matrices are built for whole sub-groups: a launch whose local size is ours
 * to choose needs no other code unless its range is not whole (SLUICE_BUILD). */
#include "demand_bed.h"

#include <stdlib.h>

enum { SUB_GROUP = 16, LONGEST = 16 * 1000 };

/* 32 ones times what the item's number in its sub-group is, and a number of its own. */
static const char text[] =
    "kernel void k(global int *a, global uint *sizes)\n"
    "{\n"
    "    size_t i = get_global_id(0) + get_global_id(1) * get_global_size(0);\n"
    "    int8 b = 0x01010101 * (int)(get_sub_group_local_id() + 1);\n"
    "    a[i] = intel_sub_group_i8_i8_matrix_mad_k32((short)0x0101, b, a[i]);\n"
    "    sizes[i] = get_local_size(0);\n"
    "}\n";

static void run_range(cl_program program, size_t wide, size_t high, bool whole)
{
    static cl_int numbers[LONGEST];
    static cl_uint sizes[LONGEST];
    const size_t global[2] = {wide, high}, items = wide * high;
    cl_kernel kernel = kernel_of(program, "k");
    for (size_t i = 0; i < items; i++)
        numbers[i] = (cl_int)(i * 1000);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *numbers, numbers);
    cl_mem b = new_buffer(0, items * sizeof *sizes, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    read_back(a, items * sizeof *numbers, numbers);
    read_back(b, items * sizeof *sizes, sizes);
    for (size_t i = 0; i < items && whole; i++) {
        CHECK_EQ(sizes[i] % SUB_GROUP, 0);
        CHECK_EQ(numbers[i], (cl_int)(i * 1000) + 32 * (cl_int)(i % wide % SUB_GROUP + 1));
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

static const size_t whole[][2] = {{16, 1},  {48, 5},  {64, 64},  {16 * 31, 3},
                                  {16, 77}, {80, 12}, {16000, 1}};

static void sizes_of_ours(void)
{
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    begin_case("auto");
    cl_program program = built(text, "-cl-std=CL3.0");
    const int entries = cache_entries();
    for (size_t i = 0; i < LEN(whole); i++)
        run_range(program, whole[i][0], whole[i][1], true);
    CHECK_EQ(cache_entries(), entries);
    run_range(program, 40, 3, false);
    CHECK_EQ(cache_entries(), entries + 1);
    for (size_t i = 0; i < LEN(whole); i++)
        run_range(program, whole[i][0], whole[i][1], true);
    CHECK_EQ(cache_entries(), entries + 1);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Code that goes item by item takes any size, but not with the same result. */
static void sizes_for_code_of_items(void)
{
    static const char *const builds[] = {"whole", "quick", "on-demand"};
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (size_t b = 0; b < LEN(builds); b++) {
        begin_case(builds[b]);
        cl_program program = built(text, "-cl-std=CL3.0");
        for (size_t i = 0; i < LEN(whole); i++)
            run_range(program, whole[i][0], whole[i][1], true);
        RELEASE_PROGRAM(program);
        end_case();
    }
}

static const struct test_case cases[] = {
    CASE(sizes_of_ours),
    CASE(sizes_for_code_of_items),
};
TEST_MAIN("api.matrix_forms", cases)
