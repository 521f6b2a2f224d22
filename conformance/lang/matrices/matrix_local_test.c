/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices whose groups share tiles in local memory: sums live across barriers, in
 * front of a round's products or behind them; next to plain C. All sums are exact.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS = 2, MOST_M = 8 * 4 * 3 * GROUPS, MOST_N = 16 * 2 * 3 * GROUPS, MOST_PITCH = 160 };

static const struct kind {
    const char *name, *sum, *part;
    unsigned in_word; /* numbers in a short of a; twice as many in an int of b */
} kinds[] = {
    {"i8_i8_matrix_mad_k32", "int", "uchar", 2},
    {"bf16_bf16_matrix_mad_k16", "float", "ushort", 1},
};

static const char source[] =
    "#define ALL(i, n) _Pragma(\"unroll\") for (int i = 0; i < n; i++)\n"
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "__attribute__((reqd_work_group_size(16 * GX, GY, 1), intel_reqd_sub_group_size(16)))\n"
    "kernel void k(global const short *a, global const E *b, global C *c, int n, int pitch)\n"
    "{\n"
    "    local int tb[DEEP / 2][16 * COLUMNS * GX];\n"
    "    local short ta[8 * ROWS * GY][DEEP];\n"
    "    int me = get_sub_group_local_id(), x = get_local_id(0), y = get_local_id(1);\n"
    "    int top = get_group_id(1) * GY * 8 * ROWS, down = y * 8 * ROWS;\n"
    "    int first = get_group_id(0) * GX * 16 * COLUMNS, mine = x / 16 * 16 * COLUMNS;\n"
    "    JOIN(C, 8) sums[ROWS][COLUMNS];\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) sums[r][q] = START;\n"
    "    for (int at = 0; at < pitch; at += DEEP) {\n"
    "        if (!LATE) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = y; k < DEEP / 2; k += GY)\n"
    "            for (int j = x; j < 16 * COLUMNS * GX; j += 16 * GX) {\n"
    "                global const E *from = b + (at / 2 + k) * PARTS * n + first + j;\n"
    "                JOIN(E, PARTS) word;\n"
    "                ALL(p, PARTS) word[p] = from[p * n];\n"
    "                tb[k][j] = as_int(word);\n"
    "            }\n"
    "        if (BOTH)\n"
    "            for (int m = y; m < 8 * ROWS * GY; m += GY)\n"
    "                for (int k = x; k < DEEP; k += 16 * GX)\n"
    "                    ta[m][k] = a[(top + m) * pitch + at + k];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        ALL(s, DEEP / 16) {\n"
    "            short8 left[ROWS];\n"
    "            int8 right[COLUMNS];\n"
    "            ALL(r, ROWS) ALL(i, 8) left[r][i] =\n"
    "                BOTH ? ta[down + 8 * r + i][16 * s + me]\n"
    "                     : a[(top + down + 8 * r + i) * pitch + at + 16 * s + me];\n"
    "            ALL(q, COLUMNS) ALL(i, 8) right[q][i] = tb[8 * s + i][mine + 16 * q + me];\n"
    "            ALL(r, ROWS) ALL(q, COLUMNS)\n"
    "                sums[r][q] = MAD(left[r], right[q], sums[r][q]);\n"
    "        }\n"
    "        if (LATE) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) ALL(i, 8)\n"
    "        c[(top + down + 8 * r + i) * n + first + mine + 16 * q + me] = sums[r][q][i];\n"
    "}\n";

static int a[MOST_M][2 * MOST_PITCH], b[2 * MOST_PITCH][MOST_N];
static cl_ushort a_words[MOST_M * MOST_PITCH], b_halves[2 * MOST_PITCH * MOST_N];
static union {
    cl_int whole[MOST_M * MOST_N];
    cl_float real[MOST_M * MOST_N];
} c;

/* From -4 to 4. */
static int small(size_t i)
{
    return (int)((i * 2654435761u >> 11) % 9) - 4;
}

static cl_uint bits_of(const struct kind *kind, int number)
{
    union {
        float f;
        cl_uint u;
    } as = {(float)number};
    return kind->in_word == 1 ? as.u >> 16 : (cl_uint)number & 0xff;
}

