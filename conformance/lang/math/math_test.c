/* SPDX-License-Identifier: Apache-2.0 */
/* Math functions against long double: limits of the full profile, scalar and vector of four, with
 * special values, subnormals and random bits. SLUICE_TEST_TABLE=1 prints the worst error of each.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math_reference.h"

enum { COUNT = 1 << 14, WIDE = 4 };

static const double specials[] = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    2,
    -2,
    3,
    -3,
    1.5,
    2.5,
    -2.5,
    10,
    100,
    88,
    89,
    -87,
    -103,
    -104,
    -150,
    128,
    -126,
    -149,
    -151,
    709,
    710,
    -745,
    -746,
    1024,
    -1074,
    -1075,
    0.1,
    0.7,
    0.25,
    16777216,
    -40.5,
    -170.25,
    4194305.5,
    8388608.5,
    1e10,
    -1e10,
    0x1p-149,
    -0x1p-149,
    0x1p-126,
    1e300,
    0x1p-1074,
    0x1.921fb6p0,
    1e5,
    1e8,
    INFINITY,
    -INFINITY,
    NAN,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    0x1.fffffep-1,
    0x1.000002p0,
    0x1p-1022,
};
enum { SPECIALS = LEN(specials), PAIRS = SPECIALS * SPECIALS };

struct precision {
    const char *name;
    int digits, least;
    size_t size;
};
static const struct precision precisions[2] = {{"float", 24, -126, sizeof(cl_float)},
                                               {"double", 53, -1022, sizeof(cl_double)}};

struct batch {
    const struct precision *type;
    int inputs; /* 1, 2; -2: the second is int */
    double a[COUNT], b[COUNT], out[COUNT];
    cl_int n[COUNT];
};

/* ---- arguments ------------------------------------------------------------------------------- */

