/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices whose rows lie as people keep them: one below the other, at indices of any
 * type; loops of any number of rounds, whose words somebody may change on the way. The sums are
 * small enough to be exact.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 16, ROUND = 16, MOST_ROUNDS = 8, MOST_M = 64, MOST_N = 64 };

static const struct kind {
    const char *name, *sum;
    unsigned in_word; /* numbers in a short of a; twice as many in an int of b */
    bool real;
} kinds[] = {
    {"i8_i8_matrix_mad_k32", "int", 2, false},
    {"bf16_bf16_matrix_mad_k16", "float", 1, true},
};

static const char source[] =
    "#define ALL(i, n) _Pragma(\"unroll\") for (int i = 0; i < n; i++)\n"
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "__attribute__((intel_reqd_sub_group_size(16)))\n"
    "kernel void k(global short *a, global const int *b, global C *c, T n, T pitch)\n"
    "{\n"
    "    T me = get_sub_group_local_id();\n"
    "    T row = get_global_id(1) * 8 * ROWS, col = get_group_id(0) * 16 * COLUMNS;\n"
    "    JOIN(C, 8) sums[ROWS][COLUMNS];\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) sums[r][q] = 0;\n"
    "    for (T at = 0; at < pitch; at += 16) {\n"
    "        short8 x[ROWS];\n"
    "        int8 y[COLUMNS];\n"
    "        ALL(r, ROWS) ALL(i, 8) x[r][i] = a[(row + 8 * r + i) * pitch + at + me];\n"
    "        ALL(q, COLUMNS) ALL(i, 8) y[q][i] = PACKED\n"
    "            ? b[(at / 2 + i) * 16 + (col + 16 * q) * (pitch / 2) + me]\n"
    "            : b[(at / 2 + i) * n + col + 16 * q + me];\n"
    "        ALL(r, ROWS) ALL(q, COLUMNS) sums[r][q] = MAD(x[r], y[q], sums[r][q]);\n"
    "        if (CHANGES && at + 16 < pitch)\n"
    "            a[(row + 3) * pitch + at + 16 + me] = x[0][5];\n"
    "    }\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) ALL(i, 8)\n"
    "        c[(row + 8 * r + i) * n + col + 16 * q + me] = sums[r][q][i];\n"
    "}\n";

static cl_ushort a[MOST_M * ROUND * MOST_ROUNDS], changed[LEN(a)];
static cl_uint b[MOST_N * ROUND * MOST_ROUNDS / 2], packed[LEN(b)];
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
    return kind->real ? as.u >> 16 : (cl_uint)number & 0xff;
}

static int number_of(const struct kind *kind, cl_uint word, unsigned part)
{
    union {
        cl_uint u;
        float f;
    } as = {word >> 16 * part << 16};
    return kind->real ? (int)as.f : (cl_char)(word >> 8 * part);
}

static cl_uint word_of(const struct kind *kind, size_t i, unsigned parts)
{
    cl_uint word = 0;
    for (unsigned p = 0; p < parts; p++)
        word |= bits_of(kind, small(i * parts + p)) << (kind->real ? 16 : 8) * p;
    return word;
}

static void make_inputs(const struct kind *kind, size_t m, size_t n, size_t pitch)
{
    for (size_t i = 0; i < m * pitch; i++)
        a[i] = changed[i] = (cl_ushort)word_of(kind, i, kind->in_word);
    for (size_t k = 0; k < pitch / 2; k++)
        for (size_t j = 0; j < n; j++) {
            b[k * n + j] = word_of(kind, k * n + j + 77, 2 * kind->in_word);
            packed[(j / 16 * (pitch / 2) + k) * 16 + j % 16] = b[k * n + j];
        }
}

/* What the kernel does to a as it goes on, for one column of sub-groups. */
static void change(size_t m, size_t rows, size_t pitch)
{
    for (size_t row = 0; row < m; row += 8 * rows)
        for (size_t at = 0; at + ROUND < pitch; at++)
            changed[(row + 3) * pitch + at + ROUND] = changed[(row + 5) * pitch + at];
}

