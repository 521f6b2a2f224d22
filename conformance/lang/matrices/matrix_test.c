/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_subgroup_matrix_multiply_accumulate: all functions in sub-groups of 8 and of 16 items,
 * of any bits, one product and sums of several in a loop, next to plain C. Numbers with fractions
 * are such that all sums are exact, in whatever order, and some are infinite or none.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 8, MOST_ROWS = 8, MOST_ITEMS = 16, MOST_SUB_GROUPS = 15, MOST_TURNS = 5 };
enum { MOST_A = MOST_SUB_GROUPS * MOST_TURNS * MOST_ROWS * WORDS };
enum { MOST_B = MOST_SUB_GROUPS * MOST_TURNS * WORDS * MOST_ITEMS };
enum { MOST_C = MOST_SUB_GROUPS * MOST_ROWS * MOST_ITEMS };

/* ---- kinds of numbers ------------------------------------------------------------------------ */

typedef double (*number_fn)(cl_uint word, unsigned k);

static double i8(cl_uint word, unsigned k)
{
    return (cl_char)(word >> 8 * k);
}

static double u8(cl_uint word, unsigned k)
{
    return (cl_uchar)(word >> 8 * k);
}

static double i4(cl_uint word, unsigned k)
{
    return (cl_int)(word << (28 - 4 * k)) >> 28;
}

static double u4(cl_uint word, unsigned k)
{
    return word >> 4 * k & 15;
}

