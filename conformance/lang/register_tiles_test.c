/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices as they are written for speed: a group keeps tiles in local memory, an item
 * a tile of sums in a private array, which all is read and written by loops of constant counts.
 * More sums than there are registers, groups that fill no vector, counts that are no power of two.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

struct tiling {
    int x, y;       /* items of a group */
    int rows, cols; /* sums of an item */
    int depth;      /* of the tiles in local memory */
};

static const struct tiling tilings[] = {{16, 16, 8, 8, 16}, {8, 8, 8, 8, 8}, {5, 3, 7, 6, 4},
                                        {16, 4, 4, 16, 3},  {1, 1, 6, 6, 5}, {32, 2, 2, 24, 7},
                                        {4, 4, 1, 40, 2},   {3, 2, 6, 7, 16}};
enum { GROUPS_X = 2, GROUPS_Y = 3, STEPS = 3, MOST = 128 * 128 * 6 };

static cl_int a[MOST], b[MOST], c[MOST];

/* a is stored by columns, b by rows, c by rows: an item's sums lie X and Y apart. */
static const char source[] =
    "#if X < 16\n"
    "__attribute__((reqd_work_group_size(X, Y, 1)))\n"
    "#endif\n"
    "kernel void k(global const int *a, global const int *b, global int *c, int m, int n, int "
    "depth)\n"
    "{\n"
    "  local T as[D][R * Y], bs[D][C * X];\n"
    "  T sum[R][C], left, right[C];\n"
    "  int x = get_local_id(0), y = get_local_id(1), id = y * X + x;\n"
    "  int row = get_group_id(1) * R * Y, col = get_group_id(0) * C * X;\n"
    "#if X % 16\n"
    "  for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) sum[i][j] = 0;\n"
    "#else\n"
    "  for (int i = 0; i < R * C; i++) (&sum[0][0])[i] = 0;\n"
    "#endif\n"
    "  for (int t = 0; t < depth; t += D) {\n"
    "    for (int e = id; e < D * R * Y; e += X * Y)\n"
    "      as[e / (R * Y)][e % (R * Y)] = a[(t + e / (R * Y)) * m + row + e % (R * Y)];\n"
    "    for (int e = id; e < D * C * X; e += X * Y)\n"
    "      bs[e / (C * X)][e % (C * X)] = b[(t + e / (C * X)) * n + col + e % (C * X)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < D; k++) {\n"
    "      for (int j = 0; j < C; j++) right[j] = bs[k][x + j * X];\n"
    "      for (int i = 0; i < R; i++) {\n"
    "        left = as[k][y + i * Y];\n"
    "        for (int j = 0; j < C; j++) sum[i][j] += left * right[j];\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  for (int i = 0; i < R; i++)\n"
    "    for (int j = 0; j < C; j++)\n"
    "      c[(row + y + i * Y) * n + col + x + j * X] = (int)sum[i][j] + EXTRA;\n"
    "}\n";

static cl_int product_at(int m, int n, int depth, int row, int col)
{
    cl_int sum = 0;
    for (int k = 0; k < depth; k++)
        sum += a[k * m + row] * b[k * n + col];
    return sum;
}

static void check_tiling(const struct tiling *t, const char *type, const char *extra)
{
    char options[160];
    snprintf(options, sizeof options, "-DT=%s -DX=%d -DY=%d -DR=%d -DC=%d -DD=%d -DEXTRA=%s", type,
             t->x, t->y, t->rows, t->cols, t->depth, extra);
    const cl_int m = GROUPS_Y * t->rows * t->y, n = GROUPS_X * t->cols * t->x,
                 depth = STEPS * t->depth;
    const size_t global[] = {(size_t)(GROUPS_X * t->x), (size_t)(GROUPS_Y * t->y)},
                 local[] = {(size_t)t->x, (size_t)t->y};
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, (size_t)(m * depth) * sizeof *a, a);
    cl_mem mb = new_buffer(CL_MEM_COPY_HOST_PTR, (size_t)(n * depth) * sizeof *b, b);
    cl_mem mc = new_buffer(CL_MEM_READ_WRITE, (size_t)(m * n) * sizeof *c, NULL);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    ARG(kernel, 3, m);
    ARG(kernel, 4, n);
    ARG(kernel, 5, depth);
    run_nd(kernel, 2, NULL, global, local);
    read_back(mc, (size_t)(m * n) * sizeof *c, c);
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            /* the second kind adds the sum of the item's first row and column */
            int y = row % (t->rows * t->y) % t->y, x = col % (t->cols * t->x) % t->x;
            int first = strcmp(extra, "0")
                            ? product_at(m, n, depth, row / (t->rows * t->y) * t->rows * t->y + y,
                                         col / (t->cols * t->x) * t->cols * t->x + x)
                            : 0;
            REQUIRE(CHECK_EQ(c[row * n + col], product_at(m, n, depth, row, col) + first));
        }
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
    RELEASE_KERNEL(kernel);
}

static void each_tiling(const char *type, const char *extra)
{
    for (size_t i = 0; i < MOST; i++) {
        a[i] = (cl_int)random_below(20) - 10;
        b[i] = (cl_int)random_below(20) - 10;
    }
    for (size_t t = 0; t < LEN(tilings); t++)
        check_tiling(&tilings[t], type, extra);
}

static void of_float(void)
{
    each_tiling("float", "0");
}

static void of_double(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double");
    each_tiling("double", "0");
}

static void of_int(void)
{
    each_tiling("int", "0");
}

/* An element that all places need is one value, too. */
static void an_element_in_all_places(void)
{
    each_tiling("float", "(int)sum[0][0]");
}

static const struct test_case cases[] = {CASE(of_float), CASE(of_double), CASE(of_int),
                                         CASE(an_element_in_all_places)};
TEST_MAIN("register_tiles", cases)