static int expected(const struct kind *kind, size_t row, size_t column, size_t n, size_t pitch)
{
    int sum = 0;
    for (size_t k = 0; k < pitch; k++)
        for (unsigned p = 0; p < kind->in_word; p++)
            sum += number_of(kind, changed[row * pitch + k], p) *
                   number_of(kind, b[k / 2 * n + column], (unsigned)(k % 2) * kind->in_word + p);
    return sum;
}

static void check_sums(const struct kind *kind, size_t m, size_t n, size_t pitch, const char *what)
{
    for (size_t i = 0; i < m * n; i++) {
        int sum = expected(kind, i / n, i % n, n, pitch);
        bool right = kind->real ? c.real[i] == (float)sum : c.whole[i] == sum;
        if (!CHECK(right)) {
            printf("%s, row %zu, column %zu\n", what, i / n, i % n);
            return;
        }
    }
}

static void run_shape(const struct kind *kind, const char *type, const unsigned shape[3],
                      size_t rounds)
{
    const unsigned rows = shape[0], columns = shape[1], changes = shape[2];
    const size_t groups_x = changes ? 1 : 2, groups_y = rounds % 2 + 1;
    const size_t m = 8 * rows * groups_y, n = 16 * columns * groups_x, pitch = ROUND * rounds;
    const bool wide = !strcmp(type, "size_t");
    char options[256];
    make_inputs(kind, m, n, pitch);
    if (changes)
        change(m, rows, pitch);
    for (unsigned pack = rows == 1; pack < 2; pack += 1 + (columns == 1)) {
        snprintf(options, sizeof options,
                 "-cl-std=CL3.0 -D T=%s -D ROWS=%u -D COLUMNS=%u -D CHANGES=%u -D PACKED=%u "
                 "-D C=%s -D MAD=intel_sub_group_%s",
                 wide ? "long" : type, rows, columns, changes, pack, kind->sum, kind->name);
        cl_kernel kernel = new_kernel(source, "k", options);
        cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, m * pitch * sizeof *a, a);
        cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, pitch / 2 * n * sizeof *b, pack ? packed : b);
        cl_mem z = new_buffer(0, m * n * sizeof *c.whole, NULL);
        ARG(kernel, 0, x);
        ARG(kernel, 1, y);
        ARG(kernel, 2, z);
        const cl_ulong sizes[2] = {n, pitch}; /* little end first */
        for (cl_uint i = 0; i < 2; i++)
            CHECK_OK(clSetKernelArg(kernel, 3 + i, wide ? 8 : 4, &sizes[i]));
        run_nd(kernel, 2, NULL, (const size_t[]){ITEMS * groups_x, groups_y},
               (const size_t[]){ITEMS, 1});
        read_back(z, m * n * sizeof *c.whole, &c);
        check_sums(kind, m, n, pitch, options);
        RELEASE_MEM(x);
        RELEASE_MEM(y);
        RELEASE_MEM(z);
        RELEASE_KERNEL(kernel);
    }
}

static void run_type(const char *type)
{
    static const unsigned shapes[][3] = {/* rows, columns, changes */
                                         {4, 2, 0},
                                         {4, 1, 0},
                                         {1, 1, 0},
                                         {2, 2, 1},
                                         {1, 2, 1}};
    static const size_t rounds[] = {1, 2, 3, 8, 5};
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (size_t k = 0; k < LEN(kinds); k++)
        for (size_t s = 0; s < LEN(shapes); s++)
            for (size_t more = 0; more <= 2; more += 2)
                if (check_chosen(3))
                    run_shape(&kinds[k], type, shapes[s], rounds[(s + k + more) % LEN(rounds)]);
}

static void ints(void)
{
    run_type("int");
}

static void unsigned_ints(void)
{
    run_type("uint");
}

static void longs(void)
{
    run_type("size_t");
}

static const struct test_case cases[] = {CASE(ints), CASE(unsigned_ints), CASE(longs)};
TEST_MAIN("matrix_rows", cases)
