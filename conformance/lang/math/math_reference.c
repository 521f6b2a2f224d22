/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of the math tests: libm in long double where it has the function, else the definition.
 * No state.
 */
#include "math_reference.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "math_table.h"

static const long double pi = 3.14159265358979323846264338327950288L;

static long double ref_sinpi(long double x)
{
    long double r = remainderl(x, 2);
    if (r == truncl(r))
        return copysignl(0, x);
    if (fabsl(r) > 0.5L)
        r = copysignl(1, r) - r;
    return sinl(pi * r);
}

static long double ref_cospi(long double x)
{
    long double r = fabsl(remainderl(x, 2));
    if (r == 0.5L)
        return 0;
    return r < 0.25L ? cosl(pi * r) : r > 0.75L ? -cosl(pi * (1 - r)) : sinl(pi * (0.5L - r));
}

static long double ref_tanpi(long double x)
{
    long double r = remainderl(x, 1);
    long double whole = x - r;
    if (r == 0) { /* the sign alternates from one whole number to the next */
        long double odd = fabsl(remainderl(whole, 2)) == 1 ? -1 : 1;
        return copysignl(0, odd * copysignl(1, x));
    }
    if (fabsl(r) == 0.5L) {
        long double n = floorl(x);
        return remainderl(n, 2) == 0 ? INFINITY : -INFINITY;
    }
    return fabsl(r) <= 0.25L ? tanl(pi * r) : copysignl(1 / tanl(pi * (0.5L - fabsl(r))), r);
}

static long double ref_acospi(long double x)
{
    return acosl(x) / pi;
}

static long double ref_asinpi(long double x)
{
    return asinl(x) / pi;
}

static long double ref_atanpi(long double x)
{
    return atanl(x) / pi;
}

static long double ref_atan2pi(long double y, long double x)
{
    return atan2l(y, x) / pi;
}

static long double ref_exp10(long double x)
{
    return powl(10, x);
}

static long double ref_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}

static long double ref_maxmag(long double a, long double b)
{
    return fabsl(a) > fabsl(b) ? a : fabsl(b) > fabsl(a) ? b : fmaxl(a, b);
}

static long double ref_minmag(long double a, long double b)
{
    return fabsl(a) < fabsl(b) ? a : fabsl(b) < fabsl(a) ? b : fminl(a, b);
}

static long double ref_powr(long double x, long double y)
{
    if (x < 0 || isnan(x) || isnan(y) || (x == 0 && y == 0) || (x == 1 && isinf(y)) ||
        (isinf(x) && y == 0))
        return NAN;
    return powl(fabsl(x), y);
}

static long double ref_pown(long double x, int n)
{
    return powl(x, n);
}

static long double ref_rootn(long double x, int n)
{
    if (!n || (x < 0 && !(n & 1)))
        return NAN;
    long double root = powl(fabsl(x), 1 / (long double)n);
    return n & 1 ? copysignl(root, x) : root;
}

#define ref_acos acosl
#define ref_acosh acoshl
#define ref_asin asinl
#define ref_asinh asinhl
#define ref_atan atanl
#define ref_atanh atanhl
#define ref_cbrt cbrtl
#define ref_ceil ceill
#define ref_cos cosl
#define ref_cosh coshl
#define ref_erf erfl
#define ref_erfc erfcl
#define ref_exp expl
#define ref_exp2 exp2l
#define ref_expm1 expm1l
#define ref_fabs fabsl
#define ref_floor floorl
#define ref_log logl
#define ref_log10 log10l
#define ref_log1p log1pl
#define ref_log2 log2l
#define ref_logb logbl
#define ref_rint rintl
#define ref_round roundl
#define ref_sin sinl
#define ref_sinh sinhl
#define ref_sqrt sqrtl
#define ref_tan tanl
#define ref_tanh tanhl
#define ref_tgamma tgammal
#define ref_trunc truncl
#define ref_atan2 atan2l
#define ref_copysign copysignl
#define ref_fdim fdiml
#define ref_fmax fmaxl
#define ref_fmin fminl
#define ref_fmod fmodl
#define ref_hypot hypotl
#define ref_pow powl
#define ref_remainder remainderl
#define ref_ldexp ldexpl

#define ROW(NAME, F, D, H) {#NAME, F, D, H, ref_##NAME},
const struct sl_reference1 sl_references1[] = {SL_MATH1(ROW){NULL, 0, 0, 0, NULL}};
const struct sl_reference2 sl_references2[] = {SL_MATH2(ROW){NULL, 0, 0, 0, NULL}};
const struct sl_reference2i sl_references2i[] = {SL_MATH2I(ROW){NULL, 0, 0, 0, NULL}};

/* ldexpl(1, exponent), which takes most of a long run's time. */
static long double power_of_two(int exponent)
{
    double power;
    if (exponent < -1022 || exponent > 1023)
        return ldexpl(1, exponent);
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return (long double)power;
}

double sl_ulp_error(long double got, long double want, int digits, int least)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    /* What rounds to infinity may be infinite; an infinity is the number after the largest. */
    long double beyond = power_of_two(2 - least); /* 2^128 of float, whose least exponent is -126 */
    if (isinf(got))
        got = copysignl(beyond, got);
    if (isinf(want) || fabsl(want) > beyond)
        want = copysignl(beyond, want);
    if (got == want)
        return 0;
    int exponent;
    frexpl(want, &exponent);
    if (want == 0 || exponent - 1 < least)
        exponent = least + 1;
    return (double)(fabsl(got - want) / power_of_two(exponent - digits));
}
