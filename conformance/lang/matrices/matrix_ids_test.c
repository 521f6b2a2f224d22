/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices in kernels that find their place by ids of items: `get_global_id(0) / 16`,
 * what is below that, multiples of it. Where the offset of a launch is no multiple of the
 * sub-group, items of one sub-group have different places; next to plain C.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stdio.h>

enum { ROWS = 8, WORDS = 8, BYTES = 4, TURNS = 3, WIDTH = 256, HEIGHT = 3, MARKS = 5 };

static const char source[] =
    "kernel void k(global const A *a, global const int *b, global int *c, global int *marks,\n"
    "              T n)\n"
    "{\n"
    "    T me = get_sub_group_local_id(), id = get_global_id(0), row = get_global_id(1);\n"
    "    T col = id / ITEMS * ITEMS, pitch = 3 * ITEMS;\n"
    "    int8 sums = 7;\n"
    "    for (T at = 0; at < pitch; at += ITEMS) {\n"
    "        JOIN x;\n"
    "        int8 y;\n"
    "        for (int i = 0; i < 8; i++) x[i] = a[(row * 8 + i) * pitch + at + me];\n"
    "        for (int i = 0; i < 8; i++) y[i] = b[(at * 8 / ITEMS + i) * n + me + col];\n"
    "        sums = intel_sub_group_i8_i8_matrix_mad_k32(x, y, sums);\n"
    "    }\n"
    "    for (int i = 0; i < 8; i++) c[(row * 8 + i) * n + id] = sums[i];\n"
    "    global int *mark = marks + (row * n + id) * 5;\n"
    "    mark[0] = (int)(id / 4);\n"
    "    mark[1] = (int)(id * 2 & ~(T)31);\n"
    "    mark[2] = (int)((id * 3 + 16) % 64 + (id & 31) * 100);\n"
    "    mark[3] = (int)((id + 4) / 16 + (id & 16) * 2 + (id & 18) * 100);\n"
    "    mark[4] = (int)(id >> 5) * 100 + (int)(id & 15);\n"
    "}\n";

static cl_char a[HEIGHT * ROWS * TURNS * WORDS * BYTES];
static cl_char b[TURNS * WORDS][WIDTH][BYTES];
static cl_int c[HEIGHT * ROWS * WIDTH], marks[HEIGHT * WIDTH][MARKS];

static cl_int sum_of(size_t row, size_t column)
{
    cl_int sum = 7;
    for (size_t k = 0; k < (size_t)TURNS * WORDS * BYTES; k++)
        sum += a[row * TURNS * WORDS * BYTES + k] * b[k / BYTES][column][k % BYTES];
    return sum;
}

static void check_item(size_t items, size_t row, size_t id, size_t lane)
{
    const size_t column = id / items * items + lane;
    for (size_t i = 0; i < ROWS; i++)
        CHECK_EQ(c[(row * ROWS + i) * WIDTH + id], sum_of(row * ROWS + i, column));
    const cl_int *mark = marks[row * WIDTH + id], n = (cl_int)id;
    CHECK_EQ(mark[0], n / 4);
    CHECK_EQ(mark[1], n * 2 & ~31);
    CHECK_EQ(mark[2], (n * 3 + 16) % 64 + (n & 31) * 100);
    CHECK_EQ(mark[3], (n + 4) / 16 + (n & 16) * 2 + (n & 18) * 100);
    CHECK_EQ(mark[4], (n >> 5) * 100 + (n & 15));
}

static void run_launch(cl_kernel kernel, size_t items, size_t offset, size_t width, size_t height)
{
    const size_t global[] = {4 * width, HEIGHT}, local[] = {width, height}, from[] = {offset, 0};
    cl_mem z = new_buffer(0, sizeof c, NULL), m = new_buffer(0, sizeof marks, NULL);
    ARG(kernel, 2, z);
    ARG(kernel, 3, m);
    run_nd(kernel, 2, from, global, local);
    read_back(z, sizeof c, c);
    read_back(m, sizeof marks, marks);
    for (size_t row = 0; row < HEIGHT; row++)
        for (size_t i = 0; i < global[0]; i++)
            check_item(items, row, offset + i, (row % height * width + i % width) % items);
    RELEASE_MEM(z);
    RELEASE_MEM(m);
}

static void run_type(const char *type, size_t items)
{
    static const size_t offsets[] = {0, 16, 8, 5, 48};
    char options[160];
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = (cl_char)(i * 37 + 11);
    for (size_t i = 0; i < sizeof b; i++)
        (&b[0][0][0])[i] = (cl_char)(i * 53 + i / 1000 + 7);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -D T=%s -D ITEMS=%zu -D A=%s -D JOIN=%s8",
             type, items, items == 8 ? "int" : "short", items == 8 ? "int" : "short");
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    const cl_ulong n = WIDTH; /* little end first */
    ARG(kernel, 0, x);
    ARG(kernel, 1, y);
    CHECK_OK(clSetKernelArg(kernel, 4, type[0] == 'l' ? 8 : 4, &n));
    for (size_t k = 0; k < LEN(offsets); k++) {
        run_launch(kernel, items, offsets[k], 16, 1);
        run_launch(kernel, items, offsets[k], 48, HEIGHT);
        run_launch(kernel, items, offsets[k], 32, 1);
    }
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_KERNEL(kernel);
}

static void ints(void)
{
    run_type("int", 16);
    run_type("int", 8);
}

static void unsigned_ints(void)
{
    run_type("uint", 16);
    run_type("uint", 8);
}

static void longs(void)
{
    run_type("long", 16);
    run_type("long", 8);
}

static const struct test_case cases[] = {CASE(ints), CASE(unsigned_ints), CASE(longs)};
TEST_MAIN("matrix_ids", cases)
