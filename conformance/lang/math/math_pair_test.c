/* SPDX-License-Identifier: Apache-2.0 */
/* Math functions that give two results or an integer, against libm; every address space that the
 * second result may lie in. */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <string.h>

#include "math_reference.h"

enum { COUNT = 1 << 12 };

struct function {
    const char *name;
    int inputs, second_is_int;
    float limits[2]; /* ulp of the first result, float and double */
    /* first result returned, second through the pointer */
    long double (*at)(long double x, long double y, int digits, long double *second);
    int compare_second;
};

/* ---- references ------------------------------------------------------------------------------ */

static long double ref_fract(long double x, long double y, int digits, long double *second)
{
    (void)y;
    *second = floorl(x);
    if (isinf(x))
        return copysignl(0, x);
    long double top = 1 - ldexpl(1, -digits);
    return x - *second < top ? x - *second : isnan(x) ? x : top;
}

static long double ref_modf(long double x, long double y, int digits, long double *second)
{
    (void)y, (void)digits;
    return modfl(x, second);
}

static long double ref_frexp(long double x, long double y, int digits, long double *second)
{
    (void)y, (void)digits;
    int exponent = 0;
    long double r = frexpl(x, &exponent);
    *second = isfinite(x) ? exponent : 0;
    return r;
}

static long double ref_sincos(long double x, long double y, int digits, long double *second)
{
    (void)y, (void)digits;
    *second = cosl(x);
    return sinl(x);
}

static long double ref_remquo(long double x, long double y, int digits, long double *second)
{
    (void)digits;
    long double r = remainderl(x, y);
    *second = 0;
    if (isfinite(x) && y != 0 && !isnan(y) && !isinf(y)) {
        long double low =
            fmodl((fabsl(x) - copysignl(r, signbit(x) == signbit(r) ? 1 : -1)), 128 * fabsl(y)) /
            fabsl(y);
        *second = (!signbit(x) != !signbit(y) ? -1 : 1) * (long double)((int)rintl(low) & 0x7f);
    }
    return r;
}

static long double ref_ilogb(long double x, long double y, int digits, long double *second)
{
    (void)y, (void)digits;
    *second = 0;
    if (x == 0)
        return -2147483648.0L;
    return isfinite(x) ? (long double)ilogbl(x) : 2147483647.0L;
}

static long double ref_nextafter(long double x, long double y, int digits, long double *second)
{
    *second = 0;
    return digits == 24 ? (long double)nextafterf((float)x, (float)y)
                        : (long double)nextafter((double)x, (double)y);
}

static const struct function functions[] = {
    {"fract(x, &second)", 1, 0, {0.501f, 0.501f}, ref_fract, 1},
    {"modf(x, &second)", 1, 0, {0, 0}, ref_modf, 1},
    {"frexp(x, &second)", 1, 1, {0, 0}, ref_frexp, 1},
    {"sincos(x, &second)", 1, 0, {4, 4}, ref_sincos, 0},
    {"remquo(x, y, &second)", 2, 1, {0, 0}, ref_remquo, 1},
    {"ilogb(x)", 1, 1, {0, 0}, ref_ilogb, 0},
    {"nextafter(x, y)", 2, 0, {0, 0}, ref_nextafter, 0},
};

/* ---- running --------------------------------------------------------------------------------- */

static double argument(int i, int is_float)
{
    static const double special[] = {0,    -0.0,          1,         -1,  0.5,    -0.5, 1.5,
                                     -2.5, INFINITY,      -INFINITY, NAN, -1e-30, 1e30, 0x1p-140,
                                     3,    0x1.fffffep127};
    if (i < (int)(LEN(special) * LEN(special)))
        return is_float ? (double)(float)special[(size_t)i % LEN(special)]
                        : special[(size_t)i % LEN(special)];
    return is_float ? (double)random_float() : random_double();
}

static cl_mem of_type(const double *values, int is_float)
{
    if (!is_float)
        return new_buffer(CL_MEM_COPY_HOST_PTR, COUNT * sizeof *values, (void *)values);
    static float narrow[COUNT];
    for (int i = 0; i < COUNT; i++)
        narrow[i] = (float)values[i];
    return new_buffer(CL_MEM_COPY_HOST_PTR, sizeof narrow, narrow);
}

