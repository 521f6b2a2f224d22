/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of bfloat16 whose numbers, products or sums leave what a float holds: what is none or
 * infinite stays so, what grows beyond is infinite, and what is tiny is itself or zero. In one
 * product and in a loop, whose sums may be in tiles.
 */
#include "cl_help.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROWS = 8, ITEMS = 16, NUMBERS = 16, TURNS = 3 };

/* A row of a is one of these, a column of b one of the others: as the upper half of a float. No sum
 * is near the end of the range. */
static const cl_ushort rows[ROWS] = {0x7fc1, /* none */
                                     0x7f80, /* infinite */
                                     0xff60, /* -3e38 */
                                     0x60ad, /* 1e20 */
                                     0x1e3d, /* 1e-20 */
                                     0x000b, /* 1e-39 */
                                     0x0000, 0x3fc0 /* 1.5 */};
static const cl_ushort columns[ITEMS] = {0xffc1, 0x7f80,
                                         0xff80, 0x7e96 /* 1e38 */,
                                         0xfe96, 0x60ad,
                                         0xe0ad, 0x5e0a /* 2.5e18 */,
                                         0x1e3d, 0x0da2 /* 1e-30 */,
                                         0x800b, 0x0000,
                                         0x8000, 0x3f80,
                                         0xc000, 0x4040 /* 3 */};

static double number(cl_ushort half)
{
    cl_uint bits = (cl_uint)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_tiny(cl_ushort half)
{
    return !(half & 0x7f80) && half & 0x7f;
}

static void check_sum(double got, double start, cl_ushort a, cl_ushort b, int turns)
{
    static const double largest = 3.4028234663852886e38, smallest = 1.1754943508222875e-38;
    const double product = number(a) * number(b), sum = start + turns * NUMBERS * product;
    const bool tiny = is_tiny(a) || is_tiny(b);
    if (isnan(sum))
        CHECK(isnan(got));
    else if (tiny && isinf(product)) /* or zero times infinity */
        CHECK(!isfinite(got));
    else if (fabs(product) > largest || fabs(sum) > largest)
        CHECK(isinf(got) && signbit(got) == signbit(sum));
    else if (tiny && fabs(got - start) <= fabs(start) * 1e-6)
        CHECK(1);
    else
        CHECK(fabs(got - sum) <= fabs(sum) * 1e-5 + turns * NUMBERS * smallest);
}

static void run(int turns, float start)
{
    static cl_ushort a[TURNS][ROWS][NUMBERS], b[TURNS][NUMBERS / 2][ITEMS][2];
    static float c[ROWS][ITEMS];
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < ROWS * NUMBERS; i++)
            a[t][i / NUMBERS][i % NUMBERS] = rows[i / NUMBERS];
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < NUMBERS * ITEMS; i++)
            b[t][i / (2 * ITEMS)][i / 2 % ITEMS][i % 2] = columns[i / 2 % ITEMS];
    cl_kernel kernel =
        new_kernel("__attribute__((intel_reqd_sub_group_size(16)))\n"
                   "kernel void k(global const short *a, global const int *b, global float *c, int "
                   "n, float s)\n"
                   "{\n"
                   "    int me = get_sub_group_local_id();\n"
                   "    float8 sum = s;\n"
                   "    for (int t = 0; t < n; t++) {\n"
                   "        short8 x; int8 y;\n"
                   "        for (int i = 0; i < 8; i++) x[i] = a[(t * 8 + i) * 16 + me];\n"
                   "        for (int i = 0; i < 8; i++) y[i] = b[(t * 8 + i) * 16 + me];\n"
                   "        sum = intel_sub_group_bf16_bf16_matrix_mad_k16(x, y, sum);\n"
                   "    }\n"
                   "    for (int i = 0; i < 8; i++) c[i * 16 + me] = sum[i];\n"
                   "}\n",
                   "k", "-cl-std=CL3.0");
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem z = new_buffer(CL_MEM_READ_WRITE, sizeof c, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, y);
    ARG(kernel, 2, z);
    ARG(kernel, 3, turns);
    ARG(kernel, 4, start);
    run_1d(kernel, ITEMS, ITEMS);
    read_back(z, sizeof c, c);
    for (int i = 0; i < ROWS * ITEMS; i++)
        check_sum((double)c[i / ITEMS][i % ITEMS], (double)start, rows[i / ITEMS],
                  columns[i % ITEMS], turns);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_MEM(z);
    RELEASE_KERNEL(kernel);
}

static void beyond_the_range(void)
{
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (int turns = 1; turns <= TURNS; turns += 2) {
        run(turns, 1);
        run(turns, 0);
        run(turns, -1e30f);
    }
}

static const struct test_case cases[] = {CASE(beyond_the_range)};
TEST_MAIN("matrix_range", cases)
