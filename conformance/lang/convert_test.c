/* SPDX-License-Identifier: Apache-2.0 */
/* convert_T[_sat][_rte|_rtz|_rtp|_rtn] between all types, width 1 and the widest. */
#include <stdio.h>

#include "elementwise.h"
#include "reference.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct element types[] = {
    {"char", 8, 1, 0},   {"uchar", 8, 0, 0},   {"short", 16, 1, 0}, {"ushort", 16, 0, 0},
    {"int", 32, 1, 0},   {"uint", 32, 0, 0},   {"long", 64, 1, 0},  {"ulong", 64, 0, 0},
    {"float", 32, 1, 1}, {"double", 64, 1, 1}, {"half", 16, 1, 1},
};
static const struct {
    const char *suffix;
    int mode;
} roundings[] = {
    {"", -1},
    {"_rte", FE_TONEAREST},
    {"_rtz", FE_TOWARDZERO},
    {"_rtp", FE_UPWARD},
    {"_rtn", FE_DOWNWARD},
};
enum { ITEMS = 32, WIDTH = 16, COUNT = ITEMS * WIDTH };

static int is_there(const struct element *e)
{
    return !e->is_float || e->bits == 32 ||
           has_extension(e->bits == 64 ? "cl_khr_fp64" : "cl_khr_fp16");
}

static long double load(const void *from, size_t i, const struct element *e)
{
    if (e->is_float && e->bits == 16)
        return double_from_half(((const uint16_t *)from)[i]);
    if (e->is_float)
        return e->bits == 32 ? (long double)((const float *)from)[i] : ((const double *)from)[i];
    return (long double)load_integer(from, i, e);
}

static long double limit(const struct element *e, int high)
{
    if (high)
        return ldexpl(1, (int)e->bits - e->is_signed) - 1;
    return e->is_signed ? -ldexpl(1, (int)e->bits - 1) : 0;
}

static void store_random(void *to, size_t i, const struct element *e)
{
    if (!e->is_float) {
        store_integer(to, i, e, random_integer(e->bits));
        return;
    }
    /* spread over the ranges of the integer types, with halves in between */
    double v = (double)(int64_t)random_bits() * 0x1p-63 * ldexp(1, (int)random_below(66));
    if (!random_below(3))
        v = rint(v * 2) / 2;
    else if (!random_below(3)) /* small and subnormal halves, and what is between them */
        v *= ldexp(1, -40 - (int)random_below(40));
    if (e->bits == 16)
        ((uint16_t *)to)[i] = half_from_double(v * (random_below(3) ? 1 : 0x1p-52));
    else if (e->bits == 32)
        ((float *)to)[i] = (float)v;
    else
        ((double *)to)[i] = v;
}

/* The nearest half, or from there the neighbour on the right side. */
static long double rounded_to_half(long double v, int mode)
{
    uint16_t bits = half_from_double((double)v);
    long double nearest = double_from_half(bits);
    int above = nearest > v, below = nearest < v, negative = bits >> 15;
    if (mode == FE_TOWARDZERO)
        bits -= negative ? below : above;
    if (mode == FE_UPWARD && below)
        bits += negative ? -1 : 1;
    if (mode == FE_DOWNWARD && above)
        bits += negative ? 1 : -1;
    return double_from_half(bits);
}

/* The long double holds every source value exactly. */
static long double expected(long double v, const struct element *to, int sat, int mode,
                            int *defined)
{
    *defined = 1;
    if (to->is_float && to->bits == 16)
        return rounded_to_half(v, mode);
    fesetround(mode >= 0 ? mode : to->is_float ? FE_TONEAREST : FE_TOWARDZERO);
    volatile long double in = v;
    long double out;
    if (to->is_float && to->bits == 32) {
        volatile float narrow = (float)in;
        out = narrow;
    } else if (to->is_float) {
        volatile double narrow = (double)in;
        out = narrow;
    } else {
        out = rintl(in);
    }
    fesetround(FE_TONEAREST);
    if (to->is_float)
        return out;
    if (sat)
        return out < limit(to, 0) ? limit(to, 0) : out > limit(to, 1) ? limit(to, 1) : out;
    *defined = out >= limit(to, 0) && out <= limit(to, 1);
    return out;
}

static void compare(const struct element *from, const struct element *to, int sat, size_t r,
                    unsigned width, const void *in, const void *out)
{
    for (size_t i = 0; i < COUNT; i++) {
        int defined;
        long double v = load(in, i, from), got = load(out, i, to);
        long double want = expected(v, to, sat, roundings[r].mode, &defined);
        if (!from->is_float && !to->is_float && !sat) {
            want = (long double)wrapped(load_integer(in, i, from), to);
            defined = 1;
        }
        if (!defined || got == want)
            continue;
        check_fail(__FILE__, __LINE__, "convert_%s%u%s%s(%s %.20Lg): expected %.20Lg, got %.20Lg",
                   to->name, width, sat ? "_sat" : "", roundings[r].suffix, from->name, v, want,
                   got);
        return;
    }
}

