/* SPDX-License-Identifier: Apache-2.0 */
/* The edge cases of the math functions that the standards list (C11 annex F.10, OpenCL C 7.5.1):
 * zeros with their signs, infinities, NaN; float and double, scalars and a vector of three.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <string.h>

#define INF INFINITY

struct row {
    const char *call; /* of x and y */
    double x, y, want;
};

static const struct row rows[] = {
    {"acos(x)", 1, 0, 0},
    {"acos(x)", 1.5, 0, NAN},
    {"acosh(x)", 1, 0, 0},
    {"acosh(x)", 0.5, 0, NAN},
    {"acosh(x)", -3, 0, NAN},
    {"acosh(x)", INF, 0, INF},
    {"acospi(x)", 1, 0, 0},
    {"acospi(x)", -1.25, 0, NAN},
    {"asin(x)", -0.0, 0, -0.0},
    {"asin(x)", 2, 0, NAN},
    {"asinh(x)", -0.0, 0, -0.0},
    {"asinh(x)", -INF, 0, -INF},
    {"asinpi(x)", -0.0, 0, -0.0},
    {"asinpi(x)", 1.5, 0, NAN},
    {"atan(x)", -0.0, 0, -0.0},
    {"atanpi(x)", -0.0, 0, -0.0},
    {"atanpi(x)", -INF, 0, -0.5},
    {"atanh(x)", -0.0, 0, -0.0},
    {"atanh(x)", -1, 0, -INF},
    {"atanh(x)", 1.5, 0, NAN},
    {"atan2pi(x, y)", 0, -0.0, 1},
    {"atan2pi(x, y)", -0.0, -0.0, -1},
    {"atan2pi(x, y)", -0.0, 0, -0.0},
    {"atan2pi(x, y)", -0.0, -2, -1},
    {"atan2pi(x, y)", -0.0, 3, -0.0},
    {"atan2pi(x, y)", -3, -0.0, -0.5},
    {"atan2pi(x, y)", 3, 0, 0.5},
    {"atan2pi(x, y)", -7, -INF, -1},
    {"atan2pi(x, y)", -7, INF, -0.0},
    {"atan2pi(x, y)", -INF, 5, -0.5},
    {"atan2pi(x, y)", INF, -INF, 0.75},
    {"atan2pi(x, y)", -INF, INF, -0.25},
    {"atan2(x, y)", -0.0, 0, -0.0},
    {"atan2(x, y)", -0.0, 5, -0.0},
    {"atan2(x, y)", -7, INF, -0.0},
    {"atan2(x, y)", NAN, 1, NAN},
    {"atan2(x, y)", 1, NAN, NAN},
    {"cbrt(x)", -0.0, 0, -0.0},
    {"cbrt(x)", -INF, 0, -INF},
    {"cbrt(x)", -27, 0, -3},
    {"ceil(x)", -0.5, 0, -0.0},
    {"cos(x)", -0.0, 0, 1},
    {"cos(x)", -INF, 0, NAN},
    {"cosh(x)", -INF, 0, INF},
    {"cosh(x)", 0, 0, 1},
    {"cospi(x)", -0.0, 0, 1},
    {"cospi(x)", 2.5, 0, 0},
    {"cospi(x)", -3.5, 0, 0},
    {"cospi(x)", INF, 0, NAN},
    {"erf(x)", -0.0, 0, -0.0},
    {"erf(x)", -INF, 0, -1},
    {"erfc(x)", -INF, 0, 2},
    {"erfc(x)", INF, 0, 0},
    {"exp(x)", -INF, 0, 0},
    {"exp(x)", -0.0, 0, 1},
    {"exp2(x)", -INF, 0, 0},
    {"exp10(x)", -INF, 0, 0},
    {"exp10(x)", INF, 0, INF},
    {"expm1(x)", -0.0, 0, -0.0},
    {"expm1(x)", -INF, 0, -1},
    {"fabs(x)", -0.0, 0, 0},
    {"fdim(x, y)", NAN, 1, NAN},
    {"fmod(x, y)", -0.0, 7, -0.0},
    {"fmod(x, y)", 3, 0, NAN},
    {"fmod(x, y)", 3, NAN, NAN},
    {"fmod(x, y)", -3, INF, -3},
    {"hypot(x, y)", -INF, NAN, INF},
    {"hypot(x, y)", -0.0, 0, 0},
    {"ldexp(x, 0)", -0.0, 0, -0.0},
    {"log(x)", -0.0, 0, -INF},
    {"log(x)", 1, 0, 0},
    {"log(x)", -1, 0, NAN},
    {"log(x)", INF, 0, INF},
    {"log2(x)", -0.0, 0, -INF},
    {"log2(x)", -INF, 0, NAN},
    {"log10(x)", 1000, 0, 3},
    {"log10(x)", -2, 0, NAN},
    {"log1p(x)", -0.0, 0, -0.0},
    {"log1p(x)", -1, 0, -INF},
    {"log1p(x)", -2, 0, NAN},
    {"log1p(x)", INF, 0, INF},
    {"pow(x, y)", -0.0, -3, -INF},
    {"pow(x, y)", -0.0, -2, INF},
    {"pow(x, y)", -0.0, -2.5, INF},
    {"pow(x, y)", 0, -INF, INF},
    {"pow(x, y)", -0.0, 3, -0.0},
    {"pow(x, y)", -0.0, 2.5, 0},
    {"pow(x, y)", -1, INF, 1},
    {"pow(x, y)", 1, NAN, 1},
    {"pow(x, y)", NAN, -0.0, 1},
    {"pow(x, y)", -2.5, 0.5, NAN},
    {"pow(x, y)", 0.5, -INF, INF},
    {"pow(x, y)", -1.5, -INF, 0},
    {"pow(x, y)", -INF, -3, -0.0},
    {"pow(x, y)", -INF, 5, -INF},
    {"pow(x, y)", -INF, 0.5, INF},
    {"pow(x, y)", INF, -1, 0},
    {"pow(x, y)", -2, 3, -8},
    {"pown(x, 0)", NAN, 0, 1},
    {"pown(x, -3)", -0.0, 0, -INF},
    {"pown(x, -2)", -0.0, 0, INF},
    {"pown(x, 3)", -0.0, 0, -0.0},
    {"pown(x, 2)", -0.0, 0, 0},
    {"powr(x, y)", 3, -0.0, 1},
    {"powr(x, y)", -0.0, -2, INF},
    {"powr(x, y)", 0, -INF, INF},
    {"powr(x, y)", -0.0, 3, 0},
    {"powr(x, y)", 1, -7, 1},
    {"powr(x, y)", 1, INF, NAN},
    {"powr(x, y)", -1, 2, NAN},
    {"powr(x, y)", -0.0, -0.0, NAN},
    {"powr(x, y)", INF, 0, NAN},
    {"powr(x, y)", NAN, 0, NAN},
    {"powr(x, y)", 2, NAN, NAN},
    {"rint(x)", -0.25, 0, -0.0},
    {"remainder(x, y)", -0.0, 5, -0.0},
    {"remainder(x, y)", INF, 5, NAN},
    {"rootn(x, -3)", -0.0, 0, -INF},
    {"rootn(x, -2)", -0.0, 0, INF},
    {"rootn(x, 3)", -0.0, 0, -0.0},
    {"rootn(x, 2)", -0.0, 0, 0},
    {"rootn(x, 2)", -4, 0, NAN},
    {"rootn(x, 0)", 4, 0, NAN},
    {"rootn(x, 3)", -27, 0, -3},
    {"round(x)", -0.25, 0, -0.0},
    {"rsqrt(x)", 0, 0, INF},
    {"rsqrt(x)", INF, 0, 0},
    {"rsqrt(x)", -1, 0, NAN},
    {"sin(x)", -0.0, 0, -0.0},
    {"sin(x)", INF, 0, NAN},
    {"sinh(x)", -0.0, 0, -0.0},
    {"sinh(x)", -INF, 0, -INF},
    {"sinpi(x)", -0.0, 0, -0.0},
    {"sinpi(x)", 4, 0, 0},
    {"sinpi(x)", -5, 0, -0.0},
    {"sinpi(x)", -INF, 0, NAN},
    {"sqrt(x)", -0.0, 0, -0.0},
    {"sqrt(x)", -1, 0, NAN},
    {"tan(x)", -0.0, 0, -0.0},
    {"tan(x)", -INF, 0, NAN},
    {"tanh(x)", -0.0, 0, -0.0},
    {"tanh(x)", -INF, 0, -1},
    {"tanpi(x)", -0.0, 0, -0.0},
    {"tanpi(x)", 2, 0, 0},
    {"tanpi(x)", -3, 0, 0},
    {"tanpi(x)", 3, 0, -0.0},
    {"tanpi(x)", 2.5, 0, INF},
    {"tanpi(x)", 1.5, 0, -INF},
    {"tanpi(x)", INF, 0, NAN},
    {"tgamma(x)", -0.0, 0, -INF},
    {"tgamma(x)", -2, 0, NAN},
    {"tgamma(x)", INF, 0, INF},
    {"trunc(x)", -0.75, 0, -0.0},
};
enum { ROWS = LEN(rows) };

