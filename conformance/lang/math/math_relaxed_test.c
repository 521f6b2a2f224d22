/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What -cl-fast-relaxed-math and -cl-unsafe-math-optimizations may do to functions of float, and
 * native forms: the limits of the OpenCL C specification's table for unsafe math, of which the
 * native forms take the same (docs/accuracy.md).
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdbool.h>

#include "math_reference.h"

enum { COUNT = 40001 };

enum rule {
    ABSOLUTE,  /* 2^-11 between -pi and pi */
    EXPONENT,  /* 3 + |2x| ulp */
    LOGARITHM, /* 2^-21 in [1/2, 2], else 3 ulp */
    DERIVED,   /* from others of the table; 8192 ulp as the conformance suite has it */
};

static const struct row {
    const char *name;
    enum rule rule;
    double low, high;
    bool has_native;
    long double (*one)(long double);
    long double (*two)(long double, long double);
} rows[] = {
    {"sin", ABSOLUTE, -3.14159, 3.14159, true, sinl, NULL},
    {"cos", ABSOLUTE, -3.14159, 3.14159, true, cosl, NULL},
    {"tan", DERIVED, -1.5, 1.5, true, tanl, NULL},
    {"exp", EXPONENT, -87, 88, true, expl, NULL},
    {"exp2", EXPONENT, -125, 127, true, exp2l, NULL},
    {"exp10", DERIVED, -37, 38, true, exp10l, NULL},
    {"log", LOGARITHM, 0x1p-30, 10, true, logl, NULL},
    {"log2", LOGARITHM, 0x1p-30, 10, true, log2l, NULL},
    {"log10", LOGARITHM, 0x1p-30, 10, true, log10l, NULL},
    {"pow", DERIVED, 0.01, 6, false, NULL, powl},
    {"powr", DERIVED, 0.01, 6, true, NULL, powl},
};

static float first[COUNT], second[COUNT], results[COUNT];

static void fill(const struct row *row)
{
    for (int i = 0; i < COUNT; i++) {
        double unit = (double)(random_bits() >> 11) * 0x1p-53;
        first[i] = (float)(row->low + (row->high - row->low) * unit);
        if (row->rule == LOGARITHM && i % 2)
            first[i] = (float)(0.5 + 1.5 * unit);
        if (row->rule == LOGARITHM && i % 8 == 0)
            first[i] = (float)ldexp(1 + unit, (int)random_below(250) - 125);
        second[i] = (float)((double)(random_bits() >> 11) * 0x1p-53 * 20 - 10);
    }
}

static double allowed(const struct row *row, float x, bool *absolute)
{
    *absolute = row->rule == ABSOLUTE || (row->rule == LOGARITHM && x >= 0.5f && x <= 2);
    switch (row->rule) {
    case ABSOLUTE:
        return 0x1p-11;
    case EXPONENT:
        return 3 + floor(fabs(2 * (double)x));
    case LOGARITHM:
        return *absolute ? 0x1p-21 : 3;
    case DERIVED:
        break;
    }
    return 8192;
}

static void compute(const char *function, const struct row *row, const char *options, int width)
{
    char source[512], type[8];
    snprintf(type, sizeof type, width > 1 ? "float%d" : "float", width);
    snprintf(source, sizeof source,
             "#define both(x) ({ float c; float s = sincos(x, &c); s * 4 + c; })\n"
             "kernel void k(global const %s *a, global const %s *b, global %s *o)\n{\n    size_t i "
             "= get_global_id(0);\n    o[i] = %s(a[i]%s);\n}\n",
             type, type, type, function, row->two ? ", b[i]" : "");
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof first, first);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof second, second);
    cl_mem o = new_buffer(CL_MEM_READ_WRITE, sizeof results, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, o);
    run_1d(kernel, COUNT / (size_t)width, 0);
    read_back(o, sizeof results, results);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static void check_row(const char *function, const struct row *row, const char *options, int width)
{
    int reported = 0;
    fill(row);
    compute(function, row, options, width);
    for (int i = 0; i < COUNT / width * width; i++) {
        long double want = row->one ? row->one(first[i]) : row->two(first[i], second[i]);
        bool absolute;
        double limit = allowed(row, first[i], &absolute);
        double error = absolute ? (double)fabsl((long double)results[i] - want)
                                : sl_ulp_error(results[i], want, 24, -126);
        bool subnormal = fabsl(want) < 0x1p-125L; /* may be zero */
        if (!(error <= limit) && !subnormal && reported++ < 3)
            check_fail(__FILE__, __LINE__, "%s%d %s(%a, %a): expected %La, got %a, %g off", options,
                       width, function, (double)first[i], (double)second[i], want,
                       (double)results[i], error);
    }
}

static void relaxed(void)
{
    for (size_t r = 0; r < LEN(rows); r++) {
        check_row(rows[r].name, &rows[r], "-cl-fast-relaxed-math", 1);
        check_row(rows[r].name, &rows[r], "-cl-fast-relaxed-math", 4);
        check_row(rows[r].name, &rows[r], "-cl-unsafe-math-optimizations", 1);
    }
}

static void native(void)
{
    for (size_t r = 0; r < LEN(rows); r++) {
        char name[32];
        snprintf(name, sizeof name, "native_%s", rows[r].name);
        for (int width = 1; rows[r].has_native && width <= 4; width += 3)
            check_row(name, &rows[r], "", width);
    }
}

