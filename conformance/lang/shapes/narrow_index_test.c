/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops with indices of two widths that wrap around: that the wider one does not in this launch
 * says nothing of the narrower one. The same text is the kernel's and the reference.
 */
#include "cl_help.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_uchar uchar;
typedef cl_ulong ulong;

enum { OWN = 600, ITEMS = 3, WORDS = OWN * ITEMS };

/* s: a sum; x: what is added; p: a place; n: rounds. */
#define BODIES(M)                                                                                  \
    M(                                                                                             \
        masks, for (int j = 0; j < n; j += 2) {                                                    \
            s[0] += x[j & 7];                                                                      \
            s[0] += x[(j + p) & 63];                                                               \
        })                                                                                         \
    M(                                                                                             \
        wider_first, for (int j = 0; j < n; j += 2) {                                              \
            s[0] += x[(j + p) & 63];                                                               \
            s[0] += x[j & 7];                                                                      \
        })                                                                                         \
    M(                                                                                             \
        one_by_one, for (uint j = 0; j < (uint)n; j++) {                                           \
            s[0] += x[(j + (uint)p) & 127u];                                                       \
            s[0] ^= x[j & 15u];                                                                    \
        })                                                                                         \
    M(                                                                                             \
        bytes, for (uint j = 0; j < (uint)n; j++) {                                                \
            s[0] += x[(uchar)(j + (uint)p)];                                                       \
            s[0] += x[j & 3u];                                                                     \
        })                                                                                         \
    M(                                                                                             \
        words, for (uint j = 0; j < (uint)n; j++) {                                                \
            s[0] += x[j + (uint)p];                                                                \
            s[0] += x[j & 7u];                                                                     \
        })                                                                                         \
    M(                                                                                             \
        stored, for (int j = 0; j < n; j += 2) {                                                   \
            s[1 + ((j + p) & 63)] = x[(j + p) & 63];                                               \
            s[100 + (j & 7)] = x[j & 7];                                                           \
        })

#define AS(NAME, ...)                                                                              \
    static void NAME(ulong *s, const ulong *x, int p, int n)                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define ROW(NAME, ...) {#NAME, #__VA_ARGS__, NAME},
BODIES(AS)
static const struct row {
    const char *name, *text;
    void (*item)(ulong *s, const ulong *x, int p, int n);
} rows[] = {BODIES(ROW)};

static void fill(ulong *words, ulong seed)
{
    for (size_t i = 0; i < WORDS; i++)
        words[i] = (i + seed) * 0x9e3779b97f4a7c15u >> 32;
}

static void compare(cl_kernel kernel, const struct row *row, int p, int n)
{
    static ulong s[WORDS], x[WORDS], got[WORDS];
    fill(s, 1);
    fill(x, 77);
    cl_mem sums = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof s, s);
    cl_mem added = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    ARG(kernel, 0, sums);
    ARG(kernel, 1, added);
    ARG(kernel, 2, p);
    ARG(kernel, 3, n);
    run_1d(kernel, ITEMS, 1);
    read_back(sums, sizeof got, got);
    for (size_t i = 0; i < ITEMS; i++)
        row->item(s + i * OWN, x + i * OWN, p, n);
    for (size_t i = 0; i < WORDS; i++)
        if (got[i] != s[i]) {
            check_fail(__FILE__, __LINE__, "%s, p %d, n %d: word %zu is %llu, not %llu", row->name,
                       p, n, i, (unsigned long long)got[i], (unsigned long long)s[i]);
            check_abandon();
        }
    RELEASE_MEM(sums);
    RELEASE_MEM(added);
}

static void two_widths(void)
{
    static const int starts[] = {0, 3}, rounds[] = {0, 1, 17, 33, 61, 200};
    for (size_t r = 0; r < LEN(rows); r++) {
        char source[2048];
        snprintf(source, sizeof source,
                 "kernel void add(global ulong *s, global const ulong *x, int p, int n)\n"
                 "{\n"
                 "    s += %d * get_global_id(0);\n"
                 "    x += %d * get_global_id(0);\n"
                 "    %s\n}\n",
                 OWN, OWN, rows[r].text);
        cl_program program = built(source, NULL);
        cl_kernel kernel = kernel_of(program, "add");
        for (size_t n = 0; n < LEN(rounds); n++)
            compare(kernel, &rows[r], starts[n % 2], rounds[n]);
        for (size_t n = 0; n < LEN(rounds); n++)
            compare(kernel, &rows[r], starts[(n + 1) % 2], rounds[n]);
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(program);
    }
}

/* Items of a group whose places go round within a row: the index of six bits is a part of the one
 * of 32. */
static void row_goes_round(void)
{
    enum { ROW = 64, GROUP = ROW * 2 * 3, TILE = 6144, GROUPS = 3 };
    static cl_int in[GROUPS * GROUP], got[GROUPS * GROUP];
    cl_program program =
        built("__attribute__((reqd_work_group_size(64, 2, 3)))\n"
              "kernel void add(global const int *all, global int *tiles, global int *sums)\n"
              "{\n"
              "    local int s[6144];\n"
              "    const uint x = get_global_id(0) - get_group_id(0) * 64, y = get_local_id(1);\n"
              "    const uint z = get_local_id(2), l = (z * 2 + y) * 64 + x;\n"
              "    const size_t g = get_group_id(0);\n"
              "    for (int i = l; i < 6144; i += 384) s[i] = i % 89;\n"
              "    int acc = all[g * 384 + l];\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
              "    if (z == 0) {\n"
              "        acc = acc * 3 + s[y * 64 + ((x + 3) % 64)];\n"
              "        acc = acc * 3 + s[y * 64 + ((x + 3) % 64) + 1];\n"
              "    }\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
              "    sums[g * 384 + l] = acc;\n"
              "    for (int i = l; i < 6144; i += 384) tiles[g * 6144 + i] = s[i];\n"
              "}\n",
              NULL);
    cl_kernel kernel = kernel_of(program, "add");
    for (cl_int i = 0; i < GROUPS * GROUP; i++)
        in[i] = i * 7919 % 500;
    cl_mem all = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           tiles = new_buffer(CL_MEM_READ_WRITE, GROUPS * TILE * sizeof(cl_int), NULL),
           sums = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    const size_t global[] = {GROUPS * ROW, 2, 3}, local[] = {ROW, 2, 3};
    ARG(kernel, 0, all);
    ARG(kernel, 1, tiles);
    ARG(kernel, 2, sums);
    run_nd(kernel, 3, NULL, global, local);
    read_back(sums, sizeof got, got);
    for (cl_int i = 0; i < GROUPS * GROUP; i++) {
        const cl_int l = i % GROUP, at = l / ROW * ROW + (l % ROW + 3) % ROW;
        const cl_int wanted = l < 2 * ROW ? (in[i] * 3 + at % 89) * 3 + (at + 1) % 89 : in[i];
        if (!CHECK_EQ(got[i], wanted))
            break;
    }
    RELEASE_MEM(all);
    RELEASE_MEM(tiles);
    RELEASE_MEM(sums);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {CASE(two_widths), CASE(row_goes_round)};
TEST_MAIN("narrow_index", cases)
