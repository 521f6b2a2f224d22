/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices as they are written for speed: a group keeps tiles in local memory, an item
 * a tile of sums in a private array, which all is read and written by loops of constant counts.
 * More sums than there are registers, groups that fill no vector, counts that are no power of two,
 * loops of which the program says how often they are unrolled.
 * And arrays whose indices stand in tables.
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
    "#if HINT == 1\n"
    "#define UNROLL _Pragma(\"unroll 1\")\n"
    "#elif HINT\n"
    "#define UNROLL _Pragma(\"unroll 2\")\n"
    "#else\n"
    "#define UNROLL\n"
    "#endif\n"
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
    "  UNROLL for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) sum[i][j] = 0;\n"
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
    "      UNROLL for (int i = 0; i < R; i++) {\n"
    "        left = as[k][y + i * Y];\n"
    "        UNROLL for (int j = 0; j < C; j++) sum[i][j] += left * right[j];\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  UNROLL for (int i = 0; i < R; i++)\n"
    "    UNROLL for (int j = 0; j < C; j++)\n"
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

static void fill_inputs(void)
{
    for (size_t i = 0; i < MOST; i++) {
        a[i] = (cl_int)random_below(20) - 10;
        b[i] = (cl_int)random_below(20) - 10;
    }
}

static void each_tiling(const char *type, const char *extra)
{
    fill_inputs();
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

static void hinted(const char *type)
{
    fill_inputs();
    for (size_t t = 1; t < 4; t++)
        check_tiling(&tilings[t], type, "0");
}

static void unrolled_by_two(void)
{
    hinted("int -DHINT=2");
}

/* On a device for designs that is about hardware; elsewhere they stay loops. */
static void not_unrolled(void)
{
    hinted("int -DHINT=1");
}

/* The order in which an array is written and read stands in tables, as it does in transforms of
 * Fourier: one of the program's, and one of the function's own. */
static const char ordered[] =
    "constant int there[] = {3, 0, 6, 2, 5, 1, 4};\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "  local int moved[7 * SIZE];\n"
    "  int id = get_local_id(0), v[7], back[] = {4, 6, 1, 3, 0, 2, 5};\n"
    "  in += get_group_id(0) * 7 * SIZE; out += get_group_id(0) * 7 * SIZE;\n"
    "  for (int j = 0; j < 7; j++) v[j] = in[j * SIZE + id];\n"
    "  for (int j = 1; j < 7; j++) v[j] = v[j] * there[j] + back[j - 1];\n"
    "  for (int j = 0; j < 7; j++) moved[id * 7 + j] = v[there[j]];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int j = 0; j < 7; j++) v[6 - back[j]] += moved[j * SIZE + id];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int j = 0; j < 7; j++) moved[j * SIZE + id] = v[back[there[j]]];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int j = 0; j < 7; j++) out[j * SIZE + id] = moved[j * SIZE + SIZE - 1 - id];\n"
    "}\n";

enum { ORDERED = 7 };

static const int there[ORDERED] = {3, 0, 6, 2, 5, 1, 4}, back[ORDERED] = {4, 6, 1, 3, 0, 2, 5};

/* What a group of `size` items makes of its numbers. */
static void order_group(int size, const cl_int *in, cl_int *out)
{
    static cl_int v[64 * ORDERED], moved[64 * ORDERED];
    for (int id = 0; id < size; id++)
        for (int j = 0; j < ORDERED; j++)
            v[id * ORDERED + j] = in[j * size + id] * (j ? there[j] : 1) + (j ? back[j - 1] : 0);
    for (int id = 0; id < size; id++)
        for (int j = 0; j < ORDERED; j++)
            moved[id * ORDERED + j] = v[id * ORDERED + there[j]];
    for (int id = 0; id < size; id++)
        for (int j = 0; j < ORDERED; j++)
            v[id * ORDERED + 6 - back[j]] += moved[j * size + id];
    for (int id = 0; id < size; id++)
        for (int j = 0; j < ORDERED; j++)
            out[j * size + size - 1 - id] = v[id * ORDERED + back[there[j]]];
}

static void in_the_order_of_a_table(void)
{
    static const int sizes[] = {64, 16, 13, 8, 1};
    enum { GROUPS = 3 };
    for (size_t s = 0; s < LEN(sizes); s++) {
        const int size = sizes[s], count = GROUPS * size * ORDERED;
        char options[32];
        snprintf(options, sizeof options, "-DSIZE=%d", size);
        for (int i = 0; i < count; i++)
            a[i] = (cl_int)random_below(2000) - 1000;
        for (int g = 0; g < GROUPS; g++)
            order_group(size, a + g * size * ORDERED, b + g * size * ORDERED);
        cl_kernel kernel = new_kernel(ordered, "k", options);
        cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, (size_t)count * sizeof *a, a);
        cl_mem out = new_buffer(CL_MEM_READ_WRITE, (size_t)count * sizeof *c, NULL);
        ARG(kernel, 0, in);
        ARG(kernel, 1, out);
        run_1d(kernel, (size_t)(GROUPS * size), (size_t)size);
        read_back(out, (size_t)count * sizeof *c, c);
        for (int i = 0; i < count; i++)
            REQUIRE(CHECK_EQ(c[i], b[i]));
        RELEASE_MEM(in);
        RELEASE_MEM(out);
        RELEASE_KERNEL(kernel);
    }
}

