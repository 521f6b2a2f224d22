/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The math functions in the forms that code can take: a work-item per argument, one that loops over
 * them all, and not optimised. Each form may choose other instructions, so each is held against
 * long double. Lanes of one vector get arguments of all kinds at once.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <string.h>

#include "math_reference.h"

enum { COUNT = 1003 }; /* not a multiple of any vector */

static const double ends[] = {0,
                              -0.0,
                              1,
                              -1,
                              INFINITY,
                              -INFINITY,
                              NAN,
                              0x1p-149,
                              -0x1p-1074,
                              0x1.fffffcp-127,
                              0x1.8p-1030,
                              0x1.fffffep127,
                              -0x1.fffffffffffffp1023,
                              1e10,
                              -4e4,
                              2.5,
                              -2.5,
                              0.5};

struct form {
    const char *name, *body, *options;
    size_t items;
};
static const struct form forms[] = {
    {"items", "size_t i = get_global_id(0); o[i] = F(i);", "", COUNT},
    {"loop", "for (int i = 0; i < 1003; i++) o[i] = F(i);", "", 1},
    {"plain", "size_t i = get_global_id(0); o[i] = F(i);", "-cl-opt-disable", COUNT},
};

struct kind {
    const char *name;
    int is_float, digits, least;
};
static const struct kind kinds[] = {{"float", 1, 24, -126}, {"double", 0, 53, -1022}};

static double values[2][COUNT]; /* the arguments */
static cl_int whole[COUNT];

static void fill(int is_float)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++) {
            double value = (double)(int64_t)random_bits() * 0x1p-63 * (i % 3 ? 4 : 90);
            if (i % 4 == 0)
                value = ends[random_below(LEN(ends))];
            values[k][i] = is_float ? (double)(float)value : value;
            whole[i] = (cl_int)random_below(41) - 20;
        }
}

static cl_mem upload(const double *from, int is_float)
{
    float narrow[COUNT];
    for (int i = 0; i < COUNT; i++)
        narrow[i] = (float)from[i];
    size_t bytes = COUNT * (is_float ? sizeof(float) : sizeof(double));
    return new_buffer(CL_MEM_COPY_HOST_PTR, bytes, is_float ? (void *)narrow : (void *)from);
}

/* Results of `call`, an expression of a[i], b[i] and n[i]. */
static void compute(const char *call, const struct kind *kind, const struct form *form, double *out)
{
    char source[1024];
    snprintf(source, sizeof source,
             "#define F(i) %s\nkernel void k(global const %s *a, global const %s *b, global const "
             "int *n, global %s *o)\n{\n    %s\n}\n",
             call, kind->name, kind->name, kind->name, form->body);
    cl_kernel kernel = new_kernel(source, "k", form->options);
    size_t bytes = COUNT * (kind->is_float ? sizeof(float) : sizeof(double));
    cl_mem a = upload(values[0], kind->is_float), b = upload(values[1], kind->is_float);
    cl_mem n = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof whole, whole);
    cl_mem o = new_buffer(CL_MEM_WRITE_ONLY, bytes, NULL);
    float narrow[COUNT];
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, n);
    ARG(kernel, 3, o);
    run_1d(kernel, form->items, 0);
    read_back(o, bytes, kind->is_float ? (void *)narrow : (void *)out);
    for (int i = 0; kind->is_float && i < COUNT; i++)
        out[i] = (double)narrow[i];
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(n);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static void check(const char *name, const struct kind *kind, const struct form *form, int i,
                  double got, long double want, float limit)
{
    double error = sl_ulp_error(got, want, kind->digits, kind->least);
    if (error > (limit > 0 ? (double)limit : 0.501))
        check_fail(__FILE__, __LINE__, "%s %s (%s) of %a, %a, %d: expected %La, got %a (%g ulp)",
                   kind->name, name, form->name, values[0][i], values[1][i], whole[i], want, got,
                   error);
}

static void functions_of_one(void)
{
    double out[COUNT];
    char call[64];
    for (size_t t = 0; t < LEN(kinds); t++)
        for (const struct sl_reference1 *r = sl_references1; r->name; r++)
            for (size_t f = 0; f < LEN(forms); f++) {
                fill(kinds[t].is_float);
                snprintf(call, sizeof call, "%s(a[i])", r->name);
                compute(call, &kinds[t], &forms[f], out);
                for (int i = 0; i < COUNT; i++)
                    check(r->name, &kinds[t], &forms[f], i, out[i], r->at(values[0][i]),
                          t ? r->limit_double : r->limit_float);
            }
}

static void functions_of_two(void)
{
    double out[COUNT];
    char call[64];
    for (size_t t = 0; t < LEN(kinds); t++)
        for (const struct sl_reference2 *r = sl_references2; r->name; r++)
            for (size_t f = 0; f < LEN(forms); f++) {
                fill(kinds[t].is_float);
                snprintf(call, sizeof call, "%s(a[i], b[i])", r->name);
                compute(call, &kinds[t], &forms[f], out);
                for (int i = 0; i < COUNT; i++)
                    check(r->name, &kinds[t], &forms[f], i, out[i],
                          r->at(values[0][i], values[1][i]), t ? r->limit_double : r->limit_float);
            }
}

static void functions_with_int(void)
{
    double out[COUNT];
    char call[64];
    for (size_t t = 0; t < LEN(kinds); t++)
        for (const struct sl_reference2i *r = sl_references2i; r->name; r++)
            for (size_t f = 0; f < LEN(forms); f++) {
                fill(kinds[t].is_float);
                snprintf(call, sizeof call, "%s(a[i], n[i])", r->name);
                compute(call, &kinds[t], &forms[f], out);
                for (int i = 0; i < COUNT; i++)
                    check(r->name, &kinds[t], &forms[f], i, out[i], r->at(values[0][i], whole[i]),
                          t ? r->limit_double : r->limit_float);
            }
}

static const struct test_case cases[] = {
    CASE(functions_of_one),
    CASE(functions_of_two),
    CASE(functions_with_int),
};
TEST_MAIN("math_form", cases)
