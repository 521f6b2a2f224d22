/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of two dimensions that meet at barriers and whose size the compiler knows, or could: rows
 * that fill vectors have code without ends, several of them go in step, and sums of products stay
 * loops. Textbook tiles of a product of matrices, with tiles of any type and with a column more,
 * with what only some items or some rows do, with private arrays, with arrays that are read the
 * other way; held against plain C, at sizes that are no powers of two as well; and at ids around
 * 2^31 and 2^32, where a row is divided although its size is known.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 200 };

static cl_int a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

static const struct size {
    size_t x, y;
    bool required;
} sizes[] = {{16, 16, true},  {32, 32, true}, {8, 8, true},    {16, 48, true}, {64, 16, true},
             {32, 8, true},   {48, 16, true}, {24, 16, true},  {17, 16, true}, {16, 3, true},
             {16, 16, false}, {32, 8, false}, {12, 20, false}, {4, 16, true}};

static void fill(void)
{
    for (size_t i = 0; i < LEN(a); i++) {
        a[i] = (cl_int)random_below(16) - 8;
        b[i] = (cl_int)random_below(16) - 8;
    }
}

/* The local size that `s` says, two groups and three, or as many as fit. */
static void global_size(const struct size *s, size_t global[2])
{
    global[0] = s->x * (2 * s->x <= MOST ? 2 : 1);
    global[1] = s->y * (3 * s->y <= MOST ? 3 : 1);
}

#define HEAD                                                                                       \
    "#ifdef REQUIRED\n"                                                                            \
    "__attribute__((reqd_work_group_size(X, Y, 1)))\n"                                             \
    "#endif\n"                                                                                     \
    "kernel void k(global const int *a, global const int *b, global int *c, int depth) {\n"        \
    "  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0);\n"                    \
    "  int y = get_global_id(1), n = get_global_size(0);\n"
#define STEP "barrier(CLK_LOCAL_MEM_FENCE);"

typedef cl_int (*want_fn)(const struct size *, size_t n, size_t depth, size_t x, size_t y);

static void run(const char *source, const struct size *s, const char *type, const char *std,
                want_fn want)
{
    char options[160];
    size_t global[2], local[2] = {s->x, s->y};
    const cl_int depth = 96;
    global_size(s, global);
    snprintf(options, sizeof options, "%s -DT=%s -DX=%d -DY=%d -DD=%d%s", std, type, (int)s->x,
             (int)s->y, 16, s->required ? " -DREQUIRED" : "");
    cl_kernel kernel = new_kernel(source, "k", options);
    fill();
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem mb = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem mc = new_buffer(CL_MEM_READ_WRITE, sizeof c, NULL);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    ARG(kernel, 3, depth);
    run_nd(kernel, 2, NULL, global, local);
    read_back(mc, global[0] * global[1] * sizeof *c, c);
    for (size_t y = 0; y < global[1]; y++)
        for (size_t x = 0; x < global[0]; x++)
            REQUIRE(CHECK_EQ(c[y * global[0] + x], want(s, global[0], (size_t)depth, x, y)));
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
    RELEASE_KERNEL(kernel);
}

static void in_each_size(const char *source, want_fn want)
{
    static const char *const types[] = {"float", "int", "double", "short"};
    static size_t turn;
    for (size_t i = 0; i < LEN(sizes); i++, turn++) {
        const char *type = types[turn % LEN(types)];
        if (!strcmp(type, "double") && !has_extension("cl_khr_fp64"))
            type = "float";
        run(source, &sizes[i], type, i % 3 ? "-cl-std=CL1.2" : "-cl-std=CL3.0", want);
    }
}

/* ---- products of matrices -------------------------------------------------------------------- */

static cl_int product_at(const struct size *s, size_t n, size_t depth, size_t x, size_t y)
{
    cl_int sum = 0;
    (void)s;
    for (size_t k = 0; k < depth; k++)
        sum += a[y * depth + k] * b[k * n + x];
    return sum;
}