static double float_of(cl_uint bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double bf16(cl_uint word, unsigned k)
{
    return float_of(word >> 16 * k << 16);
}

static double half_number(cl_uint bits)
{
    int exponent = bits >> 10 & 31;
    double part = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return part != 0 ? (double)NAN : sign * HUGE_VAL;
    return sign * (exponent ? ldexp(part + 1024, exponent - 25) : ldexp(part, -24));
}

static double f16(cl_uint word, unsigned k)
{
    return half_number(word >> 16 * k & 0xffff);
}

/* Whole numbers below 16 and their halves, as the upper half of a float and as a half. */
static cl_uint small_bits(cl_uint random, bool half)
{
    cl_uint sign = random & 0x8000, size = random & 31;
    float value = (float)size / 2;
    cl_uint bits;
    memcpy(&bits, &value, sizeof bits);
    if (!half || !size)
        return sign | bits >> 16;
    return sign | ((bits >> 23) - 112) << 10 | (bits >> 13 & 1023);
}

static const struct kind {
    const char *name, *u[2]; /* "u": of a, of b */
    unsigned k;
    number_fn a, b;
    bool real, half;
} kinds[] = {
    {"i8_i8", {"", ""}, 32, i8, i8, false, false},
    {"i8_u8", {"", "u"}, 32, i8, u8, false, false},
    {"u8_i8", {"u", ""}, 32, u8, i8, false, false},
    {"u8_u8", {"u", "u"}, 32, u8, u8, false, false},
    {"i4_i4", {"", ""}, 64, i4, i4, false, false},
    {"i4_u4", {"", "u"}, 64, i4, u4, false, false},
    {"u4_i4", {"u", ""}, 64, u4, i4, false, false},
    {"u4_u4", {"u", "u"}, 64, u4, u4, false, false},
    {"bf16_bf16", {"", ""}, 16, bf16, bf16, true, false},
    {"f16_f16", {"", ""}, 16, f16, f16, true, true},
};

/* ---- one way to call a function -------------------------------------------------------------- */

struct way {
    const struct kind *kind;
    unsigned items, rows, turns, sub_groups;
    bool small_sums; /* of 16 bits */
};

static cl_uint a_words[MOST_A], b_words[MOST_B], c_words[MOST_C], d_words[MOST_C];
static cl_ushort c_shorts[MOST_C], d_shorts[MOST_C];
static cl_uint seed;

static cl_uint any_bits(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 16 | seed << 16;
}

static cl_uint any_word(const struct kind *kind)
{
    static const cl_uint extremes[] = {0x80808080, 0x7f7f7f7f, 0xffffffff, 0};
    cl_uint bits = any_bits();
    if (kind->real)
        return small_bits(bits, kind->half) | small_bits(any_bits(), kind->half) << 16;
    return bits % 9 ? bits : extremes[any_bits() % 4];
}

static cl_uint float_bits(double value)
{
    float single = (float)value;
    cl_uint bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* Sums to begin with: any whole ones, or small ones that neither half nor bfloat16 rounds. */
static void make_inputs(const struct way *w, bool special)
{
    for (size_t i = 0; i < MOST_A; i++)
        a_words[i] = any_word(w->kind);
    for (size_t i = 0; i < MOST_B; i++)
        b_words[i] = any_word(w->kind);
    for (size_t i = 0; i < MOST_C; i++) {
        cl_uint bits = any_bits();
        c_words[i] = w->kind->real ? float_bits((double)(cl_int)(bits % 64) - 31) : bits;
        c_shorts[i] = (cl_ushort)small_bits(bits, w->kind->half);
    }
    const cl_uint infinite = w->kind->half ? 0x7c00 : 0x7f80, none = infinite + 1 + (1 << 6);
    for (size_t i = 0; special && i < MOST_A; i += 29)
        a_words[i] = (a_words[i] & 0xffff) | (i % 2 ? infinite : none) << 16;
    for (size_t i = 0; special && i < MOST_B; i += 43)
        b_words[i] = (b_words[i] & 0xffff0000) | infinite | (i % 3 ? 0x8000 : 0);
}

static double first_sum(const struct way *w, size_t at)
{
    if (w->small_sums)
        return w->kind->half ? half_number(c_shorts[at]) : float_of((cl_uint)c_shorts[at] << 16);
    return w->kind->real ? float_of(c_words[at]) : (cl_int)c_words[at];
}

static size_t wide_row(const struct way *w, unsigned sub_group, unsigned turn)
{
    return sub_group * w->turns + turn;
}

/* Rounded after each product where sums are small. */
static double rounded(const struct way *w, double sum)
{
    if (!w->small_sums || isnan(sum) || isinf(sum))
        return sum;
    int exponent, digits = w->kind->half ? 11 : 8;
    double part = frexp(sum, &exponent), whole = nearbyint(ldexp(part, digits));
    return ldexp(whole, exponent - digits);
}

static double expected(const struct way *w, unsigned sub_group, unsigned m, unsigned n)
{
    double sum = first_sum(w, (sub_group * w->rows + m) * w->items + n);
    for (unsigned t = 0; t < w->turns; t++) {
        const cl_uint *a = a_words + (wide_row(w, sub_group, t) * w->rows + m) * WORDS;
        const cl_uint *b = b_words + wide_row(w, sub_group, t) * WORDS * w->items + n;
        for (unsigned k = 0; k < WORDS; k++)
            for (unsigned p = 0; p < w->kind->k / WORDS; p++)
                sum += w->kind->a(a[k], p) * w->kind->b(b[k * w->items], p);
        sum = rounded(w, sum);
    }
    return sum;
}

static void check_one(const struct way *w, size_t at, double sum)
{
    double found =
        w->kind->half ? half_number(d_shorts[at]) : float_of((cl_uint)d_shorts[at] << 16);
    if (!w->kind->real) {
        CHECK_EQ(d_words[at], (cl_uint)(cl_long)sum);
        return;
    }
    if (!w->small_sums)
        found = float_of(d_words[at]);
    if (isnan(sum))
        CHECK(isnan(found));
    else
        CHECK_EQ(float_bits(found), float_bits(sum));
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char source[] =
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#endif\n"
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "#if ROWS == 1\n"
    "#define WIDE(T) T\n"
    "#define PART(x, m) x\n"
    "#else\n"
    "#define WIDE(T) JOIN(T, ROWS)\n"
    "#define PART(x, m) x[m]\n"
    "#endif\n"
    "#ifndef cl_intel_subgroup_matrix_multiply_accumulate\n"
    "#error no macro of its own\n"
    "#endif\n"
    "#ifdef REQUIRED\n"
    "__attribute__((intel_reqd_sub_group_size(REQUIRED)))\n"
    "#endif\n"
    "kernel void k(global const A *a, global const B *b, global const C *c, global C *d,\n"
    "              uint turns)\n"
    "{\n"
    "    size_t s = get_global_id(0) / ITEMS;\n"
    "    uint me = get_sub_group_local_id();\n"
    "    WIDE(C) sums;\n"
    "    for (int m = 0; m < ROWS; m++)\n"
    "        PART(sums, m) = c[(s * ROWS + m) * ITEMS + me];\n"
    "    for (size_t t = s * turns; t < (s + 1) * turns; t++) {\n"
    "        WIDE(A) x;\n"
    "        JOIN(B, 8) y;\n"
    "        for (int m = 0; m < ROWS; m++)\n"
    "            PART(x, m) = a[(t * ROWS + m) * ITEMS + me];\n"
    "        for (int i = 0; i < 8; i++)\n"
    "            y[i] = b[(t * 8 + i) * ITEMS + me];\n"
    "        sums = MAD(x, y, sums);\n"
    "    }\n"
    "    for (int m = 0; m < ROWS; m++)\n"
    "        d[(s * ROWS + m) * ITEMS + me] = PART(sums, m);\n"
    "}\n";

enum { OPTIONS = 384 };

static void need(void)
{
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
}

static void write_options(char *options, size_t size, const struct way *w, const char *more)
{
    const char *small = w->kind->half ? "half" : "short";
    snprintf(options, size,
             "-cl-std=CL3.0 -D ROWS=%u -D ITEMS=%u -D A=%s%s -D B=%sint -D C=%s "
             "-D MAD=intel_sub_group_%s_matrix_mad_k%u %s",
             w->rows, w->items, w->kind->u[0], w->items == 8 ? "int" : "short", w->kind->u[1],
             w->small_sums   ? small
             : w->kind->real ? "float"
                             : "int",
             w->kind->name, w->kind->k, more);
}

static cl_kernel kernel_for(const struct way *w, const char *more)
{
    char options[OPTIONS], all[64];
    snprintf(all, sizeof all, "-D REQUIRED=%u %s", w->items, more);
    write_options(options, sizeof options, w, all);
    return new_kernel(source, "k", options);
}

static void run_way(cl_kernel kernel, const struct way *w, size_t local, bool special)
{
    const size_t bytes = w->small_sums ? sizeof c_shorts : sizeof c_words;
    make_inputs(w, special);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a_words, a_words);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b_words, b_words);
    cl_mem c = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, w->small_sums ? (void *)c_shorts : c_words);
    cl_mem d = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, w->small_sums ? (void *)c_shorts : c_words);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, c);
    ARG(kernel, 3, d);
    ARG(kernel, 4, w->turns);
    size_t global = (size_t)w->sub_groups * w->items;
    local *= w->items;
    run_nd(kernel, 1, NULL, &global, &local);
    read_back(d, bytes, w->small_sums ? (void *)d_shorts : d_words);
    for (unsigned s = 0; s < w->sub_groups; s++)
        for (unsigned m = 0; m < w->rows; m++)
            for (unsigned n = 0; n < w->items; n++)
                check_one(w, (s * w->rows + m) * w->items + n, expected(w, s, m, n));
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(c);
    RELEASE_MEM(d);
}

