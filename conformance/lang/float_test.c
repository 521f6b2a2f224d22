/* SPDX-License-Identifier: Apache-2.0 */
/* float and double: operators, common, geometric and relational functions, every width. */
#include <stdio.h>

#include "elementwise.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256 };

static const struct element real[2] = {{"float", 32, 1, 1}, {"double", 64, 1, 1}};

struct op {
    const char *expression;
    double ulps, ulps_double;
    long double (*ref)(long double a, long double b, long double c);
};
#define REF(name, expression)                                                                      \
    static long double name(long double a, long double b, long double c)                           \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return expression;                                                                         \
    }
REF(ref_add, a + b)
REF(ref_sub, a - b)
REF(ref_mul, a *b)
REF(ref_div, a / b)
REF(ref_fma, fmal(a, b, c))
REF(ref_fabs, fabsl(a))
REF(ref_neg, -a)
REF(ref_min, b < a ? b : a)
REF(ref_max, a < b ? b : a)
REF(ref_clamp, fminl(fmaxl(a, fminl(b, c)), fmaxl(b, c)))
REF(ref_floor, floorl(a))
REF(ref_ceil, ceill(a))
REF(ref_trunc, truncl(a))
REF(ref_rint, rintl(a))
REF(ref_round, roundl(a))
REF(ref_sqrt, sqrtl(fabsl(a)))
REF(ref_sign, a > 0 ? 1 : a < 0 ? -1 : 0)
REF(ref_step, b < a ? 0 : 1)
REF(ref_copysign, copysignl(a, b))
REF(ref_degrees, a * 57.295779513082320876798154814105L)
REF(ref_radians, a * 0.017453292519943295769236907684886L)

/* The half unit is the rounding of the reference to the type itself. */
static const struct op ops[] = {
    {"a + b", 0.5, 0.5, ref_add},
    {"a - b", 0.5, 0.5, ref_sub},
    {"a * b", 0.5, 0.5, ref_mul},
    {"a / b", 2.5, 0.5, ref_div},
    {"fma(a, b, c)", 0.5, 0.501, ref_fma},
    {"fabs(a)", 0, 0, ref_fabs},
    {"-a", 0, 0, ref_neg},
    {"min(a, b)", 0, 0, ref_min},
    {"max(a, b)", 0, 0, ref_max},
    {"fmin(a, b)", 0, 0, ref_min},
    {"fmax(a, b)", 0, 0, ref_max},
    {"clamp(a, fmin(b, c), fmax(b, c))", 0, 0, ref_clamp},
    {"floor(a)", 0, 0, ref_floor},
    {"ceil(a)", 0, 0, ref_ceil},
    {"trunc(a)", 0, 0, ref_trunc},
    {"rint(a)", 0, 0, ref_rint},
    {"round(a)", 0, 0, ref_round},
    {"sqrt(fabs(a))", 3, 0.501, ref_sqrt},
    {"sign(a)", 0, 0, ref_sign},
    {"step(a, b)", 0, 0, ref_step},
    {"copysign(a, b)", 0, 0, ref_copysign},
    {"degrees(a)", 2, 2, ref_degrees},
    {"radians(a)", 2, 2, ref_radians},
};

static double value(const void *from, size_t i, int is_double)
{
    return is_double ? ((const double *)from)[i] : ((const float *)from)[i];
}

static double distance(double got, long double want, int is_double)
{
    return is_double ? ulps_double(got, want) : ulps_float((float)got, (double)want);
}

static void print_source(char *to, size_t size, const struct element *e, unsigned width)
{
    int n = print_prologue(to, size, e, width);
    n += snprintf(to + n, size - (size_t)n,
                  "#pragma OPENCL FP_CONTRACT OFF\n"
                  "kernel void k(global S *pa, global S *pb, global S *pc, global S *out)\n{\n"
                  "    size_t i = get_global_id(0), n = get_global_size(0) * %u;\n"
                  "    T a = LD(pa), b = LD(pb), c = LD(pc);\n",
                  width);
    for (size_t i = 0; i < LEN(ops); i++)
        n += snprintf(to + n, size - (size_t)n, "    ST(%s, out + %zu * n);\n", ops[i].expression,
                      i);
    snprintf(to + n, size - (size_t)n, "}\n");
}

