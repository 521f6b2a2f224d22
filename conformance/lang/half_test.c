/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic in half, and the functions of half that are exact: bit for bit, every width, special
 * values in all triples of kinds, random bits, a size that no vector divides.
 */
#include <stdio.h>

#include "elementwise.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 5003 };

static const uint16_t specials[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0x3c01, 0x3bff, 0x0001, 0x8001, 0x03ff, 0x0400,
    0x0401, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x6400, 0x6801, 0x4248, 0x1400, 0x9401,
};

static double value(uint16_t bits)
{
    return double_from_half(bits);
}

static int is_nan(uint16_t bits)
{
    return (bits & 0x7fff) > 0x7c00;
}

/* ---- references: A, B and C are doubles, a, b and c bits ------------------------------------- */

#define REF(NAME, RESULT)                                                                          \
    static uint16_t ref_##NAME(uint16_t a, uint16_t b, uint16_t c)                                 \
    {                                                                                              \
        double A = value(a), B = value(b), C = value(c);                                           \
        (void)A, (void)B, (void)C, (void)a, (void)b, (void)c;                                      \
        return RESULT;                                                                             \
    }
#define REAL(NAME, RESULT) REF(NAME, half_from_double(RESULT))

/* Sums and products are exact in double, and so close a quotient is no half's middle. */
REAL(add, A + B)
REAL(sub, A - B)
REAL(mul, A *B)
REAL(div, A / B)
/* Where the sum is not exact in double, the smaller one is far below the larger one's last bit. */
REAL(fma, A *B + C)
REAL(one, A + 1)
REAL(sum_of_three, value(half_from_double(A + B)) + C)
REF(neg, a ^ 0x8000)
REF(fabs, a & 0x7fff)
REF(copysign, (a & 0x7fff) | (b & 0x8000))
REF(min, B < A ? b : a)
REF(max, A < B ? b : a)
REAL(fmin, fmin(A, B))
REAL(fmax, fmax(A, B))
REF(clamp, A < B ? b : C < A ? c : a)
REF(bitselect, (a & ~c) | (b & c))
REF(choose, A < B ? a : c)
REF(sign, is_nan(a) ? 0 : A > 0 ? 0x3c00 : A < 0 ? 0xbc00 : a)
REF(step, B < A ? 0 : 0x3c00)
REAL(sqrt, sqrt(A))
REAL(sub_from_int, 7 - A)

static uint16_t ref_nextafter(uint16_t a, uint16_t b, uint16_t c)
{
    (void)c;
    if (is_nan(a) || is_nan(b))
        return 0x7e00;
    if (value(a) == value(b))
        return b;
    if (!(a & 0x7fff))
        return (b & 0x8000) | 1;
    int away = (value(a) < value(b)) == !(a & 0x8000);
    return (uint16_t)(away ? a + 1 : a - 1);
}

REF(isequal, A == B)
REF(isnotequal, A != B)
REF(isgreater, A > B)
REF(isgreaterequal, A >= B)
REF(isless, A < B)
REF(islessequal, A <= B)
REF(islessgreater, A<B || A> B)
REF(isnan, is_nan(a))
REF(isordered, !is_nan(a) && !is_nan(b))
REF(isunordered, is_nan(a) || is_nan(b))
REF(isinf, (a & 0x7fff) == 0x7c00)
REF(isfinite, (a & 0x7fff) < 0x7c00)
REF(isnormal, (a & 0x7fff) < 0x7c00 && (a & 0x7fff) >= 0x400)
REF(signbit, a >> 15)

/* To and from integers; out of range is anything. */
REF(to_int, (uint16_t)(int)trunc(A))
REAL(from_short, (double)(int16_t)a)
REAL(from_ushort, (double)a)