static void run_turns(cl_kernel kernel, struct way w)
{
    for (w.turns = 1; w.turns <= MOST_TURNS; w.turns += 2) {
        w.sub_groups = 1;
        run_way(kernel, &w, 1, false);
        w.sub_groups = MOST_SUB_GROUPS;
        run_way(kernel, &w, 3, w.kind->real);
        run_way(kernel, &w, 5, false);
    }
}

static void run_ways(struct way w, const char *more)
{
    for (w.items = w.small_sums ? 16 : 8; w.items <= 16; w.items += 8)
        for (w.rows = 1; w.rows <= MOST_ROWS; w.rows *= 2) {
            if (!check_chosen(3))
                continue;
            cl_kernel kernel = kernel_for(&w, more);
            run_turns(kernel, w);
            RELEASE_KERNEL(kernel);
        }
}

static void run_kinds(bool real, bool small_sums, const char *more)
{
    need();
    for (size_t k = 0; k < LEN(kinds); k++)
        if (kinds[k].real == real &&
            (!small_sums || !kinds[k].half || has_extension("cl_khr_fp16")))
            run_ways((struct way){.kind = &kinds[k], .small_sums = small_sums}, more);
}

static void whole_numbers(void)
{
    run_kinds(false, false, "");
}

static void real_numbers(void)
{
    run_kinds(true, false, "");
}