static double any_double(int choice)
{
    double unit = (double)(int64_t)random_bits() * 0x1p-63;
    switch (choice % 6) {
    case 0:
        return random_double();
    case 1: { /* any bits */
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    case 2:
        return unit * 10;
    case 3:
        return unit * 800;
    case 4:
        return 1 + unit * 0.3;
    default:
        return ((double)random_below(2001) - 1000) * 1.57079632679489661923;
    }
}

static double any_float(int choice)
{
    if (choice % 6 != 1)
        return (float)any_double(choice);
    uint32_t bits = (uint32_t)random_bits();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void fill(struct batch *t)
{
    int is_float = t->type->size == sizeof(cl_float);
    for (int i = 0; i < COUNT; i++) {
        t->a[i] = i < PAIRS ? specials[i / SPECIALS] : is_float ? any_float(i) : any_double(i);
        t->b[i] = i < PAIRS  ? specials[i % SPECIALS]
                  : is_float ? any_float(i / 6)
                             : any_double(i / 6);
        if (i >= PAIRS && i % 5 == 0) /* near each other, for remainders and quotients near one */
            t->b[i] = t->a[i] * (1 + (double)(int64_t)random_bits() * 0x1p-64);
        if (is_float) {
            t->a[i] = (float)t->a[i];
            t->b[i] = (float)t->b[i];
        }
        t->n[i] = i % 3 ? (cl_int)random_below(2401) - 1200 : (cl_int)random_bits();
        if (i % 7 == 0)
            t->n[i] = (cl_int)random_below(31) - 15;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static cl_mem upload(const struct batch *t, const double *values)
{
    if (t->type->size == sizeof(cl_double))
        return new_buffer(CL_MEM_COPY_HOST_PTR, COUNT * sizeof *values, (void *)values);
    static float narrow[COUNT];
    for (int i = 0; i < COUNT; i++)
        narrow[i] = (float)values[i];
    return new_buffer(CL_MEM_COPY_HOST_PTR, sizeof narrow, narrow);
}

static void download(struct batch *t, cl_mem from)
{
    if (t->type->size == sizeof(cl_double)) {
        read_back(from, sizeof t->out, t->out);
        return;
    }
    static float narrow[COUNT];
    read_back(from, sizeof narrow, narrow);
    for (int i = 0; i < COUNT; i++)
        t->out[i] = narrow[i];
}

/* The kernels of one function: s1, s4 of float, then of double. */
static cl_program program_of(const char *name, int inputs)
{
    static const char *const second[] = {"", ", b[i]"};
    char source[2048];
    int n = 0;
    for (int type = 0; type < 2; type++)
        for (int width = 1; width <= WIDE; width += 3) {
            char suffix[4] = "";
            if (width > 1)
                snprintf(suffix, sizeof suffix, "%d", width);
            n += snprintf(
                source + n, sizeof source - (size_t)n,
                "kernel void %c%d(global const %s%s *a, global const %s%s *b, global %s%s "
                "*out)\n{\n    size_t i = get_global_id(0);\n    out[i] = %s(a[i]%s);\n}\n",
                precisions[type].name[0], width, precisions[type].name, suffix,
                inputs < 0 ? "int" : precisions[type].name, suffix, precisions[type].name, suffix,
                name, second[inputs != 1]);
        }
    return built(source, "");
}

static void run(struct batch *t, cl_program program, int width)
{
    char name[3] = {t->type->name[0], (char)('0' + width), 0};
    cl_kernel kernel = kernel_of(program, name);
    cl_mem a = upload(t, t->a);
    cl_mem b =
        t->inputs < 0 ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof t->n, t->n) : upload(t, t->b);
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, COUNT * t->type->size, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, out);
    run_1d(kernel, COUNT / (size_t)width, 0);
    download(t, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
}

/* ---- comparing ------------------------------------------------------------------------------- */

struct function {
    const char *name;
    int inputs;
    float limits[2];
    const struct sl_reference1 *one;
    const struct sl_reference2 *two;
    const struct sl_reference2i *with_int;
};

static long double wanted(const struct function *f, const struct batch *t, int i)
{
    if (f->one)
        return f->one->at(t->a[i]);
    return f->two ? f->two->at(t->a[i], t->b[i]) : f->with_int->at(t->a[i], t->n[i]);
}

static double compare(const struct function *f, const struct batch *t, float limit, int width)
{
    double worst = 0;
    int reported = 0;
    for (int i = 0; i < COUNT; i++) {
        long double want = wanted(f, t, i);
        double error = sl_ulp_error(t->out[i], want, t->type->digits, t->type->least);
        int sign_lost =
            f->one && want == 0 && t->out[i] == 0 && !signbit(want) != !signbit(t->out[i]);
        if (error > worst)
            worst = error;
        /* 0 in the table is "correctly rounded" */
        if ((error > (limit > 0 ? limit : 0.501) || sign_lost) && reported++ < 3)
            check_fail(__FILE__, __LINE__, "%s%d %s(%a, %a, %d): expected %La, got %a (%g ulp)",
                       t->type->name, width, f->name, t->a[i], t->b[i], t->n[i], want, t->out[i],
                       error);
    }
    return worst;
}

static void test_function(const struct function *f)
{
    static struct batch batch;
    cl_program program = program_of(f->name, f->inputs);
    double worst[2] = {0, 0};
    for (int type = 0; type < 2; type++) {
        batch.type = &precisions[type];
        batch.inputs = f->inputs;
        fill(&batch);
        for (int width = 1; width <= WIDE; width += 3) {
            run(&batch, program, width);
            double error = compare(f, &batch, f->limits[type], width);
            if (error > worst[type])
                worst[type] = error;
        }
    }
    RELEASE_PROGRAM(program);
    if (getenv("SLUICE_TEST_TABLE"))
        printf("| %s | %.3g | %g | %.3g | %g |\n", f->name, worst[0], (double)f->limits[0],
               worst[1], (double)f->limits[1]);
}

static void need_double(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
}

static void functions_of_one(void)
{
    need_double();
    for (const struct sl_reference1 *r = sl_references1; r->name; r++)
        test_function(&(struct function){
            .name = r->name, .inputs = 1, .limits = {r->limit_float, r->limit_double}, .one = r});
}

static void functions_of_two(void)
{
    need_double();
    for (const struct sl_reference2 *r = sl_references2; r->name; r++)
        test_function(&(struct function){
            .name = r->name, .inputs = 2, .limits = {r->limit_float, r->limit_double}, .two = r});
}

static void functions_with_int(void)
{
    need_double();
    for (const struct sl_reference2i *r = sl_references2i; r->name; r++)
        test_function(&(struct function){.name = r->name,
                                         .inputs = -2,
                                         .limits = {r->limit_float, r->limit_double},
                                         .with_int = r});
}

static const struct test_case cases[] = {
    CASE(functions_of_one),
    CASE(functions_of_two),
    CASE(functions_with_int),
};
TEST_MAIN("math", cases)