/* Where a number stands in a table is the sum of two that stand in it, and so on: there are more
 * ways through that than can be gone. */
static void tables_of_tables(void)
{
    enum { SIZE = 13, ROUNDS = 4, SUMS = 64 };
    static const int table[] = {0, 1, 2, 3, 0, 1, 3, 2};
    cl_kernel kernel = new_kernel("#define STEP i = table[i] + table[i + 1];\n"
                                  "#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP\n"
                                  "constant int table[] = {0, 1, 2, 3, 0, 1, 3, 2};\n"
                                  "kernel void k(global const int *in, global int *out)\n"
                                  "{\n"
                                  "  local int moved[SIZE];\n"
                                  "  int id = get_local_id(0), v[4];\n"
                                  "  for (int j = 0; j < 4; j++) v[j] = in[j * SIZE + id];\n"
                                  "  moved[id] = v[1];\n"
                                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "  for (int j = 0; j < 4; j++) {\n"
                                  "    int i = j;\n"
                                  "    STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS\n"
                                  "    v[table[i]] += j + moved[SIZE - 1 - id];\n"
                                  "  }\n"
                                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "  for (int j = 0; j < 4; j++) out[j * SIZE + id] = v[j];\n"
                                  "}\n",
                                  "k", "-DSIZE=13");
    for (int i = 0; i < ROUNDS * SIZE; i++)
        a[i] = b[i] = (cl_int)random_below(2000) - 1000;
    for (int j = 0; j < ROUNDS; j++) {
        int at = j;
        for (int step = 0; step < SUMS; step++)
            at = table[at] + table[at + 1];
        for (int id = 0; id < SIZE; id++)
            b[table[at] * SIZE + id] += j + a[SIZE + SIZE - 1 - id];
    }
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, ROUNDS * SIZE * sizeof *a, a);
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, ROUNDS * SIZE * sizeof *c, NULL);
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    run_1d(kernel, SIZE, SIZE);
    read_back(out, ROUNDS * SIZE * sizeof *c, c);
    for (int i = 0; i < ROUNDS * SIZE; i++)
        REQUIRE(CHECK_EQ(c[i], b[i]));
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
}

/* An element that all places need is one value, too. */
static void an_element_in_all_places(void)
{
    each_tiling("float", "(int)sum[0][0]");
}

static const struct test_case cases[] = {CASE(of_float),
                                         CASE(of_double),
                                         CASE(of_int),
                                         CASE(unrolled_by_two),
                                         CASE(not_unrolled),
                                         CASE(an_element_in_all_places),
                                         CASE(in_the_order_of_a_table),
                                         CASE(tables_of_tables)};
TEST_MAIN("register_tiles", cases)