static void small_sums(void)
{
    run_kinds(true, true, "");
}

/* The sub-groups of a kernel that says nothing are those of its products. */
static void without_a_size(void)
{
    static const size_t some[] = {0, 6, 8};
    need();
    for (size_t k = 0; k < LEN(some); k++)
        for (unsigned items = 8; items <= 16; items += 8) {
            const struct way w = {.kind = &kinds[some[k]], .items = items, .rows = 4};
            char options[OPTIONS];
            size_t size = 0;
            write_options(options, sizeof options, &w, k == 1 ? "-cl-opt-disable" : "");
            cl_kernel kernel = new_kernel(source, "k", options);
            CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device,
                                             CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                                             sizeof size, &size, NULL));
            CHECK_EQ(size, items);
            run_turns(kernel, w);
            RELEASE_KERNEL(kernel);
        }
}

static void expect_refused(const struct way *w, unsigned required, const char *more)
{
    char options[OPTIONS], all[64], wanted[64], log[1024] = "";
    snprintf(all, sizeof all, "-D REQUIRED=%u %s", required, more);
    snprintf(wanted, sizeof wanted,
             "is for sub-groups of %u items, and those of the kernel have %u", w->items, required);
    write_options(options, sizeof options, w, all);
    cl_program program = new_program(source);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
    CHECK_OK(
        clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, wanted) && strstr(log, "kernel 'k'"));
    RELEASE_PROGRAM(program);
}

/* In other sub-groups it would be no product. */
static void of_another_size(void)
{
    need();
    for (unsigned items = 8; items <= 16; items += 8) {
        const struct way w = {.kind = &kinds[0], .items = items, .rows = 8};
        expect_refused(&w, 24 - items, "");
        expect_refused(&w, 24 - items, "-cl-opt-disable");
        expect_refused(&w, 4, "");
        expect_refused(&w, 32, "");
    }
}