static int same(double got, double want)
{
    return isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
}

/* One item per row: scalar in out[2 i], the last element of a vector in out[2 i + 1]. */
static char *source_of(const char *type)
{
    static char text[65536];
    int n = snprintf(text, sizeof text,
                     "typedef %s T;\ntypedef %s3 T3;\n"
                     "kernel void k(global const double *a, global const double *b, global double "
                     "*o)\n{\n    size_t i = get_global_id(0);\n    T one = 0;\n    T3 three = 0;\n"
                     "    switch (i) {\n",
                     type, type);
    for (int r = 0; r < ROWS; r++) {
        char wide[64];
        const char *call = rows[r].call, *comma = strchr(call, ',');
        /* pown and rootn: an int for each element */
        if (comma && !strstr(call, " y)"))
            snprintf(wide, sizeof wide, "%.*s, (int3)(%s)", (int)(comma - call), call, comma + 1);
        else
            snprintf(wide, sizeof wide, "%s", call);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "    case %d: { { T x = (T)a[i], y = (T)b[i]; one = %s; }\n"
                      "      { T3 x = (T3)(0.25f, 1, (T)a[i]), y = (T3)(1, 2, (T)b[i]);"
                      " three = %s; } break; }\n",
                      r, call, wide);
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "    }\n    o[2 * i] = one;\n    o[2 * i + 1] = three.z;\n}\n");
    return text;
}

