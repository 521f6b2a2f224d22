/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sine and cosine of one angle in one kernel: the values are those of sincos to the bit, whose
 * errors math_test measures, whichever comes first; of different angles each has its own. Against
 * plain C as well. Other implementations may take different values for the three.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl_help.h"
#include "reference.h"

enum { MOST = 1009 };

#define SOURCE                                                                                     \
    "kernel void apart(global const T *a, global T *out, int n) {\n"                               \
    "  size_t i = get_global_id(0);\n"                                                             \
    "  if (i >= n) return;\n"                                                                      \
    "  T x = a[i], y = a[n - 1 - i];\n"                                                            \
    "  out[8 * i] = sin(x);\n"                                                                     \
    "  out[8 * i + 1] = cos(x);\n"                                                                 \
    "  out[8 * i + 2] = cos(2 * y);\n"                                                             \
    "  out[8 * i + 3] = sin(y * 2);\n"                                                             \
    "  T s = 0, c = 0;\n"                                                                          \
    "  if (i % 3) { s = sin(x + y); c = cos(x - y); }\n"                                           \
    "  out[8 * i + 4] = s;\n"                                                                      \
    "  out[8 * i + 5] = c;\n"                                                                      \
    "  T4 r = (T4)(x, y, 1, -2) * 3, u = cos(r), v = sin(r);\n"                                    \
    "  out[8 * i + 6] = u.s1 + u.s2;\n"                                                            \
    "  out[8 * i + 7] = v.s0 - v.s3;\n"                                                            \
    "}\n"                                                                                          \
    "kernel void together(global const T *a, global T *out, int n) {\n"                            \
    "  size_t i = get_global_id(0);\n"                                                             \
    "  if (i >= n) return;\n"                                                                      \
    "  T x = a[i], y = a[n - 1 - i], c;\n"                                                         \
    "  out[8 * i] = sincos(x, &c);\n"                                                              \
    "  out[8 * i + 1] = c;\n"                                                                      \
    "  out[8 * i + 3] = sincos(2 * y, &c);\n"                                                      \
    "  out[8 * i + 2] = c;\n"                                                                      \
    "  out[8 * i + 4] = i % 3 ? sin(x + y) : 0;\n"                                                 \
    "  out[8 * i + 5] = i % 3 ? cos(x - y) : 0;\n"                                                 \
    "  T4 u, v = sincos((T4)(x, y, 1, -2) * 3, &u);\n"                                             \
    "  out[8 * i + 6] = u.s1 + u.s2;\n"                                                            \
    "  out[8 * i + 7] = v.s0 - v.s3;\n"                                                            \
    "}\n"

static const char *const names[8] = {"sin(x)",     "cos(x)",     "cos(2y)", "sin(2y)",
                                     "sin(x + y)", "cos(x - y)", "cosines", "sines"};

union numbers {
    float f[8 * MOST];
    double d[8 * MOST];
};

static double get(const union numbers *n, size_t i, int is_float)
{
    return is_float ? (double)n->f[i] : n->d[i];
}

static double rounded(double x, int is_float)
{
    return is_float ? (double)(float)x : x;
}

static void expect(double x, double y, size_t i, int is_float, double *want)
{
    double three_x = rounded(x * 3, is_float), three_y = rounded(y * 3, is_float);
    want[0] = sin(x);
    want[1] = cos(x);
    want[2] = cos(2 * y);
    want[3] = sin(2 * y);
    want[4] = i % 3 ? sin(rounded(x + y, is_float)) : 0;
    want[5] = i % 3 ? cos(rounded(x - y, is_float)) : 0;
    want[6] = cos(three_y) + cos(3);
    want[7] = sin(three_x) - sin(-6);
}

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void compare(const union numbers *apart, const union numbers *together, const double *in,
                    size_t items, int is_float)
{
    double want[8], error = is_float ? 1e-6 : 4e-15;
    for (size_t i = 0; i < items; i++) {
        expect(in[i], in[items - 1 - i], i, is_float, want);
        for (size_t k = 0; k < 8; k++) {
            double got = get(apart, 8 * i + k, is_float),
                   other = get(together, 8 * i + k, is_float);
            int right = isnan(want[k]) ? isnan(got) : fabs(got - want[k]) <= error;
            if (right && (same(got, other) || !is_sluice()))
                continue;
            check_fail(__FILE__, __LINE__, "%zu items, item %zu, %s: %a, by sincos %a, in C %a",
                       items, i, names[k], got, other, want[k]);
            return;
        }
    }
}

static void fill(double *in, int is_float)
{
    static const double specials[] = {0.0, -0.0, INFINITY, NAN, 3.0e7, -1.0e9, 0x1p-140};
    for (size_t i = 0; i < MOST; i++) {
        in[i] = ((double)random_below(400000) - 200000) / 1000;
        if (random_below(16) == 0)
            in[i] = specials[random_below(LEN(specials))];
        in[i] = rounded(in[i], is_float);
    }
}

static void run(cl_kernel kernel, const double *in, size_t items, size_t local, int is_float,
                union numbers *out)
{
    static union numbers given;
    size_t size = is_float ? sizeof(float) : sizeof(double);
    cl_int n = (cl_int)items;
    for (size_t i = 0; i < items; i++) {
        if (is_float)
            given.f[i] = (float)in[i];
        else
            given.d[i] = in[i];
    }
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, items * size, &given);
    cl_mem to = new_buffer(0, items * 8 * size, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, n);
    run_1d(kernel, local ? (items + local - 1) / local * local : items, local);
    read_back(to, items * 8 * size, out);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void each(int is_float)
{
    static const size_t sizes[][2] = {{MOST, 0}, {MOST, 17}, {512, 64}, {1, 1}};
    static union numbers apart, together;
    static double in[MOST];
    const char *options = is_float ? "-DT=float -DT4=float4" : "-DT=double -DT4=double4";
    cl_kernel one = new_kernel(SOURCE, "apart", options);
    cl_kernel other = new_kernel(SOURCE, "together", options);
    fill(in, is_float);
    for (size_t s = 0; s < LEN(sizes); s++) {
        run(one, in, sizes[s][0], sizes[s][1], is_float, &apart);
        run(other, in, sizes[s][0], sizes[s][1], is_float, &together);
        compare(&apart, &together, in, sizes[s][0], is_float);
    }
    RELEASE_KERNEL(one);
    RELEASE_KERNEL(other);
}

static void floats(void)
{
    each(1);
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double");
    each(0);
}

static const struct test_case cases[] = {CASE(floats), CASE(doubles)};
TEST_MAIN("math_angle", cases)