/* LLVM makes one sum of the two: it has to build. Values are those of the arm that is taken. */
static void in_both_arms(void)
{
    static const char arms[] =
        "__attribute__((intel_reqd_sub_group_size(16)))\n"
        "kernel void k(global const short *a, global const int *b, global int *d, int n, int at)\n"
        "{\n"
        "    int me = get_sub_group_local_id();\n"
        "    int8 s = 0;\n"
        "    for (int w = 0; w < n; w++) {\n"
        "        short8 x; int8 y;\n"
        "        for (int i = 0; i < 8; i++) { x[i] = a[i * 16 + me]; y[i] = b[i * 16 + me]; }\n"
        "        if (w != at) s = intel_sub_group_i8_i8_matrix_mad_k32(x, y, s);\n"
        "        else s = intel_sub_group_u8_u8_matrix_mad_k32(as_ushort8(x), as_uint8(y), s);\n"
        "    }\n"
        "    for (int i = 0; i < 8; i++) d[i * 16 + me] = s[i];\n"
        "}\n";
    static cl_uchar a[8][32], b[8][16][4];
    static cl_int d[8][16];
    const cl_int n = 5, at = 2;
    need();
    for (int i = 0; i < 8 * 32; i++)
        a[i / 32][i % 32] = (cl_uchar)(i * 37 + 11);
    for (int i = 0; i < 8 * 16 * 4; i++)
        b[i / 64][i / 4 % 16][i % 4] = (cl_uchar)(i * 53 + 7);
    cl_kernel kernel = new_kernel(arms, "k", "-cl-std=CL3.0");
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem z = new_buffer(CL_MEM_READ_WRITE, sizeof d, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, y);
    ARG(kernel, 2, z);
    ARG(kernel, 3, n);
    ARG(kernel, 4, at);
    run_1d(kernel, 16, 16);
    read_back(z, sizeof d, d);
    for (int m = 0; m < 8; m++)
        for (int i = 0; i < 16; i++) {
            cl_int sum = 0;
            for (int k = 0; k < 32; k++)
                sum += (n - 1) * (cl_char)a[m][k] * (cl_char)b[k / 4][i][k % 4] +
                       a[m][k] * b[k / 4][i][k % 4];
            CHECK_EQ(d[m][i], sum);
        }
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_MEM(z);
    RELEASE_KERNEL(kernel);
}

static void without_optimiser(void)
{
    run_kinds(true, true, "-cl-opt-disable");
    run_ways((struct way){.kind = &kinds[1]}, "-cl-opt-disable");
    run_ways((struct way){.kind = &kinds[6]}, "-cl-opt-disable");
    run_ways((struct way){.kind = &kinds[9]}, "-cl-opt-disable");
}

/* ---- matrices of many blocks: sums that stay in a loop, of blocks that share a and b --------- */

enum { WIDE_WORDS = 48, MOST_BLOCKS = 8, GROUPS = 3, MOST_WIDE = 16 * MOST_BLOCKS * GROUPS };

static cl_uint wide_a[MOST_WIDE * WIDE_WORDS], wide_b[MOST_WIDE * WIDE_WORDS];
static cl_uint wide_c[MOST_WIDE * MOST_WIDE];

/* b lies in columns of sixteen. STEPS products follow each other in a round. */
static const char wide_source[] =
    "#define ALL(i, n) _Pragma(\"unroll\") for (int i = 0; i < n; i++)\n"
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "__attribute__((intel_reqd_sub_group_size(16)))\n"
    "kernel void k(global const A *a, global const B *b, global C *c, uint n, uint words)\n"
    "{\n"
    "    uint me = get_sub_group_local_id();\n"
    "    size_t row = get_group_id(1) * 8 * ROWS, pitch = 2 * words;\n"
    "    size_t col = (get_global_id(0) / 16) * 16 * COLUMNS;\n"
    "    JOIN(C, 8) sums[ROWS][COLUMNS];\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) sums[r][q] = START;\n"
    "    for (size_t w = 0; w < words; w += 8 * STEPS)\n"
    "        ALL(s, STEPS) {\n"
    "            JOIN(A, 8) x[ROWS];\n"
    "            JOIN(B, 8) y[COLUMNS];\n"
    "            ALL(r, ROWS) ALL(i, 8)\n"
    "                x[r][i] = a[(row + 8 * r + i) * pitch + 2 * (w + 8 * s) + me];\n"
    "            ALL(q, COLUMNS) ALL(i, 8)\n"
    "                y[q][i] = b[(col + 16 * q) * words + (w + 8 * s + i) * 16 + me];\n"
    "            ALL(r, ROWS) ALL(q, COLUMNS) sums[r][q] = MAD(x[r], y[q], sums[r][q]);\n"
    "        }\n"
    "    ALL(r, ROWS) ALL(q, COLUMNS) ALL(i, 8)\n"
    "        c[(row + 8 * r + i) * n + col + 16 * q + me] = sums[r][q][i];\n"
    "}\n";