static int in_range(long double want, int is_double)
{
    long double size = fabsl(want);
    /* subnormal results only where the device says so; math_* tests look at them */
    return size == 0 || (is_double ? size > 0x1p-1022L && size < 0x1p1023L
                                   : size > 0x1p-126L && size < 0x1p127L);
}

static void compare(const struct op *op, unsigned width, int is_double, void *const in[3],
                    const char *out)
{
    for (size_t i = 0; i < (size_t)ITEMS * width; i++) {
        double a = value(in[0], i, is_double), b = value(in[1], i, is_double),
               c = value(in[2], i, is_double), got = value(out, i, is_double);
        long double want = op->ref(a, b, c);
        double limit = is_double ? op->ulps_double : op->ulps;
        if (!in_range(want, is_double) || distance(got, want, is_double) <= limit)
            continue;
        check_fail(__FILE__, __LINE__, "%s%u %s: a=%a b=%a c=%a: expected %La, got %a (%g ulp)",
                   real[is_double].name, width, op->expression, a, b, c, want, got,
                   distance(got, want, is_double));
        return;
    }
}

static void check_type(int is_double, unsigned width)
{
    static char source[16384];
    const struct element *e = &real[is_double];
    size_t count = (size_t)ITEMS * width, bytes = count * e->bits / 8;
    void *in[3];
    char *out = malloc(bytes * LEN(ops));
    cl_mem mem[4];
    print_source(source, sizeof source, e, width);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (cl_uint j = 0; j < 3; j++) {
        in[j] = malloc(bytes);
        REQUIRE(in[j] && out);
        for (size_t i = 0; i < count; i++) {
            if (is_double)
                ((double *)in[j])[i] = random_double();
            else
                ((float *)in[j])[i] = random_float();
        }
        mem[j] = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, in[j]);
        ARG(kernel, j, mem[j]);
    }
    mem[3] = new_buffer(0, bytes * LEN(ops), NULL);
    ARG(kernel, 3, mem[3]);
    run_1d(kernel, ITEMS, 0);
    read_back(mem[3], bytes * LEN(ops), out);
    for (size_t op = 0; op < LEN(ops); op++)
        compare(&ops[op], width, is_double, in, out + op * bytes);
    for (int j = 0; j < 4; j++)
        RELEASE_MEM(mem[j]);
    for (int j = 0; j < 3; j++)
        free(in[j]);
    free(out);
    RELEASE_KERNEL(kernel);
}

static void single_precision(void)
{
    for (size_t w = 0; w < LEN(widths); w++)
        check_type(0, widths[w]);
}

static void double_precision(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    for (size_t w = 0; w < LEN(widths); w++)
        check_type(1, widths[w]);
}

static const char geometric_source[] =
    "kernel void k(global float *pa, global float *pb, global float *o)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    float3 a3 = vload3(i, pa), b3 = vload3(i, pb);\n"
    "    float4 a4 = vload4(i, pa), b4 = vload4(i, pb);\n"
    "    o += i * 32;\n"
    "    o[0] = dot(a4, b4); o[1] = length(a4); o[2] = distance(a4, b4);\n"
    "    o[3] = dot(a3, b3); o[4] = length(a3); o[5] = fast_length(a3);\n"
    "    o[6] = dot(a4.xy, b4.xy); o[7] = length(a4.x);\n"
    "    vstore3(cross(a3, b3), 0, o + 8);\n"
    "    vstore4(cross(a4, b4), 0, o + 12);\n"
    "    vstore4(normalize(a4), 0, o + 16);\n"
    "    vstore3(normalize(a3), 0, o + 20);\n"
    "    vstore4(mix(a4, b4, 0.25f), 0, o + 24);\n"
    "    vstore3(smoothstep(-2.0f, 3.0f, a3), 0, o + 28);\n"
    "}\n";

