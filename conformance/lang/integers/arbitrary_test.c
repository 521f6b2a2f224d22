/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of any width by hand: where they may stand, numbers of other kinds, refusals.
 * arbitrary_random_test.c makes kernels up. */
#include "cl_help.h"

#include "arbitrary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    cl_uchar five, pad[7];
    cl_long long33;
};

/* Arguments of kernels, members, private arrays, calls, loops. */
static void places(void)
{
    static const char source[] =
        "typedef unsigned int __attribute__((__ap_int(5))) u5;\n"
        "constant int W = 33; typedef int i33 __attribute__((__ap_int(W)));\n"
        "typedef struct { u5 five; i33 long33; } S;\n"
        "u5 square(u5 x) { return x * x; }\n"
        "i33 sum(int n, i33 by) { i33 s = 0; for (int i = 0; i < n; i++) s += by; return s; }\n"
        "kernel void k(u5 x, i33 y, S s, global S *o, global int *p) {\n"
        "    u5 kept[3]; for (int i = 0; i < 3; i++) kept[i] = square(x + (u5)i);\n"
        "    o[0].five = kept[p[0]]; o[0].long33 = sum(5, y);\n"
        "    o[1] = s; o[1].five++; o[1].long33--;\n"
        "    int __attribute__((__ap_int(9))) z = p[1]; p[1] = z; p[2] = sizeof(S);\n"
        "}\n";
    arbitrary_need();
    cl_program program = built(source, "");
    cl_int rc, ints[] = {2, 300, 0};
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    REQUIRE_OK(rc);
    const cl_uchar five = 7;
    const cl_long y = INT64_C(0xFFFFFFFE); /* times 5 it does not fit */
    struct arguments s = {.five = 31, .long33 = -(INT64_C(1) << 32)}, out[2];
    const size_t one = 1;
    cl_mem o = clCreateBuffer(cl.context, 0, sizeof out, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem p = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof ints, ints, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof(cl_uint), &ints[0]));
    ARG(kernel, 0, five);
    ARG(kernel, 1, y);
    ARG(kernel, 2, s);
    ARG(kernel, 3, o);
    ARG(kernel, 4, p);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, o, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, p, CL_TRUE, 0, sizeof ints, ints, 0, NULL, NULL));
    CHECK_EQ(out[0].five, 81 % 32);
    CHECK_EQ(out[0].long33, 5 * y - (INT64_C(1) << 34)); /* in 33 bits */
    CHECK_EQ(out[1].five, 0);
    CHECK_EQ(out[1].long33, (INT64_C(1) << 32) - 1);
    CHECK_EQ(ints[1], 300 - 512);
    CHECK_EQ(ints[2], 16);
    RELEASE_MEM(o);
    RELEASE_MEM(p);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void check_number(const unsigned char *got, const struct number *want,
                         struct arbitrary_type type, const char *what, double from)
{
    const struct number kept = arbitrary_cut(type, *want);
    if (memcmp(got, &kept, arbitrary_bytes(type)) != 0)
        check_fail(__FILE__, __LINE__, "%u bits: %s of %a", type.bits, what, from);
}

/* What 65504 and less is exact in 11 digits, and no halves lie above. */
static double nearest_half(const struct number *x)
{
    const double value = number_round(x, 11);
    return fabs(value) > 65504 ? copysign(INFINITY, value) : value;
}

static double half_value(uint16_t bits)
{
    const int power = bits >> 10 & 31, digits = bits & 1023;
    const double size = power == 31 ? digits ? NAN : INFINITY
                        : power     ? ldexp(1024 + digits, power - 25)
                                    : ldexp(digits, -24);
    return bits >> 15 ? -size : size;
}

static void check_halves(cl_program program, cl_mem from, unsigned bits, const double *in,
                         size_t count)
{
    const size_t bytes = 2 * sizeof(uint16_t) * count;
    uint16_t *got = malloc(bytes);
    REQUIRE(got);
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "h", &rc);
    REQUIRE_OK(rc);
    cl_mem to = clCreateBuffer(cl.context, 0, bytes, NULL, &rc);
    REQUIRE_OK(rc);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    for (size_t k = 0; k < count; k++) {
        const struct number whole = number_of_double(fabs(in[k]));
        struct number below = number_shift_right(&whole, 1);
        below = number_negate(&below);
        if (half_value(got[k]) != nearest_half(&whole) ||
            half_value(got[k + count]) != nearest_half(&below))
            check_fail(__FILE__, __LINE__, "%u bits: a half of %a", bits, in[k]);
    }
    free(got);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