static double wide_sum(const struct kind *kind, unsigned start, size_t row, size_t column)
{
    const cl_uint *a = wide_a + row * WIDE_WORDS;
    const cl_uint *b = wide_b + column / 16 * 16 * WIDE_WORDS + column % 16;
    double sum = start;
    for (unsigned k = 0; k < WIDE_WORDS; k++)
        for (unsigned p = 0; p < kind->k / WORDS; p++)
            sum += kind->a(a[k], p) * kind->b(b[k * 16], p);
    return sum;
}

static void run_wide(const struct kind *kind, unsigned rows, unsigned columns, unsigned steps,
                     unsigned start)
{
    const cl_uint m = 8 * rows * GROUPS, n = 16 * columns * GROUPS, words = WIDE_WORDS;
    char options[384];
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -D ROWS=%u -D COLUMNS=%u -D STEPS=%u -D START=%u -D A=%sshort "
             "-D B=%sint -D C=%s -D MAD=intel_sub_group_%s_matrix_mad_k%u",
             rows, columns, steps, start, kind->u[0], kind->u[1], kind->real ? "float" : "int",
             kind->name, kind->k);
    cl_kernel kernel = new_kernel(wide_source, "k", options);
    for (size_t i = 0; i < LEN(wide_a); i++) {
        wide_a[i] = any_word(kind);
        wide_b[i] = any_word(kind);
    }
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, m * words * sizeof *wide_a, wide_a);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, n * words * sizeof *wide_b, wide_b);
    cl_mem c = new_buffer(0, m * n * sizeof *wide_c, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, c);
    ARG(kernel, 3, n);
    ARG(kernel, 4, words);
    for (size_t sub_groups = 1; sub_groups <= GROUPS; sub_groups += 2) {
        run_nd(kernel, 2, NULL, (const size_t[]){16 * GROUPS, GROUPS},
               (const size_t[]){16 * sub_groups, 1});
        read_back(c, m * n * sizeof *wide_c, wide_c);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = wide_sum(kind, start, i, j);
                CHECK_EQ(wide_c[i * n + j], kind->real ? float_bits(sum) : (cl_uint)(cl_long)sum);
            }
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(c);
    RELEASE_KERNEL(kernel);
}

static void wide_products(void)
{
    static const unsigned char shapes[][4] = {/* rows, columns, steps, start */
                                              {1, 1, 1, 0}, {2, 1, 2, 7}, {4, 2, 2, 0},
                                              {3, 2, 1, 5}, {1, 3, 2, 0}, {8, 2, 2, 0}};
    static const unsigned char which[] = {0, 1, 2, 3, 5, 8, 9};
    need();
    for (size_t k = 0; k < LEN(which); k++)
        for (size_t s = k % 3; s < LEN(shapes); s += k ? 3 : 1)
            run_wide(&kinds[which[k]], shapes[s][0], shapes[s][1], shapes[s][2], shapes[s][3]);
    run_wide(&kinds[8], 4, 2, 2, 0);
}

/* Linux gives no tiles to a process with a thread whose stack for signals is too small for them. */
static void small_signal_stack(void)
{
    static char room[8192];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    need();
    REQUIRE(!sigaltstack(&stack, NULL));
    run_wide(&kinds[0], 4, 2, 2, 3);
    run_wide(&kinds[8], 4, 2, 2, 3);
}

static const struct test_case cases[] = {
    CASE(small_signal_stack), /* first: whoever has tiles keeps them */
    CASE(whole_numbers),      CASE(real_numbers), CASE(small_sums),        CASE(without_a_size),
    CASE(of_another_size),    CASE(in_both_arms), CASE(without_optimiser), CASE(wide_products),
};
TEST_MAIN("matrix", cases)
