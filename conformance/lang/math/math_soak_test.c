/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one argument over every float, and all over random doubles. A quarter of an hour
 * for the floats, hours for the doubles: runs only where SLUICE_SOAK is set. SLUICE_SOAK_STEP=n
 * takes each n-th float, SLUICE_SOAK_DOUBLES the number of doubles or pairs (10^9),
 * SLUICE_SOAK_ONLY one function. Prints the worst error of each beside its arguments and the count
 * of arguments. References: double for float (math_wide.h); for double long double, where the C
 * library's function in double leaves it open whether the error is beyond the worst so far
 * (math_screen.h).
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math_reference.h"
#include "math_screen.h"
#include "math_wide.h"

enum { COUNT = 1 << 18 };

/* What the vector library lacks. */
static const struct {
    const char *name;
    double (*at)(double);
} quick[] = {
    {"logb", logb},
    {"round", round},
    {"tgamma", tgamma},
};

struct run {
    const char *name;
    double limit; /* ulp */
    /* One of the three. */
    long double (*at1)(long double);
    long double (*at2)(long double, long double);
    long double (*at2i)(long double, int);
    double (*quick)(double);
    sl_wide_reference wide;
    const struct sl_screen *screen;
    int is_float;
    cl_kernel kernel;
    cl_mem in, second, out;
    void *arguments, *results;
    double *seconds; /* the second arguments, integers for at2i */
    double *wanted;  /* of the float functions */
    double worst, where, where_second, count;
    unsigned long bad;
};

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? atof(text) : otherwise;
}

static void begin(struct run *r)
{
    char source[512];
    const char *type = r->is_float ? "float" : "double";
    const char *second = r->at2 ? ", b[i]" : r->at2i ? ", (int)b[i]" : "";
    snprintf(source, sizeof source,
             "kernel void k(global const %s *a, global const double *b, global %s *o)\n{\n    "
             "size_t i = "
             "get_global_id(0);\n    o[i] = %s(a[i]%s);\n}\n",
             type, type, r->name, second);
    size_t bytes = COUNT * (r->is_float ? sizeof(float) : sizeof(double));
    r->kernel = new_kernel(source, "k", "");
    r->arguments = malloc(bytes);
    r->results = malloc(bytes);
    r->wanted = malloc(COUNT * sizeof(double));
    r->seconds = malloc(COUNT * sizeof(double));
    r->in = new_buffer(CL_MEM_READ_ONLY, bytes, NULL);
    r->second = new_buffer(CL_MEM_READ_ONLY, COUNT * sizeof(double), NULL);
    r->out = new_buffer(CL_MEM_WRITE_ONLY, bytes, NULL);
    ARG(r->kernel, 0, r->in);
    ARG(r->kernel, 1, r->second);
    ARG(r->kernel, 2, r->out);
    for (size_t i = 0; i < LEN(quick); i++)
        if (!strcmp(quick[i].name, r->name))
            r->quick = quick[i].at;
    r->wide = sl_find_wide_reference(r->name);
    r->screen = sl_find_screen(r->name);
}

static void end(struct run *r)
{
    printf("| %s | %s | %.3f | %g | %a", r->name, r->is_float ? "float" : "double", r->worst,
           r->limit, r->where);
    if (!r->at1)
        printf(", %a", r->where_second);
    printf(" | %.0f |\n", r->count);
    fflush(stdout);
    if (r->bad)
        check_fail(__FILE__, __LINE__, "%s of %s: %lu beyond the limit, the worst %g at %a",
                   r->name, r->is_float ? "float" : "double", r->bad, r->worst, r->where);
    RELEASE_MEM(r->in);
    RELEASE_MEM(r->second);
    RELEASE_MEM(r->out);
    RELEASE_KERNEL(r->kernel);
    free(r->arguments);
    free(r->results);
    free(r->wanted);
    free(r->seconds);
}

/* Quick where both are ordinary numbers: the difference in units of want's last place. */
static double float_error(float got, double want)
{
    double size = fabs(want);
    if (!(size >= 0x1p-126 && size < 0x1.fffffep127 && fabsf(got) < INFINITY))
        return sl_ulp_error(got, want, 24, -126);
    uint64_t bits;
    memcpy(&bits, &want, sizeof bits);
    bits = (bits & 0x7ff0000000000000) - ((uint64_t)23 << 52);
    double unit;
    memcpy(&unit, &bits, sizeof unit);
    return fabs((double)got - want) / unit;
}

static void note(struct run *r, double error, double argument, double second, int sign_lost)
{
    /* 0 in the table is "correctly rounded"; the reference is not quite */
    if (error > (r->limit > 0 ? r->limit : 0.501) || sign_lost)
        r->bad++;
    if (error > r->worst) {
        r->worst = error;
        r->where = argument;
        r->where_second = second;
    }
}

static void run_batch(struct run *r)
{
    size_t bytes = COUNT * (r->is_float ? sizeof(float) : sizeof(double));
    r->count += COUNT;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, r->in, CL_TRUE, 0, bytes, r->arguments, 0, NULL, NULL));
    if (!r->at1)
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, r->second, CL_TRUE, 0, COUNT * sizeof(double),
                                      r->seconds, 0, NULL, NULL));
    run_1d(r->kernel, COUNT, 0);
    read_back(r->out, bytes, r->results);
}

static void want_floats(struct run *r)
{
    const float *a = r->arguments;
    if (r->wide) {
        r->wide(a, r->wanted, COUNT);
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        double x = (double)a[i];
        r->wanted[i] = r->quick ? r->quick(x) : (double)r->at1((long double)x);
    }
}

