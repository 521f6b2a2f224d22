/* SPDX-License-Identifier: Apache-2.0 */
#include "item.h"

/* Functions of floating-point numbers. */

#define ONE(f) PUT(f(x));
#define EACH_OF_ONE                                                                                \
    ONE(acos)                                                                                      \
    ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi)       \
        ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi)
#define EACH_OF_ONE_MORE                                                                           \
    ONE(erfc)                                                                                      \
    ONE(erf) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log)    \
        ONE(log2) ONE(log10) ONE(log1p) ONE(logb)
#define EACH_OF_ONE_LAST                                                                           \
    ONE(rint)                                                                                      \
    ONE(round) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tanpi)    \
        ONE(tgamma) ONE(trunc) ONE(degrees) ONE(radians) ONE(sign)

#define ONES(T, N)                                                                                 \
    KERNEL(ones_##T##N, T##N, EACH_OF_ONE)                                                         \
    KERNEL(ones_more_##T##N, T##N, EACH_OF_ONE_MORE)                                               \
    KERNEL(ones_last_##T##N, T##N, EACH_OF_ONE_LAST)
ONES(float, )
ONES(float, 4)
ONES(float, 3)
ONES(double, )
ONES(double, 2)
ONES(half, )
ONES(half, 8)

#define TWO(f) PUT(f(x, y));
#define PAIRS(T, N)                                                                                \
    KERNEL(twos_##T##N, T##N,                                                                      \
           TWO(atan2) TWO(atan2pi) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod)           \
               TWO(hypot))                                                                         \
    KERNEL(twos_more_##T##N, T##N,                                                                 \
           TWO(maxmag) TWO(minmag) TWO(nextafter) TWO(pow) TWO(powr) TWO(remainder) TWO(step))     \
    KERNEL(threes_##T##N, T##N, PUT(fma(x, y, x)); PUT(mad(x, x, y));                              \
           PUT(clamp(x, fabs(y), fabs(y))); PUT(mix(x, y, x)); PUT(smoothstep(x, y, x));)
PAIRS(float, )
PAIRS(float, 4)
PAIRS(double, )
PAIRS(double, 2)
PAIRS(half, )
PAIRS(half, 4)

#define NATIVE_ONES                                                                                \
    ONE(native_cos)                                                                                \
    ONE(native_exp) ONE(native_exp2) ONE(native_exp10) ONE(native_log) ONE(native_log2)            \
        ONE(native_log10) ONE(native_recip) ONE(native_rsqrt) ONE(native_sin) ONE(native_sqrt)     \
            ONE(native_tan) TWO(native_divide) TWO(native_powr)
#define HALF_ONES                                                                                  \
    ONE(half_cos)                                                                                  \
    ONE(half_exp) ONE(half_exp2) ONE(half_exp10) ONE(half_log) ONE(half_log2) ONE(half_log10)      \
        ONE(half_recip) ONE(half_rsqrt) ONE(half_sin) ONE(half_sqrt) ONE(half_tan)                 \
            TWO(half_divide) TWO(half_powr)
KERNEL(native_float, float, NATIVE_ONES)
KERNEL(native_float4, float4, NATIVE_ONES)
KERNEL(half_float, float, HALF_ONES)
KERNEL(half_float4, float4, HALF_ONES)

/* Results beside the result, in each address space; and integers. */
#define BESIDE(T, I, N)                                                                            \
    KERNEL(beside_##T##N, T##N, T##N a; I##N e; PUT(fract(x, &a)); PUT(a); PUT(modf(x, &a));       \
           PUT(a); PUT(sincos(x, &a)); PUT(a); PUT(frexp(x, &e)); PUT(e); PUT(lgamma_r(x, &e));    \
           PUT(e); PUT(remquo(x, y, &e)); PUT(e); PUT(ilogb(x));)                                  \
    KERNEL(whole_##T##N, T##N, I##N e = IN(I##N, 8) % 100; PUT(ldexp(x, e)); PUT(pown(x, e));      \
           PUT(rootn(x, e)); PUT(fract(x, (global T##N *)to)); PUT(frexp(y, (global I##N *)to));)
BESIDE(float, int, )
BESIDE(float, int, 4)
BESIDE(double, int, )
BESIDE(half, int, )

KERNEL(nans, float4, PUT(nan(as_uint4(x))); PUT(nan(as_ulong2(IN(double2, 0))));
       PUT(nan(as_ushort8(IN(half8, 0))));)
KERNEL(geometric, float4, PUT(dot(x, y)); PUT(cross(x, y)); PUT(cross(x.xyz, y.xyz));
       PUT(length(x)); PUT(distance(x, y)); PUT(normalize(x)); PUT(fast_length(x));
       PUT(fast_distance(x, y)); PUT(fast_normalize(x)); PUT(dot(x.xy, y.xy)); PUT(dot(x.x, y.x));
       PUT(length(x.xyz)); PUT(dot(IN(double2, 0), IN(double2, 4)));)

/* What is told of numbers. */
#define TOLD(T, N)                                                                                 \
    KERNEL(told_##T##N, T##N,                                                                      \
           ONE(isnan) ONE(isinf) ONE(isfinite) ONE(isnormal) ONE(signbit) TWO(isordered)           \
               TWO(isunordered) TWO(islessgreater) TWO(isequal) TWO(isnotequal) TWO(isgreater)     \
                   TWO(isgreaterequal) TWO(isless) TWO(islessequal) PUT(any(isnan(x)));            \
           PUT(all(isless(x, y)));)
TOLD(float, 4)
TOLD(float, 2)
TOLD(double, 2)
KERNEL(told_float, float,
       ONE(isnan) ONE(isinf) ONE(isfinite) ONE(isnormal) ONE(signbit) TWO(isordered)
           TWO(isunordered) TWO(islessgreater) TWO(isequal) TWO(isnotequal) TWO(isgreater)
               TWO(isgreaterequal) TWO(isless) TWO(islessequal))
/* Of NaNs and of two zeros either may come out, and clang calls functions of SPIR-V that say which. */
#define NUMBERS(f, T) PUT(f(fmax(x, (T)-INFINITY) + 0, fmax(y, (T)-INFINITY) + 0));
KERNEL(common_float4, float4, NUMBERS(max, float) NUMBERS(min, float))
KERNEL(common_double2, double2, NUMBERS(max, double) NUMBERS(min, double))
