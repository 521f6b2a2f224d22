/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of which builtins take care out of line (kernels/builtins/rare.h): some items of a
 * vector have them, others do not, and sums and arguments have to survive the call in all. Against
 * C in double.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl_help.h"
#include "reference.h"

enum { MOST = 1003, SUMS = 4, ROUNDS = 7 };

#define SOURCE                                                                                     \
    "kernel void sums(global const T *a, global T *out, int rounds, int n) {\n"                    \
    "  size_t i = get_global_id(0);\n"                                                             \
    "  if (i >= n) return;\n"                                                                      \
    "  T x = a[i], s0 = 0, s1 = 1, s2 = 2, s3 = 3;\n"                                              \
    "  for (int k = 0; k < rounds; k++) {\n"                                                       \
    "    s0 += sin(x); s1 += log(x);\n"                                                            \
    "    if (k & 1) s2 = s2 * (T)0.5 + cos(x * (T)0.25);\n"                                        \
    "    if (x > 1) s3 = s3 * (T)0.25 + log2(x);\n"                                                \
    "    x *= 4;\n"                                                                                \
    "  }\n"                                                                                        \
    "  out[4 * i] = s0; out[4 * i + 1] = s1; out[4 * i + 2] = s2; out[4 * i + 3] = s3;\n"          \
    "}\n"

static double in[MOST], want[MOST * SUMS];

/* A part of them rare: large ones for sin and cos, what is no positive normal number for log. */
static void fill(unsigned rare_of_64, int is_float)
{
    static const double specials[] = {0.0, -0.0, -2.5, INFINITY, NAN, 0x1p-140, 3.0e7, 0x1.8p-1070};
    for (size_t i = 0; i < MOST; i++) {
        in[i] = 0.01 + (double)random_below(40000) / 1000;
        if (random_below(64) < rare_of_64)
            in[i] = specials[random_below(LEN(specials))];
        in[i] = is_float ? (double)(float)in[i] : in[i];
    }
}

static void expect(double x, double *sums)
{
    double s[SUMS] = {0, 1, 2, 3};
    for (int k = 0; k < ROUNDS; k++) {
        s[0] += sin(x);
        s[1] += log(x);
        if (k & 1)
            s[2] = s[2] * 0.5 + cos(x * 0.25);
        if (x > 1)
            s[3] = s[3] * 0.25 + log2(x);
        x *= 4;
    }
    memcpy(sums, s, sizeof s);
}

static int is_close(double got, double wanted, double error)
{
    if (isnan(wanted) || isinf(wanted))
        return isnan(wanted) ? isnan(got) : got == wanted;
    return fabs(got - wanted) <= error * (fabs(wanted) + ROUNDS);
}

static void compare(const void *got, size_t items, int is_float, const char *what)
{
    for (size_t i = 0; i < items * SUMS; i++) {
        double one = is_float ? (double)((const float *)got)[i] : ((const double *)got)[i];
        if (is_close(one, want[i], is_float ? 1e-5 : 1e-14))
            continue;
        check_fail(__FILE__, __LINE__, "%s, %zu items: sum %zu of %a (item %zu): %a, not %a", what,
                   items, i % SUMS, in[i / SUMS], i / SUMS, one, want[i]);
        return;
    }
}

static void run(cl_kernel kernel, size_t items, size_t local, int is_float, const char *what)
{
    static union {
        float of_float[MOST * SUMS];
        double of_double[MOST * SUMS];
    } numbers;
    size_t size = is_float ? sizeof(float) : sizeof(double);
    cl_int rounds = ROUNDS, n = (cl_int)items;
    for (size_t i = 0; i < items; i++) {
        if (is_float)
            numbers.of_float[i] = (float)in[i];
        else
            numbers.of_double[i] = in[i];
        expect(in[i], want + i * SUMS);
    }
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, MOST * size, &numbers);
    cl_mem to = new_buffer(0, MOST * SUMS * size, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, rounds);
    ARG(kernel, 3, n);
    run_1d(kernel, local ? (items + local - 1) / local * local : items, local);
    read_back(to, items * SUMS * size, &numbers);
    compare(&numbers, items, is_float, what);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void each(int is_float, const char *options)
{
    static const size_t sizes[][2] = {{MOST, 0}, {MOST, 17}, {512, 64}, {5, 5}};
    static const unsigned rare[] = {0, 1, 20, 64};
    char all[128];
    snprintf(all, sizeof all, "-DT=%s %s", is_float ? "float" : "double", options);
    cl_kernel kernel = new_kernel(SOURCE, "sums", all);
    for (size_t r = 0; r < LEN(rare); r++) {
        fill(rare[r], is_float);
        for (size_t s = 0; s < LEN(sizes); s++)
            run(kernel, sizes[s][0], sizes[s][1], is_float, all);
    }
    RELEASE_KERNEL(kernel);
}

static void floats(void)
{
    each(1, "");
    each(1, "-cl-opt-disable");
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double");
    each(0, "");
    each(0, "-cl-opt-disable");
}

static const struct test_case cases[] = {CASE(floats), CASE(doubles)};
TEST_MAIN("math_rare", cases)