/* Results arrive as double, whatever the type. */
static cl_kernel kernel_for(const struct function *f, int is_float, const char *space)
{
    const char *type = is_float ? "float" : "double";
    const char *second = f->second_is_int ? "int" : type;
    char source[1024];
    snprintf(source, sizeof source,
             "kernel void k(global const %s *a, global const %s *b, global double *one,"
             " global double *two, global %s *room) {\n"
             "    size_t i = get_global_id(0);\n    %s x = a[i], y = b[i];\n"
             "    %s\n    one[i] = %s;\n    two[i] = second;\n}\n",
             type, type, second, type,
             !strcmp(space, "private") ? f->second_is_int ? "int second = 0;"
                                         : is_float       ? "float second = 0;"
                                                          : "double second = 0;"
                                       : "\n#define second room[i]\n    second = 0;",
             f->name);
    return new_kernel(source, "k", "");
}

static void compare(const struct function *f, int is_float, const double *a, const double *b,
                    const double *one, const double *two)
{
    int digits = is_float ? 24 : 53;
    int bad = 0;
    for (int i = 0; i < COUNT; i++) {
        long double second = 0;
        long double want = f->at(a[i], b[i], digits, &second);
        double error = sl_ulp_error(one[i], want, digits, is_float ? -126 : -1022);
        int wrong = !(error <= (double)f->limits[!is_float]);
        if (f->compare_second && !isnan(second) && isfinite(want))
            wrong |= two[i] != (double)(is_float ? (float)second : (double)second);
        if (wrong && bad++ < 3)
            check_fail(__FILE__, __LINE__, "%s %s of %a, %a: expected %La and %La, got %a and %a",
                       is_float ? "float" : "double", f->name, a[i], b[i], want, second, one[i],
                       two[i]);
    }
}

static void one_function(const struct function *f, int is_float, const char *space)
{
    static double a[COUNT], b[COUNT], one[COUNT], two[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = argument(i, is_float);
        b[i] = argument(i < 256 ? i / 16 : i, is_float);
        if (i >= 256 && i % 3 == 0)
            b[i] = is_float ? (double)(float)(a[i] * 0.37) : a[i] * 0.37;
    }
    cl_kernel kernel = kernel_for(f, is_float, space);
    cl_mem buffers[5] = {of_type(a, is_float), of_type(b, is_float),
                         new_buffer(CL_MEM_READ_WRITE, sizeof one, NULL),
                         new_buffer(CL_MEM_READ_WRITE, sizeof two, NULL),
                         new_buffer(CL_MEM_READ_WRITE, sizeof two, NULL)};
    for (cl_uint i = 0; i < 5; i++)
        ARG(kernel, i, buffers[i]);
    run_1d(kernel, COUNT, 0);
    read_back(buffers[2], sizeof one, one);
    read_back(buffers[3], sizeof two, two);
    compare(f, is_float, a, b, one, two);
    for (cl_uint i = 0; i < 5; i++)
        RELEASE_MEM(buffers[i]);
    RELEASE_KERNEL(kernel);
}

