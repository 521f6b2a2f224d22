/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one argument over every float, and over random doubles. A quarter of an hour for
 * the floats, hours for the doubles: runs only where SLUICE_SOAK is set. SLUICE_SOAK_STEP=n takes
 * each n-th float, SLUICE_SOAK_DOUBLES the number of doubles (10^9), SLUICE_SOAK_ONLY one function.
 * Prints the worst error of each beside its argument and the count of arguments. References: double
 * for float (math_wide.h), long double for double.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math_reference.h"
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
    const struct sl_reference1 *function;
    double (*quick)(double);
    sl_wide_reference wide;
    int is_float;
    cl_kernel kernel;
    cl_mem in, out;
    void *arguments, *results;
    double *wanted; /* of the float functions */
    double worst, where, count;
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
    snprintf(source, sizeof source,
             "kernel void k(global const %s *a, global %s *o)\n{\n    size_t i = "
             "get_global_id(0);\n    o[i] = %s(a[i]);\n}\n",
             type, type, r->function->name);
    size_t bytes = COUNT * (r->is_float ? sizeof(float) : sizeof(double));
    r->kernel = new_kernel(source, "k", "");
    r->arguments = malloc(bytes);
    r->results = malloc(bytes);
    r->wanted = malloc(COUNT * sizeof(double));
    r->in = new_buffer(CL_MEM_READ_ONLY, bytes, NULL);
    r->out = new_buffer(CL_MEM_WRITE_ONLY, bytes, NULL);
    ARG(r->kernel, 0, r->in);
    ARG(r->kernel, 1, r->out);
    for (size_t i = 0; i < LEN(quick); i++)
        if (!strcmp(quick[i].name, r->function->name))
            r->quick = quick[i].at;
    r->wide = sl_find_wide_reference(r->function->name);
}

static void end(struct run *r)
{
    float limit = r->is_float ? r->function->limit_float : r->function->limit_double;
    printf("| %s | %s | %.3f | %g | %a | %.0f |\n", r->function->name,
           r->is_float ? "float" : "double", r->worst, (double)limit, r->where, r->count);
    fflush(stdout);
    if (r->bad)
        check_fail(__FILE__, __LINE__, "%s of %s: %lu beyond the limit, the worst %g at %a",
                   r->function->name, r->is_float ? "float" : "double", r->bad, r->worst, r->where);
    RELEASE_MEM(r->in);
    RELEASE_MEM(r->out);
    RELEASE_KERNEL(r->kernel);
    free(r->arguments);
    free(r->results);
    free(r->wanted);
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

static void note(struct run *r, double error, double argument, int sign_lost)
{
    double limit = (double)(r->is_float ? r->function->limit_float : r->function->limit_double);
    /* 0 in the table is "correctly rounded"; the reference is not quite */
    if (error > (limit > 0 ? limit : 0.501) || sign_lost)
        r->bad++;
    if (error > r->worst) {
        r->worst = error;
        r->where = argument;
    }
}

static void run_batch(struct run *r)
{
    size_t bytes = COUNT * (r->is_float ? sizeof(float) : sizeof(double));
    r->count += COUNT;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, r->in, CL_TRUE, 0, bytes, r->arguments, 0, NULL, NULL));
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
        r->wanted[i] = r->quick ? r->quick(x) : (double)r->function->at((long double)x);
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
            note(r, float_error(out[i], want), (double)a[i], lost);
    }
}

static void compare_doubles(struct run *r)
{
    const double *a = r->arguments, *out = r->results;
    for (int i = 0; i < COUNT; i++) {
        long double want = r->function->at((long double)a[i]);
        int lost = want == 0 && out[i] == 0 && !signbit(want) != !signbit(out[i]);
        note(r, sl_ulp_error(out[i], want, 53, -1022), a[i], lost);
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

static void random_doubles(struct run *r)
{
    double count = setting("SLUICE_SOAK_DOUBLES", 1e9);
    for (double done = 0; done < count; done += COUNT) {
        for (int i = 0; i < COUNT; i++)
            ((double *)r->arguments)[i] = argument(i);
        run_batch(r);
        compare_doubles(r);
    }
}

static void every_function(int is_float)
{
    const char *only = getenv("SLUICE_SOAK_ONLY");
    if (!getenv("SLUICE_SOAK"))
        check_skip("SLUICE_SOAK is not set: it takes hours");
    for (const struct sl_reference1 *f = sl_references1; f->name; f++) {
        struct run r = {.function = f, .is_float = is_float};
        if (only && strcmp(only, f->name) != 0)
            continue;
        begin(&r);
        if (is_float)
            all_floats(&r);
        else
            random_doubles(&r);
        end(&r);
    }
}

static void floats(void)
{
    every_function(1);
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    every_function(0);
}

static const struct test_case cases[] = {
    CASE(floats),
    CASE(doubles),
};
TEST_MAIN("math_soak", cases)
