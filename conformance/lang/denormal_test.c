/* SPDX-License-Identifier: Apache-2.0 */
/* Denormal numbers with and without -cl-denorms-are-zero: float may lose them, double need not. */
#include "cl_help.h"
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { COUNT = 1003 };

static const char source[] =
    "kernel void f(global const float *a, global const float *b, global float *c)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float x = a[i], y = b[i];\n"
    "    c[4 * i] = x + y;\n"
    "    c[4 * i + 1] = x - y;\n"
    "    c[4 * i + 2] = x * y;\n"
    "    c[4 * i + 3] = fma(x, y, x);\n"
    "}\n"
    "#ifdef cl_khr_fp64\n"
    "kernel void d(global const double *a, global const double *b, global double *c)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    double x = a[i], y = b[i];\n"
    "    c[4 * i] = x + y;\n"
    "    c[4 * i + 1] = x - y;\n"
    "    c[4 * i + 2] = x * y;\n"
    "    c[4 * i + 3] = fma(x, y, x);\n"
    "}\n"
    "double outlined(double x, double y) __attribute__((noinline));\n"
    "double outlined(double x, double y) { return x * y; }\n"
    "kernel void mixed(global const float *a, global const double *b, global double *c)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float twice = a[i] + a[i];\n"
    "    c[i] = outlined(b[i], twice);\n"
    "}\n"
    "#endif\n";

static float fa[COUNT], fb[COUNT], fc[4 * COUNT];
static double da[COUNT], db[COUNT], dc[4 * COUNT];

/* Around the smallest normal numbers, both signs, zeros too. */
static void make_input(void)
{
    for (int i = 0; i < COUNT; i++) {
        double x = (double)random_below(2000) / 1000 - 1, y = (double)random_below(2000) / 1000 - 1;
        fa[i] = (float)ldexp(x, -127 + (int)random_below(8));
        fb[i] = random_below(2) ? (float)y : (float)ldexp(y, -127 + (int)random_below(8));
        da[i] = ldexp(x, -1023 + (int)random_below(8));
        db[i] = random_below(2) ? y : ldexp(y, -1023 + (int)random_below(8));
    }
}

static int is_tiny(double x, double least)
{
    return x != 0 && fabs(x) < least;
}

static float flushed(float x)
{
    return is_tiny(x, FLT_MIN) ? copysignf(0, x) : x;
}

static void run(cl_kernel kernel, const void *a, const void *b, void *c, size_t each)
{
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, COUNT * each, (void *)(uintptr_t)a),
           mb = new_buffer(CL_MEM_COPY_HOST_PTR, COUNT * each, (void *)(uintptr_t)b),
           mc = new_buffer(0, 4 * COUNT * each, NULL);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    run_1d(kernel, COUNT, 0);
    read_back(mc, 4 * COUNT * each, c);
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
}

/* The four results of `f`, in double: exact but for the last rounding. */
static void expected(float x, float y, float out[4])
{
    volatile float sum = x + y, difference = x - y, product = x * y;
    out[0] = sum;
    out[1] = difference;
    out[2] = product;
    out[3] = fmaf(x, y, x);
}

static int same(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* flush: results that only flushing explains are asked for; otherwise those without. Where the
 * device is not ours either will do. */
static void check_floats(cl_kernel kernel, int flush)
{
    make_input();
    run(kernel, fa, fb, fc, sizeof *fa);
    int strict = is_sluice(), differing = 0;
    for (int i = 0; i < COUNT; i++) {
        float plain[4], zeroed[4];
        expected(fa[i], fb[i], plain);
        expected(flushed(fa[i]), flushed(fb[i]), zeroed);
        for (int k = 0; k < 4; k++) {
            float got = fc[4 * i + k], zero = flushed(zeroed[k]);
            differing += !same(plain[k], zero);
            int right = flush ? same(got, zero) : same(got, plain[k]);
            /* what rounds up to the smallest normal number may count as below it */
            right |= flush && got == 0 && fabsf(zero) == FLT_MIN;
            if (!strict)
                right |= same(got, zero) || same(got, plain[k]) || same(got, flushed(plain[k]));
            if (!right)
                check_fail(__FILE__, __LINE__, "%a, %a, row %d: %a instead of %a", fa[i], fb[i], k,
                           got, flush ? zero : plain[k]);
            REQUIRE(right);
        }
    }
    CHECK(differing > COUNT);
    volatile float least = FLT_MIN; /* this thread's own mode */
    CHECK(least / 2 != 0);
}

static double flushed_double(double x)
{
    return is_tiny(x, DBL_MIN) ? copysign(0, x) : x;
}

static void results(volatile double x, volatile double y, double out[4])
{
    out[0] = x + y;
    out[1] = x - y;
    out[2] = x * y;
    out[3] = fma(x, y, x);
}

/* Others may flush double too where the option is given. */
static void check_doubles(cl_kernel kernel)
{
    make_input();
    run(kernel, da, db, dc, sizeof *da);
    int tiny = 0;
    for (int i = 0; i < COUNT; i++) {
        double want[4], zeroed[4];
        results(da[i], db[i], want);
        results(flushed_double(da[i]), flushed_double(db[i]), zeroed);
        for (int k = 0; k < 4; k++) {
            double got = dc[4 * i + k];
            tiny += is_tiny(want[k], DBL_MIN);
            REQUIRE(got == want[k] || (!is_sluice() && got == flushed_double(zeroed[k])));
        }
    }
    CHECK(tiny > COUNT / 2);
}

static cl_kernel kernel_with(const char *name, const char *options)
{
    return new_kernel(source, name, options);
}

static void float_kept(void)
{
    cl_kernel kernel = kernel_with("f", NULL);
    check_floats(kernel, 0);
    RELEASE_KERNEL(kernel);
}

static void float_flushed(void)
{
    cl_kernel kernel = kernel_with("f", "-cl-denorms-are-zero"), plain = kernel_with("f", NULL);
    for (int i = 0; i < 3; i++) {
        check_floats(kernel, 1);
        check_floats(plain, 0);
    }
    RELEASE_KERNEL(plain);
    RELEASE_KERNEL(kernel);
}

static void double_kept(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no doubles");
    static const char *const options[] = {NULL, "-cl-denorms-are-zero"};
    for (size_t i = 0; i < LEN(options); i++) {
        cl_kernel kernel = kernel_with("d", options[i]);
        check_doubles(kernel);
        RELEASE_KERNEL(kernel);
    }
}

/* One kernel with both: what double may not lose decides. */
static void mixed(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no doubles");
    static float a[COUNT];
    static double b[COUNT], got[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = 1 + (float)random_below(1000);
        b[i] = ldexp((double)random_below(1000) / 999, -1040);
    }
    cl_kernel kernel = kernel_with("mixed", "-cl-denorms-are-zero");
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
           mb = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), mc = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    run_1d(kernel, COUNT, 0);
    read_back(mc, sizeof got, got);
    for (int i = 0; i < COUNT; i++)
        REQUIRE(got[i] == b[i] * (double)(a[i] + a[i]) || (!is_sluice() && got[i] == 0));
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
    RELEASE_KERNEL(kernel);
}