static void run_rows(const char *type)
{
    double a[ROWS], b[ROWS], out[2 * ROWS];
    for (int r = 0; r < ROWS; r++) {
        a[r] = rows[r].x;
        b[r] = rows[r].y;
    }
    cl_kernel kernel = new_kernel(source_of(type), "k", "");
    cl_mem buffers[3] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                         new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b),
                         new_buffer(CL_MEM_READ_WRITE, sizeof out, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        ARG(kernel, i, buffers[i]);
    run_1d(kernel, ROWS, 0);
    read_back(buffers[2], sizeof out, out);
    for (int i = 0; i < 2 * ROWS; i++) {
        const struct row *r = &rows[i / 2];
        if (!same(out[i], r->want))
            check_fail(__FILE__, __LINE__, "%s%s %s for %a, %a: expected %a, got %a", type,
                       i % 2 ? "3" : "", r->call, r->x, r->y, r->want, out[i]);
    }
    for (int i = 0; i < 3; i++)
        RELEASE_MEM(buffers[i]);
    RELEASE_KERNEL(kernel);
}

static void edges_of_float(void)
{
    run_rows("float");
}

static void edges_of_double(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    run_rows("double");
}

static const struct test_case cases[] = {
    CASE(edges_of_float),
    CASE(edges_of_double),
};
TEST_MAIN("math_edge", cases)
