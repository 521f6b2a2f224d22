/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Math and common functions of half: in float, then rounded once. Float has more than twice half's
 * digits, so that what is correctly rounded there is so here, and the others are off by little more
 * than half an ulp. fma is the exception: half_exact.cl.
 */
#include "half/half.h"

/* Clang offers its own declarations of a builtin only where there is no other. */
#define SL_ONE(T, N, NAME)                                                                         \
    SL_KNOWN float##N NAME(float##N x);                                                            \
    SL_PURE half##N NAME(half##N x)                                                                \
    {                                                                                              \
        return sl_narrow(NAME(sl_wide(x)));                                                        \
    }
#define SL_TWO(T, N, NAME)                                                                         \
    SL_KNOWN float##N NAME(float##N x, float##N y);                                                \
    SL_PURE half##N NAME(half##N x, half##N y)                                                     \
    {                                                                                              \
        return sl_narrow(NAME(sl_wide(x), sl_wide(y)));                                            \
    }
#define SL_TWO_WITH_INT(T, N, NAME)                                                                \
    SL_KNOWN float##N NAME(float##N x, int##N n);                                                  \
    SL_PURE half##N NAME(half##N x, int##N n)                                                      \
    {                                                                                              \
        return sl_narrow(NAME(sl_wide(x), n));                                                     \
    }
#define SL_THREE(T, N, NAME)                                                                       \
    SL_KNOWN float##N NAME(float##N x, float##N y, float##N z);                                    \
    SL_PURE half##N NAME(half##N x, half##N y, half##N z)                                          \
    {                                                                                              \
        return sl_narrow(NAME(sl_wide(x), sl_wide(y), sl_wide(z)));                                \
    }

SL_EACH_WIDTH(SL_ONE, half, acos)
SL_EACH_WIDTH(SL_ONE, half, acosh)
SL_EACH_WIDTH(SL_ONE, half, acospi)
SL_EACH_WIDTH(SL_ONE, half, asin)
SL_EACH_WIDTH(SL_ONE, half, asinh)
SL_EACH_WIDTH(SL_ONE, half, asinpi)
SL_EACH_WIDTH(SL_ONE, half, atan)
SL_EACH_WIDTH(SL_ONE, half, atanh)
SL_EACH_WIDTH(SL_ONE, half, atanpi)
SL_EACH_WIDTH(SL_ONE, half, cbrt)
SL_EACH_WIDTH(SL_ONE, half, ceil)
SL_EACH_WIDTH(SL_ONE, half, cos)
SL_EACH_WIDTH(SL_ONE, half, cosh)
SL_EACH_WIDTH(SL_ONE, half, cospi)
SL_EACH_WIDTH(SL_ONE, half, degrees)
SL_EACH_WIDTH(SL_ONE, half, erf)
SL_EACH_WIDTH(SL_ONE, half, erfc)
SL_EACH_WIDTH(SL_ONE, half, exp)
SL_EACH_WIDTH(SL_ONE, half, exp10)
SL_EACH_WIDTH(SL_ONE, half, exp2)
SL_EACH_WIDTH(SL_ONE, half, expm1)
SL_EACH_WIDTH(SL_ONE, half, floor)
SL_EACH_WIDTH(SL_ONE, half, lgamma)
SL_EACH_WIDTH(SL_ONE, half, log)
SL_EACH_WIDTH(SL_ONE, half, log10)
SL_EACH_WIDTH(SL_ONE, half, log1p)
SL_EACH_WIDTH(SL_ONE, half, log2)
SL_EACH_WIDTH(SL_ONE, half, logb)
SL_EACH_WIDTH(SL_ONE, half, radians)
SL_EACH_WIDTH(SL_ONE, half, rint)
SL_EACH_WIDTH(SL_ONE, half, round)
SL_EACH_WIDTH(SL_ONE, half, rsqrt)
SL_EACH_WIDTH(SL_ONE, half, sin)
SL_EACH_WIDTH(SL_ONE, half, sinh)
SL_EACH_WIDTH(SL_ONE, half, sinpi)
SL_EACH_WIDTH(SL_ONE, half, sqrt)
SL_EACH_WIDTH(SL_ONE, half, tan)
SL_EACH_WIDTH(SL_ONE, half, tanh)
SL_EACH_WIDTH(SL_ONE, half, tanpi)
SL_EACH_WIDTH(SL_ONE, half, tgamma)
SL_EACH_WIDTH(SL_ONE, half, trunc)