static void compare_floats(struct run *r)
{
    const float *a = r->arguments, *out = r->results;
    want_floats(r);
    for (int i = 0; i < COUNT; i++) {
        double want = r->wanted[i];
        int lost = want == 0 && out[i] == 0 && !signbit(want) != !signbit(out[i]);
        if (!isnan(want) || !isnan(out[i]))
            note(r, float_error(out[i], want), (double)a[i], 0, lost);
    }
}

static long double wanted(const struct run *r, double x, double y)
{
    if (r->at2)
        return r->at2((long double)x, (long double)y);
    return r->at2i ? r->at2i((long double)x, (int)y) : r->at1((long double)x);
}

/* The screen agrees so well that the error cannot be the worst. */
static int is_screened(const struct run *r, double got, double x, double y)
{
    if (!r->screen)
        return 0;
    double near = r->screen->at1 ? r->screen->at1(x) : r->screen->at2(x, y);
    return sl_screened_error(r->screen, got, near) <= r->worst;
}

/* Of two zeros these may give either. */
static int may_lose_sign(const struct run *r, double x, double y)
{
    static const char *const names[] = {"fmax", "fmin", "maxmag", "minmag"};
    for (size_t i = 0; i < LEN(names) && r->at2 && x == 0 && y == 0; i++)
        if (!strcmp(names[i], r->name))
            return 1;
    return 0;
}

static void compare_doubles(struct run *r)
{
    const double *a = r->arguments, *b = r->seconds, *out = r->results;
    for (int i = 0; i < COUNT; i++) {
        if (is_screened(r, out[i], a[i], b[i]))
            continue;
        long double want = wanted(r, a[i], b[i]);
        int lost = want == 0 && out[i] == 0 && !signbit(want) != !signbit(out[i]) &&
                   !may_lose_sign(r, a[i], b[i]);
        note(r, sl_ulp_error(out[i], want, 53, -1022), a[i], b[i], lost);
    }
}

static void all_floats(struct run *r)
{
    uint64_t step = (uint64_t)setting("SLUICE_SOAK_STEP", 1);
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += COUNT * step) {
        for (uint64_t i = 0; i < COUNT; i++) {
            uint32_t word = (uint32_t)(bits + i * step);
            memcpy((float *)r->arguments + i, &word, sizeof word);
        }
        run_batch(r);
        compare_floats(r);
    }
}

static double argument(int choice)
{
    double unit = (double)(int64_t)random_bits() * 0x1p-63;
    switch (choice % 8) {
    case 0: { /* any bits */
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    case 1:
        return unit * 720;
    case 2:
        return unit * 30;
    case 3:
        return unit * 5;
    case 4:
        return 1 + unit * 0.5;
    case 5:
        return ((double)random_below(2000001) - 1000000) * 1.57079632679489661923;
    case 6:
        return ldexp(unit, -(int)random_below(60));
    default:
        return unit;
    }
}

/* Any, one close to the first, one that makes an ordinary number of its power, or a small multiple
 * of 1/2. */
static double second_argument(double first, int choice)
{
    double unit = (double)(int64_t)random_bits() * 0x1p-63;
    switch (choice / 8 % 4) {
    case 0:
        return argument((int)random_below(8));
    case 1:
        return first * (1 + ldexp(unit, -(int)random_below(50)));
    case 2:
        return 700 * unit / log(fabs(first));
    default:
        return (double)random_below(81) * 0.5 - 20;
    }
}

static int as_int(double value)
{
    return fabs(value) < 0x1p31 ? (int)value : (int)random_bits();
}

static void random_doubles(struct run *r)
{
    double count = setting("SLUICE_SOAK_DOUBLES", 1e9), *a = r->arguments;
    for (double done = 0; done < count; done += COUNT) {
        for (int i = 0; i < COUNT; i++)
            a[i] = argument(i);
        for (int i = 0; i < COUNT && !r->at1; i++)
            r->seconds[i] = r->at2i ? as_int(second_argument(a[i], i)) : second_argument(a[i], i);
        run_batch(r);
        compare_doubles(r);
    }
}

static void whole_run(struct run r)
{
    const char *only = getenv("SLUICE_SOAK_ONLY");
    if (only && strcmp(only, r.name) != 0)
        return;
    begin(&r);
    if (r.is_float)
        all_floats(&r);
    else
        random_doubles(&r);
    end(&r);
}

static void need_soak(void)
{
    if (!getenv("SLUICE_SOAK"))
        check_skip("SLUICE_SOAK is not set: it takes hours");
}

static void floats(void)
{
    need_soak();
    for (const struct sl_reference1 *f = sl_references1; f->name; f++)
        whole_run((struct run){
            .name = f->name, .limit = (double)f->limit_float, .at1 = f->at, .is_float = 1});
}

static void doubles(void)
{
    need_soak();
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    for (const struct sl_reference1 *f = sl_references1; f->name; f++)
        whole_run((struct run){.name = f->name, .limit = (double)f->limit_double, .at1 = f->at});
    for (const struct sl_reference2 *f = sl_references2; f->name; f++)
        whole_run((struct run){.name = f->name, .limit = (double)f->limit_double, .at2 = f->at});
    for (const struct sl_reference2i *f = sl_references2i; f->name; f++)
        whole_run((struct run){.name = f->name, .limit = (double)f->limit_double, .at2i = f->at});
}

static const struct test_case cases[] = {
    CASE(floats),
    CASE(doubles),
};
TEST_MAIN("math_soak", cases)