/* The option given when compiling, or when linking, of a program built in two steps. */
static void two_steps(void)
{
    static const char *const options[][2] = {{"-cl-denorms-are-zero", NULL},
                                             {NULL, "-cl-denorms-are-zero"}};
    for (size_t i = 0; i < LEN(options); i++) {
        cl_int rc;
        cl_program part = new_program(source);
        REQUIRE_OK(clCompileProgram(part, 1, &cl.device, options[i][0], 0, NULL, NULL, NULL, NULL));
        cl_program whole =
            clLinkProgram(cl.context, 1, &cl.device, options[i][1], 1, &part, NULL, NULL, &rc);
        REQUIRE_OK(rc);
        cl_kernel kernel = kernel_of(whole, "f");
        check_floats(kernel, 1);
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(whole);
        RELEASE_PROGRAM(part);
    }
}

/* Three numbers and an integer, which as a float is denormal: it reaches nobody's result. All
 * numbers are small and whole, so sums and products are exact. */
static void beside_an_integer(void)
{
    static const char text[] =
        "kernel void walk(global const float4 *records, global float4 *o, global float2 *pairs)\n"
        "{\n"
        "    int at = get_global_id(0), stack[16], n = 0;\n"
        "    float3 sum = 0;\n"
        "    float2 product = 1;\n"
        "    stack[n++] = at;\n"
        "    while (n > 0) {\n"
        "        float4 r = records[stack[--n]];\n"
        "        int next = as_int(r.w);\n"
        "        sum += (r.xyz - 1.0f) * (float3)(2, 3, 4) / 0.5f;\n"
        "        product *= r.xy;\n"
        "        if (next > 0)\n"
        "            stack[n++] = next;\n"
        "    }\n"
        "    o[at] = (float4)(sqrt(sum * sum), as_float(as_int(records[at].w) + n));\n"
        "    pairs[at] = product;\n"
        "}\n";
    static float records[COUNT][4], got[COUNT][4], pairs[COUNT][2];
    for (int i = 0; i < COUNT; i++) {
        int next = i / 2;
        for (int k = 0; k < 3; k++)
            records[i][k] = (float)(1 + random_below(4));
        memcpy(&records[i][3], &next, sizeof next);
    }
    cl_kernel kernel = new_kernel(text, "walk", NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof records, records),
           b = new_buffer(0, sizeof got, NULL), c = new_buffer(0, sizeof pairs, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, c);
    run_1d(kernel, COUNT, 0);
    read_back(b, sizeof got, got);
    read_back(c, sizeof pairs, pairs);
    for (int i = 0; i < COUNT; i++) {
        float sum[3] = {0}, product[2] = {1, 1};
        for (int at = i, last = 0; !last; at /= 2) {
            for (int k = 0; k < 3; k++)
                sum[k] += (records[at][k] - 1) * (float)(k + 2) / 0.5f;
            for (int k = 0; k < 2; k++)
                product[k] *= records[at][k];
            last = at / 2 == 0;
        }
        REQUIRE(!memcmp(got[i], sum, sizeof sum) && !memcmp(pairs[i], product, sizeof product));
        REQUIRE(!memcmp(&got[i][3], &records[i][3], sizeof(int)));
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(c);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(float_kept), CASE(float_flushed), CASE(double_kept),
    CASE(mixed),      CASE(two_steps),     CASE(beside_an_integer),
};
TEST_MAIN("denormal", cases)
