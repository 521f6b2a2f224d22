/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Math functions of half against long double: those of one argument at all 65536 halves, the others
 * at pairs of special values and of random bits; scalar and vector of eight.
 * SLUICE_TEST_TABLE=1 prints the worst error of each.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

#include "math_reference.h"

enum { HALVES = 1 << 16, WIDE = 8, DIGITS = 11, LEAST = -14 };

struct batch {
    uint16_t a[HALVES], b[HALVES], out[HALVES];
    cl_int n[HALVES];
};

struct function {
    const char *name, *second; /* the second's type, NULL: none */
    float limit;
    const struct sl_reference1 *one;
    const struct sl_reference2 *two;
    const struct sl_reference2i *with_int;
};

static void need_half(void)
{
    if (!has_extension("cl_khr_fp16"))
        check_skip("no cl_khr_fp16");
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const uint16_t specials[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x4000, 0xc000, 0x4200, 0xc200, 0x3e00,
    0x4100, 0xc100, 0x4900, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3bff, 0x3c01, 0x7bff,
    0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x6400, 0x6801, 0x4248, 0x3e48, 0x498c, 0xcc1b,
};

static void fill(struct batch *t)
{
    for (int i = 0; i < HALVES; i++) {
        uint64_t random = random_bits();
        t->a[i] = (uint16_t)random;
        t->b[i] = (uint16_t)(random >> 16);
        if (i < (int)(LEN(specials) * LEN(specials))) {
            t->a[i] = specials[(size_t)i / LEN(specials)];
            t->b[i] = specials[(size_t)i % LEN(specials)];
        } else if (i % 3 == 0) { /* powers that are numbers, quotients that are small */
            t->a[i] = (uint16_t)(0x3000 + (random & 0x1fff));
            t->b[i] = (uint16_t)((random >> 16 & 0x8000) + 0x3800 + (random >> 16 & 0x17ff));
        }
        t->n[i] = i % 3 ? (cl_int)random_below(81) - 40 : (cl_int)random_bits();
        if (i % 5 == 0)
            t->n[i] = (cl_int)random_below(9) - 4;
    }
}

static void fill_with_all(struct batch *t)
{
    for (int i = 0; i < HALVES; i++)
        t->a[i] = (uint16_t)i;
}

/* ---- running --------------------------------------------------------------------------------- */

static cl_program program_of(const struct function *f)
{
    char source[1024];
    int n = snprintf(source, sizeof source, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (int width = 1; width <= WIDE; width += WIDE - 1) {
        const char *suffix = width > 1 ? "8" : "";
        n += snprintf(source + n, sizeof source - (size_t)n,
                      "kernel void k%d(global const half%s *a, global const %s%s *b, global half%s "
                      "*out)\n{\n    size_t i = get_global_id(0);\n    out[i] = %s(a[i]%s);\n}\n",
                      width, suffix, f->second ? f->second : "half", suffix, suffix, f->name,
                      f->second ? ", b[i]" : "");
    }
    return built(source, "");
}

static void run(struct batch *t, const struct function *f, cl_program program, int width)
{
    cl_kernel kernel = kernel_of(program, width > 1 ? "k8" : "k1");
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof t->a, t->a),
                    f->with_int ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof t->n, t->n)
                                : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof t->b, t->b),
                    new_buffer(0, sizeof t->out, NULL)};
    for (cl_uint j = 0; j < 3; j++)
        ARG(kernel, j, mem[j]);
    run_1d(kernel, HALVES / (size_t)width, 0);
    read_back(mem[2], sizeof t->out, t->out);
    for (int j = 0; j < 3; j++)
        RELEASE_MEM(mem[j]);
    RELEASE_KERNEL(kernel);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static long double wanted(const struct function *f, const struct batch *t, int i)
{
    double a = double_from_half(t->a[i]), b = double_from_half(t->b[i]);
    return f->one ? f->one->at(a) : f->two ? f->two->at(a, b) : f->with_int->at(a, t->n[i]);
}

static double compare(const struct function *f, const struct batch *t, int width)
{
    double worst = 0;
    int reported = 0;
    for (int i = 0; i < HALVES; i++) {
        long double want = wanted(f, t, i);
        double got = double_from_half(t->out[i]);
        double error = sl_ulp_error(got, want, DIGITS, LEAST);
        int sign_lost = f->one && want == 0 && got == 0 && !signbit(want) != !signbit(got);
        worst = error > worst ? error : worst;
        /* 0 in the table is "correctly rounded" */
        if ((error > (f->limit > 0 ? f->limit : 0.5) || sign_lost) && reported++ < 3)
            check_fail(__FILE__, __LINE__, "half%d %s(%a, %a, %d): expected %La, got %a (%g ulp)",
                       width, f->name, double_from_half(t->a[i]), double_from_half(t->b[i]),
                       t->n[i], want, got, error);
    }
    return worst;
}

static void test_function(const struct function *f)
{
    static struct batch batch;
    cl_program program = program_of(f);
    double worst = 0;
    fill(&batch);
    if (f->one)
        fill_with_all(&batch);
    for (int width = 1; width <= WIDE; width += WIDE - 1) {
        run(&batch, f, program, width);
        double error = compare(f, &batch, width);
        worst = error > worst ? error : worst;
    }
    RELEASE_PROGRAM(program);
    if (getenv("SLUICE_TEST_TABLE"))
        printf("| %s | %.4g | %g |\n", f->name, worst, (double)f->limit);
}