/* Tiles of D columns of a and D rows of b, which the group's items copy in turn. */
#define TILES(extra)                                                                               \
    HEAD "  local T as[Y][D + " extra "], bs[D][X + " extra "];\n  T s = 0;\n"                     \
         "  for (int t = 0; t < depth; t += D) {\n"                                                \
         "    for (int i = lx; i < D; i += X) as[ly][i] = a[y * depth + t + i];\n"                 \
         "    for (int i = ly; i < D; i += Y) bs[i][lx] = b[(t + i) * n + x];\n"                   \
         "    " STEP "\n"                                                                          \
         "    for (int k = 0; k < D; k++) s += as[ly][k] * bs[k][lx];\n"                           \
         "    " STEP "\n  }\n  c[y * n + x] = (int)s;\n}\n"

static void products(void)
{
    in_each_size(TILES("0"), product_at);
}

static void padded_products(void)
{
    in_each_size(TILES("1"), product_at);
}

/* As most books have it: as many columns as rows. */
static void square_products(void)
{
    static const struct size square[] = {{16, 16, true},  {32, 32, true},  {8, 8, true},
                                         {16, 16, false}, {32, 32, false}, {8, 8, false}};
    static const char source[] =
        HEAD "  local T as[Y][X], bs[Y][X];\n  T s = 0;\n"
             "  for (int t = 0; t < depth; t += X) {\n"
             "    as[ly][lx] = a[y * depth + t + lx];\n    bs[ly][lx] = b[(t + ly) * n + x];\n"
             "    " STEP "\n"
             "    for (int k = 0; k < X; k++) s += as[ly][k] * bs[k][lx];\n"
             "    " STEP "\n  }\n  c[y * n + x] = (int)s;\n}\n";
    for (size_t i = 0; i < LEN(square); i++) {
        run(source, &square[i], "float", "-cl-std=CL1.2", product_at);
        run(source, &square[i], "float", "-cl-std=CL3.0", product_at);
        run(source, &square[i], "int", "-cl-std=CL2.0", product_at);
    }
}

/* Four sums for each item, in an array. */
static cl_int sums_at(const struct size *s, size_t n, size_t depth, size_t x, size_t y)
{
    cl_int sum = 0;
    (void)s;
    for (size_t k = 0; k < depth; k++)
        for (size_t w = 0; w < 4; w++)
            sum += a[y * depth + k] * b[k * n + (x + w) % n] * (cl_int)(w + 1);
    return sum;
}

static void several_sums(void)
{
    in_each_size(HEAD
                 "  local T as[Y][D];\n  T s[4];\n  for (int w = 0; w < 4; w++) s[w] = 0;\n"
                 "  for (int t = 0; t < depth; t += D) {\n"
                 "    for (int i = lx; i < D; i += X) as[ly][i] = a[y * depth + t + i];\n"
                 "    " STEP "\n"
                 "    for (int k = 0; k < D; k++) for (int w = 0; w < 4; w++)\n"
                 "      s[w] += as[ly][k] * b[(t + k) * n + (x + w) % n];\n"
                 "    " STEP "\n  }\n"
                 "  c[y * n + x] = (int)s[0] + 2 * (int)s[1] + 3 * (int)s[2] + 4 * (int)s[3];\n"
                 "}\n",
                 sums_at);
}

/* ---- what items and rows do apart ------------------------------------------------------------ */

static cl_int apart_at(const struct size *s, size_t n, size_t depth, size_t x, size_t y)
{
    size_t lx = x % s->x, ly = y % s->y, top = y - ly, left = x - lx;
    cl_int sum = 0;
    (void)depth;
    for (size_t k = 0; k < s->y; k++)
        if (k != ly)
            sum += a[(top + k) * n + x];
    for (size_t k = 0; k < s->x; k++)
        if (k < lx)
            sum += a[y * n + left + k];
    return ly % 3 == 1 ? -sum : lx % 5 == 2 ? sum + 1 : sum;
}

/* Some rows turn their sum around, some items add to it, none sees itself; the sum is carried
 * through a barrier whose loop it is no part of. */
static void apart(void)
{
    in_each_size(HEAD "  local T t[Y][X];\n  T s = 0;\n  t[ly][lx] = a[y * n + x];\n  " STEP "\n"
                      "  for (int k = 0; k < Y; k++) if (k != ly) s += t[k][lx];\n  " STEP "\n"
                      "  for (int k = 0; k < X; k++) if (k < lx) s += t[ly][k];\n  " STEP "\n"
                      "  if (ly % 3 == 1) s = -s; else if (lx % 5 == 2) s += 1;\n"
                      "  c[y * n + x] = (int)s;\n}\n",
                 apart_at);
}