/* Numbers of all sizes that fit, and so small ones that nothing is left. */
static void floating_of(const char *source, unsigned bits)
{
    enum { COUNT = 64, LARGEST = 256 };
    const struct arbitrary_type u = {bits, false, false}, i = {bits, true, false};
    const size_t bytes = arbitrary_bytes(u), items = COUNT;
    static unsigned char got[3][COUNT * LARGEST];
    double in[COUNT];
    char options[64];
    cl_int rc;
    for (unsigned k = 0; k < COUNT; k++) {
        int power = (int)(arbitrary_draw(2) ? arbitrary_draw(bits) : arbitrary_draw(70)) - 4;
        in[k] = ldexp(1 + (double)arbitrary_draw(UINT64_C(1) << 52) / 0x1p52,
                      power > 120 ? power % 120 : power);
        in[k] = arbitrary_draw(2) ? in[k] : -in[k];
    }
    in[0] = 0, in[1] = -0.0, in[2] = 0x1.fffffffffffffp-1, in[3] = 0x1p63, in[4] = 0x1.0000001p64;
    sprintf(options, "-DBITS=%u -DITEMS=%d", bits, COUNT);
    cl_program program = built(source, options);
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    REQUIRE_OK(rc);
    cl_mem memory[4];
    for (unsigned m = 0; m < 4; m++) {
        memory[m] = clCreateBuffer(cl.context, m ? 0 : CL_MEM_COPY_HOST_PTR,
                                   m ? bytes * COUNT : sizeof in, m ? NULL : in, &rc);
        REQUIRE_OK(rc);
        ARG(kernel, m, memory[m]);
    }
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    for (unsigned m = 0; m < 3; m++)
        REQUIRE_OK(clEnqueueReadBuffer(cl.queue, memory[m + 1], CL_TRUE, 0, bytes * COUNT, got[m],
                                       0, NULL, NULL));
    for (unsigned k = 0; k < COUNT; k++) {
        struct number want = number_of_double(fabs(in[k]));
        check_number(got[0] + k * bytes, &want, u, "a double", in[k]);
        want = number_of_double(-in[k] / 2);
        check_number(got[1] + k * bytes, &want, i, "a double with a sign", in[k]);
        want = number_of_double(fabs((float)in[k]));
        check_number(got[2] + k * bytes, &want, u, "a float", in[k]);
    }
    if (has_extension("cl_khr_fp16"))
        check_halves(program, memory[1], bits, in, items);
    for (unsigned m = 0; m < 4; m++)
        RELEASE_MEM(memory[m]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* From floating-point numbers, and to halves. */
static void floating(void)
{
    static const char source[] =
        "typedef unsigned int __attribute__((__ap_int(BITS))) U;\n"
        "typedef int __attribute__((__ap_int(BITS))) I;\n"
        "kernel void k(global const double *d, global U *u, global I *i, global U *f) {\n"
        "    int g = get_global_id(0);\n"
        "    u[g] = fabs(d[g]); i[g] = -d[g] / 2; f[g] = fabs((float)d[g]);\n"
        "}\n"
        "#ifdef cl_khr_fp16\n"
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "kernel void h(global const U *u, global half *h) {\n"
        "    int g = get_global_id(0); h[g] = u[g]; h[g + ITEMS] = -(I)(u[g] >> 1);\n"
        "}\n"
        "#endif\n";
    static const unsigned widths[] = {65, 100, 128, 200, 256, 1000};
    arbitrary_need();
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        floating_of(source, widths[w]);
}

enum { PASSING = 6 };

static void expect_passing(const cl_ulong in[3], cl_ulong want[PASSING])
{
    struct number n[3], product, all[PASSING];
    for (unsigned m = 0; m < 3; m++) {
        n[m] = number_of((int64_t)in[m]);
        n[m] = number_cut(&n[m], 64, false);
    }
    product = number_multiply(&n[0], &n[1]);
    all[0] = number_divide(&product, &n[2], false);
    all[1] = number_divide(&product, &n[2], true);
    all[2] = number_shift_right(&product, 64);
    all[3] = number_shift_right(&product, 37);
    want[4] = arbitrary_double(&product);
    product = number_cut(&product, 100, true);
    all[5] = number_divide(&product, &n[2], false);
    for (unsigned k = 0; k < PASSING; k++)
        want[k] = k == 4 ? want[k] : arbitrary_low(&all[k]);
}

/* What is wide for a moment only; such kernels compute several items at once. */
static void passing(void)
{
    static const char source[] =
        "typedef unsigned _BitInt(128) U; typedef _BitInt(100) I;\n"
        "kernel void k(global const ulong *in, global ulong *out) {\n"
        "    int g = get_global_id(0); ulong a = in[3 * g], b = in[3 * g + 1], c = in[3 * g + 2];\n"
        "    global ulong *o = out + 6 * g;\n"
        "    o[PART] = PART == 0 ? (ulong)((U)a * b / c) : PART == 1 ? (ulong)((U)a * b % c)\n"
        "            : PART == 2 ? (ulong)((U)a * b >> 64) : PART == 3 ? (ulong)((U)a * b >> 37)\n"
        "            : PART == 4 ? as_ulong((double)((U)a * b)) : (ulong)((I)a * b / (I)c);\n"
        "}\n";
    enum { COUNT = 500 };
    static cl_ulong in[COUNT][3], out[COUNT][PASSING];
    const size_t items = COUNT;
    arbitrary_need();
    arbitrary_begin(77);
    for (unsigned k = 0; k < 3 * COUNT; k++)
        in[k / 3][k % 3] = (arbitrary_draw(UINT64_MAX) >> arbitrary_draw(64)) | 1;
    cl_int rc;
    cl_mem from = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &rc);
    REQUIRE_OK(rc);
    cl_mem to = clCreateBuffer(cl.context, 0, sizeof out, NULL, &rc);
    REQUIRE_OK(rc);
    for (unsigned part = 0; part < PASSING; part++) {
        char options[32];
        sprintf(options, "-DPART=%u", part);
        cl_program program = built(source, options);
        cl_kernel kernel = clCreateKernel(program, "k", &rc);
        REQUIRE_OK(rc);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        REQUIRE_OK(clFinish(cl.queue));
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(program);
    }
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (unsigned k = 0; k < COUNT; k++) {
        cl_ulong want[PASSING];
        expect_passing(in[k], want);
        for (unsigned part = 0; part < PASSING; part++)
            CHECK_EQ(out[k][part], want[part]);
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void refusals(void)
{
    static const struct {
        const char *source, *word;
    } rows[] = {
        {"typedef int __attribute__((__ap_int(2049))) T;\n",
         ":1:28: error: '__ap_int(2049)': integers of more than 2048 bits"},
        {"typedef int __attribute__((__ap_int(1))) T;\n", ":1:28: error: '__ap_int(1)'"},
        {"typedef int __attribute__((__ap_int(0))) T;\n", ":1:28: error: '__ap_int(0)'"},
        {"typedef float __attribute__((__ap_int(5))) T;\n", "not for 'float'"},
        {"typedef int4 __attribute__((__ap_int(5))) T;\n", "not for 'int4'"},
        {"typedef int __attribute__((__ap_int(f()))) T;\n", ":1:"},
        {"int __attribute__((__ap_int(5))) f(int x) { return x; }\n", ":1:20: error: '__ap_int'"},
        {"#include \"ihc_apint.h\"\ntypedef uint8_t T __attribute__((ext_vector_type(4)));\n",
         ":2:9: error: vectors of 'uint8_t'"},
        {"kernel void k(global _BitInt(2049) *p) {}\n", "greater than 2048"},
        {"typedef unsigned _BitInt(256) T __attribute__((ext_vector_type(4)));\n", "vectors of"},
        {"#include <ihc_apint.h>\nkernel void k(uint5_t x) { printf(\"%d\\n\", x); }\n",
         ":2:43: error: an argument of type 'uint5_t'"},
    };
    arbitrary_need();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program program = new_program(rows[i].source);
        CHECK_EQ(clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
        char *log = build_log(program);
        if (!strstr(log, rows[i].word))
            check_fail(__FILE__, __LINE__, "the log lacks \"%s\":\n%s", rows[i].word, log);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

static size_t bytes_of_products(unsigned count)
{
    char source[256];
    size_t bytes = 0;
    snprintf(source, sizeof source,
             "typedef unsigned int __attribute__((__ap_int(2048))) T;\n"
             "kernel void k(global T *a) { T x = a[0], y = a[1];\n"
             "#pragma unroll\n"
             "for (int i = 0; i < %u; i++) x = x * y + i;\n"
             "a[0] = x; }",
             count);
    cl_program program = built(source, "");
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    RELEASE_PROGRAM(program);
    return bytes;
}

/* The code of a product of 2048 bits, 13 KB, is there once: builds took a minute. */
static void many_products(void)
{
    arbitrary_need();
    const size_t few = bytes_of_products(2), many = bytes_of_products(14);
    CHECK(many < few + 12 * 5000);
}

static const struct test_case cases[] = {
    CASE(places), CASE(floating), CASE(passing), CASE(many_products), CASE(refusals),
};
TEST_MAIN("arbitrary", cases)