static void functions_of_one(void)
{
    need_half();
    for (const struct sl_reference1 *r = sl_references1; r->name; r++)
        test_function(&(struct function){.name = r->name, .limit = r->limit_half, .one = r});
}

static void functions_of_two(void)
{
    need_half();
    for (const struct sl_reference2 *r = sl_references2; r->name; r++)
        test_function(&(struct function){
            .name = r->name, .second = "half", .limit = r->limit_half, .two = r});
}

static void functions_with_int(void)
{
    need_half();
    for (const struct sl_reference2i *r = sl_references2i; r->name; r++)
        test_function(&(struct function){
            .name = r->name, .second = "int", .limit = r->limit_half, .with_int = r});
}

/* ---- two results, all halves ----------------------------------------------------------------- */

enum { FRACT, WHOLE, MODF, TRUNC, FREXP, SIN, COS, LGAMMA, REST, HALF_RESULTS };
enum { EXPONENT, SIGN, ILOGB, QUOTIENT, INT_RESULTS };

static const char two_results_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void k(global const half *in, global half *out, global int *ints)\n{\n"
    "    size_t i = get_global_id(0), n = get_global_size(0);\n"
    "    half x = in[i], h; int e;\n"
    "    out[i] = fract(x, &h); out[n + i] = h;\n"
    "    out[2 * n + i] = modf(x, out + 3 * n + i);\n"
    "    out[4 * n + i] = frexp(x, &e); ints[i] = e;\n"
    "    out[5 * n + i] = sincos(x, &h); out[6 * n + i] = h;\n"
    "    out[7 * n + i] = lgamma_r(x, ints + n + i);\n"
    "    ints[2 * n + i] = ilogb(x);\n"
    "    out[8 * n + i] = remquo(x, 1.3h, &e); ints[3 * n + i] = e;\n}\n";

static int near(uint16_t got, long double want, double limit)
{
    return sl_ulp_error(double_from_half(got), want, DIGITS, LEAST) <= limit;
}

static void check_two_results(double x, uint16_t out[][HALVES], cl_int ints[][HALVES], int i)
{
    int exponent, sign, quotient;
    double divisor = double_from_half(half_from_double(1.3));
    double trunc_of, fraction = modf(x, &trunc_of), part = x - floor(x);
    int fine = near(out[WHOLE][i], floor(x), 0) && near(out[TRUNC][i], trunc_of, 0) &&
               near(out[MODF][i], fraction, 0) && near(out[SIN][i], sinl(x), 2) &&
               near(out[COS][i], cosl(x), 2);
    fine = fine && near(out[FREXP][i], frexp(x, &exponent), 0);
    fine = fine && near(out[REST][i], remquo(x, divisor, &quotient), 0);
    /* just below a whole number the part that is left is the largest half below one */
    if (isfinite(x))
        fine = fine && near(out[FRACT][i], fmin(part, 0x1.ffcp-1), 0.5) &&
               double_from_half(out[FRACT][i]) < 1 && ints[EXPONENT][i] == exponent &&
               ((ints[QUOTIENT][i] ^ quotient) & 7) == 0;
    if (x != 0 && isfinite(x))
        fine = fine && ints[ILOGB][i] == ilogb(x);
    long double log_gamma = lgammal_r(x, &sign);
    if (isfinite(x) && !(x <= 0 && x == floor(x)))
        fine = fine && ints[SIGN][i] == sign &&
               (x < 0 || fabsl(log_gamma) < 0.1L || near(out[LGAMMA][i], log_gamma, 2));
    if (!fine)
        check_fail(__FILE__, __LINE__,
                   "%a: fract %04x %04x, modf %04x %04x, frexp %04x %d, sincos %04x %04x, lgamma_r "
                   "%04x %d, ilogb %d, remquo %04x %d",
                   x, out[FRACT][i], out[WHOLE][i], out[MODF][i], out[TRUNC][i], out[FREXP][i],
                   ints[EXPONENT][i], out[SIN][i], out[COS][i], out[LGAMMA][i], ints[SIGN][i],
                   ints[ILOGB][i], out[REST][i], ints[QUOTIENT][i]);
}

static void two_results(void)
{
    static uint16_t in[HALVES], out[HALF_RESULTS][HALVES];
    static cl_int ints[INT_RESULTS][HALVES];
    need_half();
    for (int i = 0; i < HALVES; i++)
        in[i] = (uint16_t)i;
    cl_kernel kernel = new_kernel(two_results_source, "k", "");
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
                    new_buffer(0, sizeof out, NULL), new_buffer(0, sizeof ints, NULL)};
    for (cl_uint j = 0; j < 3; j++)
        ARG(kernel, j, mem[j]);
    run_1d(kernel, HALVES, 0);
    read_back(mem[1], sizeof out, out);
    read_back(mem[2], sizeof ints, ints);
    for (int i = 0; i < HALVES; i++)
        check_two_results(double_from_half(in[i]), out, ints, i);
    for (int j = 0; j < 3; j++)
        RELEASE_MEM(mem[j]);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(functions_of_one),
    CASE(functions_of_two),
    CASE(functions_with_int),
    CASE(two_results),
};
TEST_MAIN("half_math", cases)