/* The sign of a power stays, and so do zero and one. */
static void powers_of_negative_numbers(void)
{
    static const float x[] = {-2, -2, -3, 0, 5, -0.5f, 7}, y[] = {3, 2, -1, 2, 0, -3, 1};
    for (size_t i = 0; i < LEN(x); i++) {
        first[i] = x[i];
        second[i] = y[i];
    }
    compute("pow", &rows[9], "-cl-fast-relaxed-math", 1);
    for (size_t i = 0; i < LEN(x); i++) {
        double want = pow((double)x[i], (double)y[i]);
        if (!(fabs((double)results[i] - want) <= fabs(want) * 1e-4))
            check_fail(__FILE__, __LINE__, "pow(%g, %g): expected %g, got %g", (double)x[i],
                       (double)y[i], want, (double)results[i]);
    }
}

static void sine_and_cosine(void)
{
    fill(&rows[0]);
    compute("both", &rows[0], "-cl-unsafe-math-optimizations", 1);
    for (int i = 0; i < COUNT; i++) {
        double want = 4 * sin((double)first[i]) + cos((double)first[i]);
        if (!(fabs((double)results[i] - want) <= 5 * 0x1p-11))
            check_fail(__FILE__, __LINE__, "sincos(%a): expected %g, got %g", (double)first[i],
                       want, (double)results[i]);
    }
}

/* Far from zero the native forms are less exact, but never beyond one. */
static void native_far_away(void)
{
    for (int i = 0; i < COUNT; i++)
        first[i] = (float)ldexp(1 + i / (double)COUNT, i % 120);
    compute("native_sin", &rows[0], "", 1);
    for (int i = 0; i < COUNT; i++) {
        bool is_near = first[i] < 1e4f;
        double error = fabs((double)results[i] - sin((double)first[i]));
        if (!(fabsf(results[i]) <= 1.001f) || (is_near && error > 0x1p-11))
            check_fail(__FILE__, __LINE__, "native_sin(%a) is %g", (double)first[i],
                       (double)results[i]);
    }
}

static long double reciprocal(long double x)
{
    return 1 / x;
}

static long double inverse_root(long double x)
{
    return 1 / sqrtl(x);
}

/* Fourier transforms and neural networks take the native forms and expect a float's precision. */
static void native_forms_of_moderate_arguments(void)
{
    static const struct {
        const char *name;
        double low, high, limit; /* in ulp */
        long double (*at)(long double);
    } close[] = {
        {"native_sin", -100, 100, 4, sinl},   {"native_cos", -100, 100, 4, cosl},
        {"native_tan", -1.5, 1.5, 5, tanl},   {"native_exp", -4, 4, 8, expl},
        {"native_exp2", -100, 100, 5, exp2l}, {"native_exp10", -2, 2, 8, exp10l},
        {"native_log", 0.5, 2, 8, logl},      {"native_log2", 0.5, 2, 8, log2l},
        {"native_log10", 0.5, 2, 10, log10l}, {"native_rsqrt", 0.1, 4, 4, inverse_root},
        {"native_sqrt", 0.1, 4, 4, sqrtl},    {"native_recip", 0.1, 4, 4, reciprocal},
        {"half_sin", -100, 100, 4, sinl},     {"half_exp", -80, 80, 4, expl},
        {"half_log", 0.5, 2, 4, logl},        {"half_rsqrt", 0.1, 4, 4, inverse_root},
    };
    for (size_t r = 0; r < LEN(close); r++) {
        struct row row = {.low = close[r].low, .high = close[r].high};
        double worst = 0;
        fill(&row);
        compute(close[r].name, &row, "", 1);
        for (int i = 0; i < COUNT; i++)
            worst = fmax(worst, sl_ulp_error(results[i], close[r].at(first[i]), 24, -126));
        if (!(worst <= close[r].limit))
            check_fail(__FILE__, __LINE__, "%s is %g ulp off", close[r].name, worst);
    }
}

/* What masks of attention kernels are: powers of them are zero, or infinite. */
static void native_powers_far_away(void)
{
    static const char *const names[] = {"native_exp", "native_exp2", "native_exp10"};
    for (size_t n = 0; n < LEN(names); n++) {
        for (int i = 0; i < COUNT; i++) {
            double size = i == 0 ? INFINITY : fmin(ldexp(151 + i % 97, i % 121), 0x1.fffffep127);
            first[i] = (float)(i % 2 ? size : -size);
        }
        compute(names[n], &rows[0], "", 1);
        for (int i = 0; i < COUNT; i++) {
            double want = first[i] > 0 ? INFINITY : 0;
            if (!((double)results[i] == want))
                check_fail(__FILE__, __LINE__, "%s(%a) is %g", names[n], (double)first[i],
                           (double)results[i]);
        }
    }
}

static const struct test_case cases[] = {
    CASE(relaxed),
    CASE(native),
    CASE(powers_of_negative_numbers),
    CASE(sine_and_cosine),
    CASE(native_far_away),
    CASE(native_forms_of_moderate_arguments),
    CASE(native_powers_far_away),
};
TEST_MAIN("math_relaxed", cases)