static void geometric(void)
{
    enum { N = 64 };
    static float a[N * 4], b[N * 4], o[N * 32];
    for (int i = 0; i < N * 4; i++) {
        a[i] = (float)((double)(int64_t)random_bits() * 0x1p-61);
        b[i] = (float)((double)(int64_t)random_bits() * 0x1p-61);
    }
    cl_kernel kernel = new_kernel(geometric_source, "k", NULL);
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), new_buffer(0, sizeof o, NULL)};
    for (cl_uint j = 0; j < 3; j++)
        ARG(kernel, j, mem[j]);
    run_1d(kernel, N, 0);
    read_back(mem[2], sizeof o, o);
    for (int i = 0; i < N; i++) {
        const float *p = a + i * 4, *q = b + i * 4, *r = o + i * 32, *p3 = a + i * 3,
                    *q3 = b + i * 3;
        double dot4 = 0, len4 = 0, dist4 = 0, dot3 = 0, len3 = 0;
        for (int j = 0; j < 4; j++) {
            dot4 += (double)p[j] * q[j];
            len4 += (double)p[j] * p[j];
            dist4 += ((double)p[j] - q[j]) * ((double)p[j] - q[j]);
        }
        for (int j = 0; j < 3; j++) {
            dot3 += (double)p3[j] * q3[j];
            len3 += (double)p3[j] * p3[j];
        }
        const double near = 0x1p-18;
        CHECK(fabs(r[0] - dot4) < 256 * near && fabs(r[3] - dot3) < 256 * near);
        CHECK(ulps_float(r[1], sqrt(len4)) <= 5 && ulps_float(r[4], sqrt(len3)) <= 5);
        CHECK(ulps_float(r[2], sqrt(dist4)) <= 11);
        CHECK(ulps_float(r[5], sqrt(len3)) <= 8195);
        CHECK(fabs(r[6] - ((double)p[0] * q[0] + (double)p[1] * q[1])) < 256 * near);
        CHECK_EQ(r[7] == fabsf(p[0]), 1);
        for (int j = 0; j < 3; j++) {
            int k = (j + 1) % 3, l = (j + 2) % 3;
            CHECK(fabs(r[8 + j] - ((double)p3[k] * q3[l] - (double)p3[l] * q3[k])) < 64 * near);
            CHECK(fabs(r[12 + j] - ((double)p[k] * q[l] - (double)p[l] * q[k])) < 64 * near);
            CHECK(ulps_float(r[20 + j], p3[j] / sqrt(len3)) <= 6);
            double t = fmin(fmax((p3[j] + 2.0) / 5.0, 0), 1);
            CHECK(fabs(r[28 + j] - t * t * (3 - 2 * t)) < near);
        }
        CHECK(r[15] == 0);
        for (int j = 0; j < 4; j++) {
            CHECK(ulps_float(r[16 + j], p[j] / sqrt(len4)) <= 6);
            CHECK(fabs(r[24 + j] - (p[j] + ((double)q[j] - p[j]) * 0.25)) < near);
        }
    }
    for (int j = 0; j < 3; j++)
        RELEASE_MEM(mem[j]);
    RELEASE_KERNEL(kernel);
}

/* Scalars answer 1, vectors -1; the 4-wide form uses the same inputs. */
static const char *const comparisons[] = {
    "isequal(a, b)",
    "isnotequal(a, b)",
    "isgreater(a, b)",
    "isgreaterequal(a, b)",
    "isless(a, b)",
    "islessequal(a, b)",
    "islessgreater(a, b)",
    "isordered(a, b)",
    "isunordered(a, b)",
    "isfinite(a)",
    "isinf(a)",
    "isnan(a)",
    "isnormal(a)",
    "signbit(a)",
    "a < b",
    "a <= b",
    "a == b",
    "a != b",
    "a > b",
    "a >= b",
};