enum kind { NUMBER, TRUTH, BITS };
static const struct op {
    const char *expression;
    enum kind kind;
    uint16_t (*ref)(uint16_t, uint16_t, uint16_t);
} ops[] = {
    {"a + b", NUMBER, ref_add},
    {"a - b", NUMBER, ref_sub},
    {"a * b", NUMBER, ref_mul},
    {"a / b", NUMBER, ref_div},
    {"fma(a, b, c)", NUMBER, ref_fma},
    {"a + 1.0h", NUMBER, ref_one},
    {"a + b + c", NUMBER, ref_sum_of_three},
    {"-a", NUMBER, ref_neg},
    {"fabs(a)", NUMBER, ref_fabs},
    {"copysign(a, b)", NUMBER, ref_copysign},
    {"nextafter(a, b)", NUMBER, ref_nextafter},
    {"fmin(a, b)", NUMBER, ref_fmin},
    {"fmax(a, b)", NUMBER, ref_fmax},
    {"bitselect(a, b, c)", NUMBER, ref_bitselect},
    {"a < b ? a : c", NUMBER, ref_choose},
    {"select(c, a, CHOICE(isless(a, b)))", NUMBER, ref_choose},
    {"sign(a)", NUMBER, ref_sign},
    {"step(a, b)", NUMBER, ref_step},
    {"sqrt(a)", NUMBER, ref_sqrt},
    {"(T)7 - a", NUMBER, ref_sub_from_int},
    {"isequal(a, b)", TRUTH, ref_isequal},
    {"isnotequal(a, b)", TRUTH, ref_isnotequal},
    {"isgreater(a, b)", TRUTH, ref_isgreater},
    {"isgreaterequal(a, b)", TRUTH, ref_isgreaterequal},
    {"isless(a, b)", TRUTH, ref_isless},
    {"islessequal(a, b)", TRUTH, ref_islessequal},
    {"islessgreater(a, b)", TRUTH, ref_islessgreater},
    {"a == b", TRUTH, ref_isequal},
    {"a <= b", TRUTH, ref_islessequal},
    {"isnan(a)", TRUTH, ref_isnan},
    {"isordered(a, b)", TRUTH, ref_isordered},
    {"isunordered(a, b)", TRUTH, ref_isunordered},
    {"isinf(a)", TRUTH, ref_isinf},
    {"isfinite(a)", TRUTH, ref_isfinite},
    {"isnormal(a)", TRUTH, ref_isnormal},
    {"signbit(a)", TRUTH, ref_signbit},
    {"as_ushort_(convert_short_(a))", BITS, ref_to_int},
    {"convert_half_(as_short_(a))", NUMBER, ref_from_short},
    {"convert_half_(as_ushort_(a))", NUMBER, ref_from_ushort},
};
/* What is unspecified for NaN. */
static const struct op orders[] = {
    {"min(a, b)", NUMBER, ref_min},
    {"max(a, b)", NUMBER, ref_max},
    {"clamp(a, b, c)", NUMBER, ref_clamp},
};

/* ---- running --------------------------------------------------------------------------------- */

static void print_macros(char *to, size_t size, unsigned width)
{
    char n[12] = "";
    if (width > 1)
        snprintf(n, sizeof n, "%u", width);
    snprintf(to, size,
             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
             "typedef half%s T;\ntypedef ushort%s U;\n"
             "#define as_short_ as_short%s\n#define as_ushort_ as_ushort%s\n"
             "#define convert_short_ convert_short%s\n#define convert_half_ convert_half%s\n"
             "#define LD(p) %s\n#define ST(v, p) %s\n#define BITS(x) %s\n"
             "#define CHOICE %s\n#define NUMBER as_ushort%s\n",
             n, n, n, n, n, n, width > 1 ? "VLOAD(i, p)" : "(p)[i]",
             width > 1 ? "VSTORE(v, i, p)" : "(p)[i] = (v)", width > 1 ? "as_ushort_(x)" : "(x)",
             width > 1 ? "" : "(short)", n);
    size_t used = strlen(to);
    snprintf(to + used, size - used, "#define VLOAD vload%u\n#define VSTORE vstore%u\n", width,
             width);
}

static void print_source(char *to, size_t size, const struct op *table, size_t count,
                         unsigned width)
{
    static const char *const bits_of[] = {[NUMBER] = "NUMBER", [TRUTH] = "BITS", [BITS] = ""};
    print_macros(to, size, width);
    size_t n = strlen(to);
    n += (size_t)snprintf(to + n, size - n,
                          "kernel void k(global half *pa, global half *pb, global half *pc, global "
                          "ushort *out)\n{\n"
                          "    size_t i = get_global_id(0), n = get_global_size(0) * %u;\n"
                          "    T a = LD(pa), b = LD(pb), c = LD(pc);\n",
                          width);
    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(to + n, size - n, "    ST(%s(%s), out + %zu * n);\n",
                              bits_of[table[i].kind], table[i].expression, i);
    snprintf(to + n, size - n, "}\n");
}