SL_EACH_WIDTH(SL_TWO, half, atan2)
SL_EACH_WIDTH(SL_TWO, half, atan2pi)
SL_EACH_WIDTH(SL_TWO, half, fdim)
SL_EACH_WIDTH(SL_TWO, half, fmax)
SL_EACH_WIDTH(SL_TWO, half, fmin)
SL_EACH_WIDTH(SL_TWO, half, fmod)
SL_EACH_WIDTH(SL_TWO, half, hypot)
SL_EACH_WIDTH(SL_TWO, half, maxmag)
SL_EACH_WIDTH(SL_TWO, half, minmag)
SL_EACH_WIDTH(SL_TWO, half, pow)
SL_EACH_WIDTH(SL_TWO, half, powr)
SL_EACH_WIDTH(SL_TWO, half, remainder)
SL_EACH_WIDTH(SL_TWO, half, step)

SL_EACH_WIDTH(SL_TWO_WITH_INT, half, ldexp)
SL_EACH_WIDTH(SL_TWO_WITH_INT, half, pown)
SL_EACH_WIDTH(SL_TWO_WITH_INT, half, rootn)

SL_EACH_WIDTH(SL_THREE, half, mad)
SL_EACH_WIDTH(SL_THREE, half, mix)
SL_EACH_WIDTH(SL_THREE, half, smoothstep)

#define SL_EXPONENT(T, N, ...)                                                                     \
    SL_KNOWN int##N ilogb(float##N x);                                                             \
    SL_PURE int##N ilogb(half##N x)                                                                \
    {                                                                                              \
        return ilogb(sl_wide(x));                                                                  \
    }
SL_EACH_WIDTH(SL_EXPONENT, half)

/* ---- scalars among vectors ------------------------------------------------------------------- */