static size_t print_source(char *to, size_t size, const struct element *from, unsigned width)
{
    char vector[32];
    size_t n = (size_t)snprintf(to, size, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    const char *number = width == 1 ? "" : "16";
    vector_name(vector, from, width);
    for (size_t t = 0; t < LEN(types); t++) {
        if (!is_there(&types[t]))
            continue;
        n += (size_t)snprintf(to + n, size - n,
                              "kernel void to_%s(global %s *in, global %s%s *out)\n{\n"
                              "    size_t i = get_global_id(0), n = get_global_size(0);\n",
                              types[t].name, vector, types[t].name, number);
        for (size_t r = 0; r < LEN(roundings); r++) {
            for (int sat = 0; sat <= !types[t].is_float; sat++)
                n += (size_t)snprintf(to + n, size - n,
                                      "    out[n * %zu + i] = convert_%s%s%s%s(in[i]);\n",
                                      r * 2 + (size_t)sat, types[t].name, number, sat ? "_sat" : "",
                                      roundings[r].suffix);
        }
        n += (size_t)snprintf(to + n, size - n, "}\n");
    }
    return n;
}

static void check_source_type(const struct element *from, unsigned width)
{
    static char source[65536];
    static uint64_t in[COUNT], out[10 * COUNT];
    for (size_t i = 0; i < COUNT; i++)
        store_random(in, i, from);
    print_source(source, sizeof source, from, width);
    cl_program program = built(source, NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), b = new_buffer(0, sizeof out, NULL);
    for (size_t t = 0; t < LEN(types); t++) {
        char name[32];
        if (!is_there(&types[t]))
            continue;
        snprintf(name, sizeof name, "to_%s", types[t].name);
        cl_kernel kernel = kernel_of(program, name);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        run_1d(kernel, COUNT / width, 0);
        read_back(b, sizeof out, out);
        for (size_t r = 0; r < LEN(roundings); r++) {
            for (int sat = 0; sat <= !types[t].is_float; sat++)
                compare(from, &types[t], sat, r, width, in,
                        (char *)out + (r * 2 + (size_t)sat) * COUNT * types[t].bits / 8);
        }
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_PROGRAM(program);
}

static void scalars(void)
{
    for (size_t t = 0; t < LEN(types); t++) {
        if (is_there(&types[t]))
            check_source_type(&types[t], 1);
    }
}

static void vectors(void)
{
    for (size_t t = 0; t < LEN(types); t++) {
        if (is_there(&types[t]))
            check_source_type(&types[t], WIDTH);
    }
}

static void nan_saturates_to_zero(void)
{
    cl_kernel kernel = new_kernel("kernel void k(global float *in, global int *o)\n"
                                  "{\n"
                                  "    o[0] = convert_int_sat(in[0]);\n"
                                  "    o[1] = convert_uchar_sat(in[0]);\n"
                                  "    o[2] = convert_int_sat(in[1]);\n"
                                  "    o[3] = convert_int_sat(in[2]);\n"
                                  "    o[4] = convert_char_sat(in[2]);\n"
                                  "}\n",
                                  "k", NULL);
    float in[] = {NAN, INFINITY, -INFINITY};
    cl_int got[5];
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), b = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, 1, 0);
    read_back(b, sizeof got, got);
    CHECK_EQ(got[0], 0);
    CHECK_EQ(got[1], 0);
    CHECK_EQ(got[2], INT32_MAX);
    CHECK_EQ(got[3], INT32_MIN);
    CHECK_EQ(got[4], -128);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

static void reinterpretation(void)
{
    cl_kernel kernel = new_kernel(
        "kernel void k(global uint4 *o)\n"
        "{\n"
        "    o[0] = as_uint4((float4)(1.0f, -2.0f, 0.5f, 0.0f));\n"
        "    o[1] = as_uint4((uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));\n"
        "    o[2] = (uint4)(as_uint(1.0f), as_uint((short2)(1, 2)), as_uint3((float3)(1.0f)).yz);\n"
        "}\n",
        "k", NULL);
    static const cl_uint want[12] = {0x3f800000, 0xc0000000, 0x3f000000, 0,
                                     0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                                     0x3f800000, 0x00020001, 0x3f800000, 0x3f800000};
    cl_uint got[12];
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof got, got);
    for (size_t i = 0; i < LEN(want); i++)
        CHECK_EQ(got[i], want[i]);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {CASE(scalars), CASE(vectors), CASE(nan_saturates_to_zero),
                                         CASE(reinterpretation)};
TEST_MAIN("convert", cases)