struct shape {
    unsigned rows, columns, gx, gy, deep, rounds, late, both, start;
};

static size_t make_inputs(const struct kind *kind, size_t m, size_t n, size_t pitch)
{
    const size_t length = pitch * kind->in_word;
    cl_uchar *bytes = (cl_uchar *)b_halves;
    memset(a_words, 0, sizeof a_words);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < length; k++) {
            const size_t in = k % kind->in_word, at = i * pitch + k / kind->in_word;
            a[i][k] = small(i * 977 + k);
            a_words[at] = (cl_ushort)(a_words[at] | bits_of(kind, a[i][k]) << 8 * in);
        }
    for (size_t k = 0; k < length; k++)
        for (size_t j = 0; j < n; j++) {
            b[k][j] = small(k * 1021 + j + 5);
            if (kind->in_word == 1)
                b_halves[k * n + j] = (cl_ushort)bits_of(kind, b[k][j]);
            else
                bytes[k * n + j] = (cl_uchar)bits_of(kind, b[k][j]);
        }
    return length;
}

static void check_sums(const struct kind *kind, const struct shape *s, size_t m, size_t n,
                       size_t length)
{
    for (size_t i = 0; i < m * n; i++) {
        int sum = (int)s->start;
        for (size_t k = 0; k < length; k++)
            sum += a[i / n][k] * b[k][i % n];
        if (!CHECK(kind->in_word == 1 ? c.real[i] == (float)sum : c.whole[i] == sum)) {
            printf("%s, row %zu, column %zu\n", kind->name, i / n, i % n);
            return;
        }
    }
}

static void run_shape(const struct kind *kind, const struct shape *s)
{
    const size_t m = 8 * s->rows * s->gy * GROUPS, n = 16 * s->columns * s->gx * GROUPS;
    const size_t pitch = s->deep * s->rounds, length = make_inputs(kind, m, n, pitch);
    const size_t global[] = {16 * s->gx * GROUPS, s->gy * GROUPS}, local[] = {16 * s->gx, s->gy};
    const cl_int sizes[] = {(cl_int)n, (cl_int)pitch};
    char options[400];
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -D ROWS=%u -D COLUMNS=%u -D GX=%u -D GY=%u -D DEEP=%u -D LATE=%u "
             "-D BOTH=%u -D START=%u -D C=%s -D E=%s -D PARTS=%u -D MAD=intel_sub_group_%s",
             s->rows, s->columns, s->gx, s->gy, s->deep, s->late, s->both, s->start, kind->sum,
             kind->part, 2 * kind->in_word, kind->name);
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a_words, a_words);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b_halves, b_halves);
    cl_mem z = new_buffer(0, sizeof c, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, y);
    ARG(kernel, 2, z);
    ARG(kernel, 3, sizes[0]);
    ARG(kernel, 4, sizes[1]);
    run_nd(kernel, 2, NULL, global, local);
    read_back(z, m * n * sizeof *c.whole, &c);
    check_sums(kind, s, m, n, length);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_MEM(z);
    RELEASE_KERNEL(kernel);
}

static const struct shape shapes[] = {
    /* rows, columns, gx, gy, deep, rounds, late, both, start */
    {4, 2, 2, 3, 32, 3, 0, 0, 0}, {2, 2, 2, 2, 64, 2, 1, 1, 5}, {2, 2, 3, 2, 32, 5, 1, 0, 1},
    {1, 1, 1, 1, 32, 2, 0, 1, 0}, {2, 1, 2, 1, 16, 4, 0, 1, 3}, {3, 1, 1, 2, 32, 1, 1, 0, 0},
    {4, 1, 1, 3, 48, 2, 0, 0, 2},
};

static void run_kind(const struct kind *kind)
{
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (size_t k = 0; k < LEN(shapes); k++)
        run_shape(kind, &shapes[k]);
}

static void bytes(void)
{
    run_kind(&kinds[0]);
}

static void bfloats(void)
{
    run_kind(&kinds[1]);
}

static const struct test_case cases[] = {CASE(bytes), CASE(bfloats)};
TEST_MAIN("matrix_local", cases)
