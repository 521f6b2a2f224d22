/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Powers whose exponent is a constant, which are products and roots
 * (kernels/compiler/builtins/powers.c), and those just beyond: against the C library's pow in long
 * double, edge cases to the sign of zero.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "cl_help.h"
#include "math_reference.h"
#include "reference.h"

enum { ITEMS = 1201, LIMIT = 16 };

static const char *const functions[] = {"pow", "pown", "powr"};
static const double exponents[] = {0,   -0.0, 1,    2,    3,    4,    5,   6,    7,      8,
                                   9,   -1,   -2,   -3,   -7,   -8,   -9,  0.5,  1.5,    2.5,
                                   7.5, 8.5,  0.25, -0.5, -1.5, -7.5, 1e9, -1e9, 0x1p-30};
static const double specials[] = {0.0,       -0.0,     1,         -1,      INFINITY, -INFINITY,
                                  NAN,       2,        -2.5,      0.75,    -0.1,     0x1p-126,
                                  -0x1p-149, 0x1.8p64, -0x1.8p64, 0x1p-64, FLT_MAX,  -FLT_MAX,
                                  0x1p-1074, 0x1p-540, -0x1p-340, 0x1p512, DBL_MAX,  -DBL_MAX};

static double in[ITEMS];

static void fill(int is_float)
{
    for (size_t i = 0; i < ITEMS; i++) {
        double x = ldexp(1 + (double)random_below(1 << 30) / (1 << 30),
                         (int)random_below(i & 1      ? 8
                                           : is_float ? 250
                                                      : 2000) -
                             (i & 1      ? 4
                              : is_float ? 125
                                         : 1000));
        x = i & 2 ? -x : x;
        x = i < LEN(specials) ? specials[i] : x;
        in[i] = is_float ? (double)(float)x : x;
    }
}

static long double expected(size_t function, long double x, double y)
{
    if (function < 2)
        return powl(x, y);
    if (isnan(x) || x < 0 || (y == 0 && (x == 0 || isinf(x))))
        return NAN;
    return powl(fabsl(x), y);
}

static void compare(const void *out, int is_float, size_t function, double y, const char *options)
{
    for (size_t i = 0; i < ITEMS; i++) {
        double got = is_float ? (double)((const float *)out)[i] : ((const double *)out)[i];
        long double want = expected(function, in[i], y);
        double error = sl_ulp_error(got, want, is_float ? 24 : 53, is_float ? -126 : -1022);
        if (error <= LIMIT && (got != 0 || want != 0 || !signbit(got) == !signbit(want)))
            continue;
        check_fail(__FILE__, __LINE__, "%s(%a, %a) with %s: %a instead of %La", functions[function],
                   in[i], y, options, got, want);
        return;
    }
}

/* One kernel for all exponents: they follow each other in the output. */
static void each(int is_float, int width, const char *more)
{
    char source[8192], options[128], type[32], suffix[12] = "";
    size_t size = is_float ? sizeof(float) : sizeof(double), at, count;
    if (width > 1)
        snprintf(suffix, sizeof suffix, "%d", width);
    snprintf(type, sizeof type, "%s%s", is_float ? "float" : "double", suffix);
    snprintf(options, sizeof options, "-DT=%s -DI=int%s %s", type, suffix, more);
    for (size_t f = 0; f < LEN(functions); f++) {
        at = (size_t)snprintf(source, sizeof source,
                              "kernel void k(global const T *a, global T *o, uint n) {\n"
                              "  size_t i = get_global_id(0); T x = a[i];\n");
        count = 0;
        for (size_t e = 0; e < LEN(exponents); e++) {
            if (f == 1 && exponents[e] != trunc(exponents[e]))
                continue;
            at += (size_t)snprintf(source + at, sizeof source - at,
                                   f == 1 ? "  o[%zu * n + i] = %s(x, (I)(%.0f));\n"
                                          : "  o[%zu * n + i] = %s(x, (T)(%a));\n",
                                   count++, functions[f], exponents[e]);
        }
        snprintf(source + at, sizeof source - at, "}\n");
        cl_kernel kernel = new_kernel(source, "k", options);
        /* rounded up, so that vectors end where the numbers do */
        size_t groups = (ITEMS + (size_t)width - 1) / (size_t)width, all = groups * (size_t)width;
        static union {
            float of_float[1 << 16];
            double of_double[1 << 16];
        } numbers;
        for (size_t i = 0; i < ITEMS; i++)
            if (is_float)
                numbers.of_float[i] = (float)in[i];
            else
                numbers.of_double[i] = in[i];
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, all * size, &numbers);
        cl_mem to = new_buffer(0, count * all * size, NULL);
        cl_uint n = (cl_uint)groups;
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        ARG(kernel, 2, n);
        run_1d(kernel, groups, 0);
        read_back(to, count * all * size, &numbers);
        for (size_t e = 0, row = 0; e < LEN(exponents); e++) {
            if (f == 1 && exponents[e] != trunc(exponents[e]))
                continue;
            const char *begin = (const char *)&numbers + row++ * all * size;
            compare(begin, is_float, f, exponents[e], options);
        }
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_KERNEL(kernel);
    }
}

static void floats(void)
{
    fill(1);
    each(1, 1, "");
    each(1, 2, "-cl-opt-disable");
    each(1, 16, "");
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double");
    fill(0);
    each(0, 1, "");
    each(0, 2, "-cl-opt-disable");
    each(0, 8, "");
}

static const struct test_case cases[] = {CASE(floats), CASE(doubles)};
TEST_MAIN("math_constant", cases)
