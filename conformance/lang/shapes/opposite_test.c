/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a number and of its opposite, each scaled by a constant: what they share is computed
 * once, and each still has the sign and the accuracy that its argument asks for. */
#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { COUNT = 1003, RESULTS = 10 };

static const char source[] =
    "#ifdef DOUBLE\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef double T;\n"
    "#else\n"
    "typedef float T;\n"
    "#endif\n"
    "T cdf(T x) { return (T)0.5 * erfc(-x * (T)0.70710678118654752); }\n"
    "kernel void f(global const T *a, global T *o)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    T x = a[i];\n"
    "    global T *to = o + RESULTS * i;\n"
    "    to[0] = cdf(x);\n"
    "    to[1] = cdf(-x);\n"
    "    to[2] = sin(x * (T)1.5);\n"
    "    to[3] = sin(-x * (T)1.5);\n"
    "    to[4] = atan(x / (T)-3);\n"
    "    to[5] = atan(x / (T)3);\n"
    "    to[6] = exp(x * (T)0.75);\n"
    "    to[7] = exp(x * (T)-0.75);\n"
    "    to[8] = tanh(-x * (T)0.25) + tanh(x * (T)0.25);\n"
    "    to[9] = cbrt(x * (T)-2) * cbrt(x * (T)2) + fabs(x * (T)-2) * (x * (T)2);\n"
    "}\n";

static float fin[COUNT], fout[RESULTS * COUNT];
static double in[COUNT], out[RESULTS * COUNT];

static void expect(double x, double *to)
{
    to[0] = 0.5 * erfc(-x * M_SQRT1_2);
    to[1] = 0.5 * erfc(x * M_SQRT1_2);
    to[2] = sin(x * 1.5);
    to[3] = -to[2];
    to[4] = atan(x / -3);
    to[5] = -to[4];
    to[6] = exp(x * 0.75);
    to[7] = exp(x * -0.75);
    to[8] = 0;
    to[9] = -pow(cbrt(x * 2), 2) + fabs(x * 2) * (x * 2);
}

/* What the product is off by shows in functions that grow or fall fast. */
static void check(const char *type, double x, const double *got, double one)
{
    double want[RESULTS];
    expect(x, want);
    for (int k = 0; k < RESULTS; k++) {
        double scale = k < 2 ? fabs(want[k]) * (1 + x * x) : k == 9 ? x * x + 1 : 1;
        scale = k == 6 || k == 7 ? want[k] * (1 + fabs(x)) : scale;
        if (!(fabs(got[k] - want[k]) <= 32 * one * scale))
            check_fail(__FILE__, __LINE__, "%s, result %d of %.17g: %.17g instead of %.17g", type,
                       k, x, got[k], want[k]);
    }
    if (got[3] != -got[2] || got[5] != -got[4] || got[8] != 0)
        check_fail(__FILE__, __LINE__, "%s: odd functions of %.17g are not opposite", type, x);
}

static void make_input(void)
{
    static const double some[] = {0, -0.0, 0.5, -0.5, 1e-30, -1e-30, 5, -5};
    for (int i = 0; i < COUNT; i++) {
        double x = i < (int)LEN(some) ? some[i] : (double)random_below(100000) / 1e4 - 5;
        fin[i] = (float)x;
        in[i] = x;
    }
}

static void run(const char *options, void *from, void *to, size_t each)
{
    cl_kernel kernel = new_kernel(source, "f", options);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, COUNT * each, from),
           o = new_buffer(0, RESULTS * COUNT * each, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, o);
    run_1d(kernel, COUNT, 0);
    read_back(o, RESULTS * COUNT * each, to);
    RELEASE_MEM(a);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static void floats(void)
{
    make_input();
    run("-DRESULTS=10", fin, fout, sizeof *fin);
    for (int i = 0; i < COUNT; i++) {
        double got[RESULTS];
        for (int k = 0; k < RESULTS; k++)
            got[k] = fout[RESULTS * i + k];
        check("float", fin[i], got, 0x1p-23);
    }
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double precision");
    make_input();
    run("-DRESULTS=10 -DDOUBLE", in, out, sizeof *in);
    for (int i = 0; i < COUNT; i++)
        check("double", in[i], &out[RESULTS * i], 0x1p-52);
}

static const struct test_case cases[] = {CASE(floats), CASE(doubles)};
TEST_MAIN("opposite", cases)