#define SL_SCALARS(N)                                                                              \
    SL_PURE half##N fmax(half##N x, half y)                                                        \
    {                                                                                              \
        return fmax(x, (half##N)y);                                                                \
    }                                                                                              \
    SL_PURE half##N fmin(half##N x, half y)                                                        \
    {                                                                                              \
        return fmin(x, (half##N)y);                                                                \
    }                                                                                              \
    SL_PURE half##N ldexp(half##N x, int n)                                                        \
    {                                                                                              \
        return ldexp(x, (int##N)n);                                                                \
    }                                                                                              \
    SL_PURE half##N mix(half##N x, half##N y, half a)                                              \
    {                                                                                              \
        return mix(x, y, (half##N)a);                                                              \
    }                                                                                              \
    SL_PURE half##N step(half edge, half##N x)                                                     \
    {                                                                                              \
        return step((half##N)edge, x);                                                             \
    }                                                                                              \
    SL_PURE half##N smoothstep(half low, half high, half##N x)                                     \
    {                                                                                              \
        return smoothstep((half##N)low, (half##N)high, x);                                         \
    }
SL_SCALARS(2)
SL_SCALARS(3)
SL_SCALARS(4)
SL_SCALARS(8)
SL_SCALARS(16)

/* ---- two results ----------------------------------------------------------------------------- */

#define SL_SPLITS_OF_FLOAT(T, N, ...)                                                              \
    SL_OVERLOAD float##N fract(float##N x, private float##N *whole);                               \
    SL_OVERLOAD float##N frexp(float##N x, private int##N *exponent);                              \
    SL_OVERLOAD float##N lgamma_r(float##N x, private int##N *sign);                               \
    SL_OVERLOAD float##N modf(float##N x, private float##N *whole);                                \
    SL_OVERLOAD float##N remquo(float##N x, float##N y, private int##N *quotient);                 \
    SL_OVERLOAD float##N sincos(float##N x, private float##N *cosine);
SL_EACH_WIDTH(SL_SPLITS_OF_FLOAT, float)

#define SL_SPLITS(T, N, SPACE)                                                                     \
    SL_OVERLOAD half##N fract(half##N x, SPACE half##N *whole)                                     \
    {                                                                                              \
        float##N down;                                                                             \
        half##N rest = sl_narrow(fract(sl_wide(x), &down));                                        \
        *whole = sl_narrow(down);                                                                  \
        return rest > 0x1.ffcp-1h ? (half##N)0x1.ffcp-1h : rest;                                   \
    }                                                                                              \
    SL_OVERLOAD half##N frexp(half##N x, SPACE int##N *exponent)                                   \
    {                                                                                              \
        int##N n;                                                                                  \
        half##N significand = sl_narrow(frexp(sl_wide(x), &n));                                    \
        *exponent = n;                                                                             \
        return significand;                                                                        \
    }                                                                                              \
    SL_OVERLOAD half##N lgamma_r(half##N x, SPACE int##N *sign)                                    \
    {                                                                                              \
        int##N s;                                                                                  \
        half##N value = sl_narrow(lgamma_r(sl_wide(x), &s));                                       \
        *sign = s;                                                                                 \
        return value;                                                                              \
    }                                                                                              \
    SL_OVERLOAD half##N modf(half##N x, SPACE half##N *whole)                                      \
    {                                                                                              \
        float##N toward_zero;                                                                      \
        half##N rest = sl_narrow(modf(sl_wide(x), &toward_zero));                                  \
        *whole = sl_narrow(toward_zero);                                                           \
        return rest;                                                                               \
    }                                                                                              \
    SL_OVERLOAD half##N remquo(half##N x, half##N y, SPACE int##N *quotient)                       \
    {                                                                                              \
        int##N q;                                                                                  \
        half##N rest = sl_narrow(remquo(sl_wide(x), sl_wide(y), &q));                              \
        *quotient = q;                                                                             \
        return rest;                                                                               \
    }                                                                                              \
    SL_OVERLOAD half##N sincos(half##N x, SPACE half##N *cosine)                                   \
    {                                                                                              \
        float##N c;                                                                                \
        half##N s = sl_narrow(sincos(sl_wide(x), &c));                                             \
        *cosine = sl_narrow(c);                                                                    \
        return s;                                                                                  \
    }
SL_EACH_WIDTH(SL_SPLITS, half, private)
SL_EACH_WIDTH(SL_SPLITS, half, global)
SL_EACH_WIDTH(SL_SPLITS, half, local)
SL_EACH_WIDTH(SL_SPLITS, half, generic)

/* ---- geometry: lengths of halves do not leave float's range ---------------------------------- */

#define SL_GEOMETRY(N)                                                                             \
    SL_KNOWN float dot(float##N x, float##N y);                                                    \
    SL_KNOWN float length(float##N x);                                                             \
    SL_KNOWN float distance(float##N x, float##N y);                                               \
    SL_KNOWN float##N normalize(float##N x);                                                       \
    SL_PURE half dot(half##N x, half##N y)                                                         \
    {                                                                                              \
        return sl_narrow(dot(sl_wide(x), sl_wide(y)));                                             \
    }                                                                                              \
    SL_PURE half length(half##N x)                                                                 \
    {                                                                                              \
        return sl_narrow(length(sl_wide(x)));                                                      \
    }                                                                                              \
    SL_PURE half distance(half##N x, half##N y)                                                    \
    {                                                                                              \
        return sl_narrow(distance(sl_wide(x), sl_wide(y)));                                        \
    }                                                                                              \
    SL_PURE half##N normalize(half##N x)                                                           \
    {                                                                                              \
        return sl_narrow(normalize(sl_wide(x)));                                                   \
    }
SL_GEOMETRY()
SL_GEOMETRY(2)
SL_GEOMETRY(3)
SL_GEOMETRY(4)

SL_KNOWN float3 cross(float3 x, float3 y);
SL_KNOWN float4 cross(float4 x, float4 y);

SL_PURE half3 cross(half3 x, half3 y)
{
    return sl_narrow(cross(sl_wide(x), sl_wide(y)));
}

SL_PURE half4 cross(half4 x, half4 y)
{
    return sl_narrow(cross(sl_wide(x), sl_wide(y)));
}