static void fill(uint16_t *to[3], size_t count, int with_nan)
{
    enum { KINDS = LEN(specials) };
    for (size_t i = 0; i < count; i++) {
        uint64_t random = random_bits();
        for (int j = 0; j < 3; j++)
            to[j][i] = (uint16_t)(random >> 16 * j);
        if (i < (size_t)KINDS * KINDS) {
            to[0][i] = specials[i % KINDS];
            to[1][i] = specials[i / KINDS];
            to[2][i] = specials[random >> 48 & 15];
        } else if (i % 4 == 0) { /* sums that cancel and quotients near one */
            to[1][i] = to[0][i] ^ (uint16_t)(random >> 50 & 0x800f);
        } else if (i % 4 == 1) { /* products near what is added */
            to[2][i] = half_from_double(value(to[0][i]) * value(to[1][i])) ^
                       (uint16_t)(random >> 50 & 0x8003);
        }
        for (int j = 0; j < 3 && !with_nan; j++)
            to[j][i] = is_nan(to[j][i]) ? 0x4200 : to[j][i];
        if (!with_nan && value(to[1][i]) > value(to[2][i])) {
            uint16_t swapped = to[1][i];
            to[1][i] = to[2][i];
            to[2][i] = swapped;
        }
    }
}

static int is_unspecified(const struct op *op, uint16_t a, uint16_t b)
{
    if (op->ref == ref_to_int)
        return !(fabs(value(a)) < 32768);
    /* Of two zeros any may be the smaller one. */
    int is_extreme = op->ref == ref_fmin || op->ref == ref_fmax;
    return is_extreme && !((a | b) & 0x7fff);
}

static void compare(const struct op *op, unsigned width, uint16_t *const in[3], const uint16_t *out,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t a = in[0][i], b = in[1][i], c = in[2][i];
        uint16_t want = op->ref(a, b, c);
        if (op->kind == TRUTH && width > 1)
            want = want ? 0xffff : 0;
        int same = op->kind == NUMBER && is_nan(want) ? is_nan(out[i]) : out[i] == want;
        if (same || is_unspecified(op, a, b))
            continue;
        check_fail(__FILE__, __LINE__, "half%u %s: a=%04x b=%04x c=%04x: expected %04x, got %04x",
                   width, op->expression, a, b, c, want, out[i]);
        return;
    }
}

static void check_table(const struct op *table, size_t op_count, int with_nan)
{
    static char source[16384];
    static uint16_t values[3][ITEMS * 16];
    uint16_t *in[3] = {values[0], values[1], values[2]};
    fill(in, ITEMS * 16, with_nan);
    for (size_t w = 0; w < LEN(widths); w++) {
        size_t count = ITEMS / widths[w] * widths[w], bytes = count * sizeof(uint16_t);
        uint16_t *out = malloc(bytes * op_count);
        REQUIRE(out);
        print_source(source, sizeof source, table, op_count, widths[w]);
        cl_kernel kernel = new_kernel(source, "k", NULL);
        cl_mem mem[4];
        for (cl_uint j = 0; j < 3; j++) {
            mem[j] = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, in[j]);
            ARG(kernel, j, mem[j]);
        }
        mem[3] = new_buffer(0, bytes * op_count, NULL);
        ARG(kernel, 3, mem[3]);
        run_1d(kernel, count / widths[w], 0);
        read_back(mem[3], bytes * op_count, out);
        for (size_t i = 0; i < op_count; i++)
            compare(&table[i], widths[w], in, out + i * count, count);
        for (int j = 0; j < 4; j++)
            RELEASE_MEM(mem[j]);
        free(out);
        RELEASE_KERNEL(kernel);
    }
}

static void need_half(void)
{
    if (!has_extension("cl_khr_fp16"))
        check_skip("no cl_khr_fp16");
}

static void exact_functions(void)
{
    need_half();
    check_table(ops, LEN(ops), 1);
}

static void ordered_functions(void)
{
    need_half();
    check_table(orders, LEN(orders), 0);
}

static const struct test_case cases[] = {CASE(exact_functions), CASE(ordered_functions)};
TEST_MAIN("half", cases)