static void relational(void)
{
    static float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.5f, NAN, INFINITY, -INFINITY};
    enum { N = 8, TESTS = LEN(comparisons) };
    static float a[64], b[64];
    static cl_int scalar[TESTS][64], vector[TESTS][64];
    for (int i = 0; i < 64; i++)
        a[i] = specials[i / N], b[i] = specials[i % N];
    char source[8192];
    for (int wide = 0; wide < 2; wide++) {
        int n =
            snprintf(source, sizeof source,
                     "kernel void k(global float%s *pa, global float%s *pb, global int%s *o)\n{\n"
                     "    size_t i = get_global_id(0), n = get_global_size(0);\n"
                     "    float%s a = pa[i], b = pb[i];\n",
                     wide ? "4" : "", wide ? "4" : "", wide ? "4" : "", wide ? "4" : "");
        for (size_t t = 0; t < TESTS; t++)
            n += snprintf(source + n, sizeof source - (size_t)n, "    o[%zu * n + i] = %s;\n", t,
                          comparisons[t]);
        snprintf(source + n, sizeof source - (size_t)n, "}\n");
        cl_kernel kernel = new_kernel(source, "k", NULL);
        cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                        new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b),
                        new_buffer(0, sizeof scalar, NULL)};
        for (cl_uint j = 0; j < 3; j++)
            ARG(kernel, j, mem[j]);
        run_1d(kernel, wide ? 16 : 64, 0);
        read_back(mem[2], sizeof scalar, wide ? vector : scalar);
        for (int j = 0; j < 3; j++)
            RELEASE_MEM(mem[j]);
        RELEASE_KERNEL(kernel);
    }
    for (int i = 0; i < 64; i++) {
        float x = a[i], y = b[i];
        const int want[TESTS] = {
            x == y,
            x != y,
            x > y,
            x >= y,
            x < y,
            x <= y,
            x < y || x > y,
            !isunordered(x, y),
            isunordered(x, y),
            !!isfinite(x),
            !!isinf(x),
            !!isnan(x),
            !!isnormal(x),
            !!signbit(x),
            x<y, x <= y, x == y, x != y, x>
                y,
            x >= y,
        };
        for (size_t t = 0; t < TESTS; t++) {
            if (scalar[t][i] != want[t] || vector[t][i] != -want[t])
                check_fail(__FILE__, __LINE__, "%s for %g, %g: expected %d and %d, got %d and %d",
                           comparisons[t], x, y, want[t], -want[t], scalar[t][i], vector[t][i]);
        }
    }
}

/* With reciprocals allowed, division still has 2.5 ulp: in vectors of one item, and in kernels
 * whose items become vectors. The first pair is one that estimates of 12 bits get wrong. */
static void relaxed_division(void)
{
    static const char *types[] = {"float", "float2", "float4", "float8", "float16"};
    enum { COUNT = 16 * 1024 };
    static float a[COUNT], b[COUNT], q[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int first = i % 61 < 16;
        a[i] = first ? -0x1.18ab7p+30f
                     : (float)ldexp(1 + (double)random_below(1 << 23) * 0x1p-23,
                                    (int)random_below(60) - 30);
        b[i] = first ? 0x1.31efd6p-48f
                     : (float)ldexp(1 + (double)random_below(1 << 23) * 0x1p-23,
                                    (int)random_below(60) - 30);
    }
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem mb = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), mq = new_buffer(0, sizeof q, NULL);
    for (int w = 0; w < 5; w++) {
        char source[300];
        snprintf(source, sizeof source,
                 "kernel void k(global %s *a, global %s *b, global %s *q)\n"
                 "{ size_t i = get_global_id(0); q[i] = a[i] / b[i]; }\n",
                 types[w], types[w], types[w]);
        cl_kernel kernel = new_kernel(source, "k", "-cl-fast-relaxed-math");
        ARG(kernel, 0, ma);
        ARG(kernel, 1, mb);
        ARG(kernel, 2, mq);
        run_1d(kernel, COUNT >> w, 0);
        read_back(mq, sizeof q, q);
        for (int i = 0; i < COUNT; i++) {
            double want = (double)a[i] / b[i];
            int exponent;
            frexp(want, &exponent);
            double ulps = fabs(q[i] - want) / ldexp(1, exponent - 24);
            if (ulps > 2.5)
                check_fail(__FILE__, __LINE__, "%s: %a / %a is %a: %.2f ulp", types[w], a[i], b[i],
                           q[i], ulps);
        }
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mq);
}

static const struct test_case cases[] = {CASE(single_precision), CASE(double_precision),
                                         CASE(geometric), CASE(relational), CASE(relaxed_division)};
TEST_MAIN("float", cases)