static cl_int turned_at(const struct size *s, size_t n, size_t depth, size_t x, size_t y)
{
    size_t lx = x % s->x, ly = y % s->y, at = ly * s->x + lx;
    size_t from_x = at / s->y, from_y = at % s->y;
    (void)depth;
    return a[(y - ly + from_y) * n + x - lx + from_x] * 3 + b[y * n + x];
}

/* The group's tile is read along its columns. */
static void turned(void)
{
    in_each_size(HEAD "  local T t[Y][X];\n  T own = b[y * n + x];\n"
                      "  t[ly][lx] = a[y * n + x];\n  " STEP "\n"
                      "  int at = ly * X + lx;\n"
                      "  c[y * n + x] = (int)t[at % Y][at / Y] * 3 + (int)own;\n}\n",
                 turned_at);
}

/* ---- ids beyond 31 bits ---------------------------------------------------------------------- */

/* x is a number without a sign: around 2^31 it counts on, around 2^32 it begins again. */
#define FAR_KERNEL                                                                                 \
    "__attribute__((reqd_work_group_size(16, 16, 1)))\n"                                           \
    "kernel void k(global const int *a, global int *c, ulong first) {\n"                           \
    "  local int t[16][16];\n"                                                                     \
    "  uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0);\n"                   \
    "  ulong wide = get_global_id(0); uint at = x - (uint)first, y = get_global_id(1);\n"          \
    "  int s = 0;\n"                                                                               \
    "  for (int r = 0; r < 3; r++) {\n"                                                            \
    "    t[ly][lx] = a[y * 32 + at] + (int)(x >> 28) + r;\n    " STEP "\n"                         \
    "    for (int k = 0; k < 16; k++) s += t[ly][k] * (k + 1);\n    " STEP "\n  }\n"               \
    "  c[y * 32 + at] = s + (int)(wide - first) + (int)(x / 3 % 1000);\n}\n"

static cl_int far_at(size_t first, size_t x, size_t y)
{
    cl_int s = 0;
    for (cl_int r = 0; r < 3; r++)
        for (size_t k = 0; k < 16; k++) {
            size_t from = x - x % 16 + k;
            s += (a[y * 32 + from] + (cl_int)((cl_uint)(first + from) >> 28) + r) * (cl_int)(k + 1);
        }
    return s + (cl_int)x + (cl_int)((cl_uint)(first + x) / 3 % 1000);
}

static void far_ids(void)
{
    static const size_t firsts[] = {0,          7,          2147483640, 2147483632, 2147483616,
                                    2147483647, 4294967280, 4294967291, 4294967296};
    static const char *const options[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
    for (size_t o = 0; o < LEN(options); o++) {
        cl_kernel kernel = new_kernel(FAR_KERNEL, "k", options[o]);
        fill();
        cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
        cl_mem mc = new_buffer(CL_MEM_READ_WRITE, sizeof c, NULL);
        ARG(kernel, 0, ma);
        ARG(kernel, 1, mc);
        for (size_t f = 0; f < LEN(firsts); f++) {
            const size_t offset[2] = {firsts[f], 0}, global[2] = {32, 32}, local[2] = {16, 16};
            cl_ulong first = firsts[f];
            ARG(kernel, 2, first);
            run_nd(kernel, 2, offset, global, local);
            read_back(mc, 32 * 32 * sizeof *c, c);
            for (size_t y = 0; y < 32; y++)
                for (size_t x = 0; x < 32; x++)
                    REQUIRE(CHECK_EQ(c[y * 32 + x], far_at(firsts[f], x, y)));
        }
        RELEASE_MEM(ma);
        RELEASE_MEM(mc);
        RELEASE_KERNEL(kernel);
    }
}

static const struct test_case cases[] = {
    CASE(products), CASE(padded_products), CASE(square_products), CASE(several_sums),
    CASE(apart),    CASE(turned),          CASE(far_ids)};
TEST_MAIN("known_rows", cases)