static void all_functions(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    for (size_t i = 0; i < LEN(functions); i++)
        for (int is_float = 0; is_float < 2; is_float++) {
            one_function(&functions[i], is_float, "private");
            one_function(&functions[i], is_float, "global");
        }
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* Bases close to one, whose large powers are ordinary numbers: the logarithm's error counts most.
 */
static void fill_powers(double *a, double *b, double spread, int whole)
{
    for (int i = 0; i < COUNT; i++) {
        double unit = (double)(int64_t)random_bits() * 0x1p-63;
        double power = (double)(int64_t)random_bits() * 0x1p-63 * 125;
        a[i] = (double)(float)exp2(unit * spread);
        b[i] = (double)(float)(power / log2(a[i]));
        if (whole)
            b[i] = fabs(b[i]) < 1e6 ? rint(b[i]) : 3;
        if (!isfinite(b[i]))
            b[i] = 1;
    }
}

static void large_powers(void)
{
    static const char *const powers[] = {"powr(x, y)", "pow(x, y)", "pown(x, (int)y)"};
    static const double spreads[] = {0.001, 0.0625, 0.13, 0.135, 0.25, 1, 30};
    static double a[COUNT], b[COUNT], one[COUNT];
    for (size_t p = 0; p < LEN(powers); p++) {
        struct function f = {.name = powers[p]};
        cl_kernel kernel = kernel_for(&f, 1, "private");
        for (int k = 0; k < 8 * (int)LEN(spreads); k++) {
            double worst = 0, base = 0, power = 0;
            fill_powers(a, b, spreads[(size_t)k % LEN(spreads)], p == 2);
            cl_mem buffers[5] = {of_type(a, 1), of_type(b, 1),
                                 new_buffer(CL_MEM_READ_WRITE, sizeof one, NULL),
                                 new_buffer(CL_MEM_READ_WRITE, sizeof one, NULL),
                                 new_buffer(CL_MEM_READ_WRITE, sizeof one, NULL)};
            for (cl_uint i = 0; i < 5; i++)
                ARG(kernel, i, buffers[i]);
            run_1d(kernel, COUNT, 0);
            read_back(buffers[2], sizeof one, one);
            for (int i = 0; i < COUNT; i++) {
                double error = sl_ulp_error(one[i], powl(a[i], b[i]), 24, -126);
                if (p == 2 && fabs(b[i]) <= 15) /* products: whole_powers */
                    continue;
                if (!(error <= worst))
                    worst = error, base = a[i], power = b[i];
            }
            if (!(worst <= 5))
                check_fail(__FILE__, __LINE__, "%s of %a, %a is %g ulp off", powers[p], base, power,
                           worst);
            for (cl_uint i = 0; i < 5; i++)
                RELEASE_MEM(buffers[i]);
        }
        RELEASE_KERNEL(kernel);
    }
}

/* A base whose power is at an end of the range, or just beyond it; or special, or any. */
static double whole_base(int i, int n, int is_float)
{
    static const double special[] = {0, -0.0, 1, -1, 2, -2, INFINITY, -INFINITY, NAN, 0.5, -3};
    static const double ends[2][4] = {{1023.5, -1022, -1074, -1076}, {127.5, -126, -149, -151}};
    double unit = (double)(int64_t)random_bits() * 0x1p-63, x = exp2(unit * 30);
    if (i % 8 == 0)
        x = special[(size_t)(i / 8) % LEN(special)];
    else if (i % 8 < 5 && n)
        x = exp2((ends[is_float][i % 4] + unit) / n);
    x = i % 16 > 8 ? -x : x;
    return is_float ? (double)(float)x : x;
}

/* Exponents from -20 to 20, in scalars and vectors of three. */
static void whole_powers_of(int is_float, int width, const char *options)
{
    enum { MOST = 20, EACH = 99, ALL = (2 * MOST + 1) * EACH };
    static double x[COUNT], one[COUNT];
    static cl_int n[COUNT];
    char source[512];
    const char *type = is_float ? "float" : "double";
    snprintf(source, sizeof source,
             width == 1
                 ? "kernel void k(global const %s *x, global const int *n, global double *o) "
                   "{\n    size_t i = get_global_id(0);\n    o[i] = pown(x[i], n[i]);\n}\n"
                 : "kernel void k(global const %s *x, global const int *n, global double *o) "
                   "{\n    size_t i = get_global_id(0);\n    vstore3(convert_double3("
                   "pown(vload3(i, x), vload3(i, n))), i, o);\n}\n",
             type);
    cl_kernel kernel = new_kernel(source, "k", options);
    const double flushed = *options ? 0x1p-126 : 0;
    for (int i = 0; i < ALL; i++) {
        n[i] = i / EACH - MOST;
        x[i] = whole_base(i % EACH, n[i], is_float);
    }
    cl_mem buffers[3] = {of_type(x, is_float), new_buffer(CL_MEM_COPY_HOST_PTR, sizeof n, n),
                         new_buffer(CL_MEM_READ_WRITE, sizeof one, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        ARG(kernel, i, buffers[i]);
    run_1d(kernel, (size_t)(ALL / width), 0);
    read_back(buffers[2], sizeof one, one);
    for (int i = 0, bad = 0; i < ALL; i++) {
        long double want = powl(x[i], n[i]);
        double error = sl_ulp_error(one[i], want, is_float ? 24 : 53, is_float ? -126 : -1022);
        int sign_lost = want == 0 && !signbit(want) != !signbit(one[i]);
        if (flushed > 0 && (fabs(x[i]) < flushed || fabsl(want) < 2 * flushed))
            continue; /* may be taken for zero */
        if ((!(error <= 16) || sign_lost) && bad++ < 3)
            check_fail(__FILE__, __LINE__, "%s%d: pown of %a, %d: expected %La, got %a (%g ulp)",
                       type, width, x[i], n[i], want, one[i], error);
    }
    for (cl_uint i = 0; i < 3; i++)
        RELEASE_MEM(buffers[i]);
    RELEASE_KERNEL(kernel);
}

static void whole_powers(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    for (int width = 1; width <= 3; width += 2)
        for (int is_float = 0; is_float < 2; is_float++)
            whole_powers_of(is_float, width, "");
    whole_powers_of(1, 1, "-cl-denorms-are-zero");
    whole_powers_of(1, 3, "-cl-denorms-are-zero");
}

static const struct test_case cases[] = {
    CASE(all_functions),
    CASE(whole_powers),
    CASE(large_powers),
};
TEST_MAIN("math_pair", cases)
