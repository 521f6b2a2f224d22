/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of trig_double.cl.
 */
#include "math/trig_double_reduced.h"

#define SL_ROUNDER 0x1.8p52
#define SL_LARGEST 1600000.0

/*
 * x = quadrant * pi/2 + result, quadrant modulo 4 in the low bits. The first three parts of pi/2
 * have 33 bits, so that products with the quadrant are exact; what the second difference loses goes
 * to the small parts.
 */
SL_INLINE static DOUBLEN sl_reduce(DOUBLEN x, private LONGN *quadrant)
{
    DOUBLEN t = x * 0x1.45f306dc9c883p-1 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    *quadrant = AS_LONGN(t);
    DOUBLEN first = x - n * 0x1.921fb544p+0;
    DOUBLEN second = n * 0x1.0b4611a6p-34;
    DOUBLEN r = first - second;
    DOUBLEN low = ((first - r) - second) - n * 0x1.3198a2ep-69;
    return r + (low - n * 0x1.b839a252049c1p-104);
}

/* Bit 1 of the quadrant is the sign. */
SL_PURE static DOUBLEN sl_signed(DOUBLEN value, LONGN quadrant)
{
    return AS_DOUBLEN(AS_LONGN(value) ^ (quadrant & 2) << 62);
}

SL_PURE static LONGN sl_is_rare(DOUBLEN x)
{
    return fabs(x) > SL_LARGEST;
}

SL_PURE DOUBLEN sin(DOUBLEN x)
{
    LONGN quadrant;
    DOUBLEN r = sl_reduce(x, &quadrant);
    DOUBLEN value = (quadrant & 1) == 0 ? sl_sin_reduced(r) : sl_cos_reduced(r);
    value = x == 0.0 ? x : sl_signed(value, quadrant);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_sin(x) : value;
    return value;
}

SL_PURE DOUBLEN cos(DOUBLEN x)
{
    LONGN quadrant;
    DOUBLEN r = sl_reduce(x, &quadrant);
    DOUBLEN value = (quadrant & 1) == 0 ? sl_cos_reduced(r) : sl_sin_reduced(r);
    value = sl_signed(value, quadrant + 1);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_cos(x) : value;
    return value;
}

SL_PURE DOUBLEN tan(DOUBLEN x)
{
    LONGN quadrant;
    DOUBLEN r = sl_reduce(x, &quadrant);
    DOUBLEN s = sl_sin_reduced(r);
    DOUBLEN c = sl_cos_reduced(r);
    LONGN even = (quadrant & 1) == 0;
    DOUBLEN value = (even ? s : -c) / (even ? c : s);
    value = x == 0.0 ? x : value;
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_tan(x) : value;
    return value;
}

#define SL_SINCOS(SPACE)                                                                           \
    SL_INLINE DOUBLEN sincos(DOUBLEN x, SPACE DOUBLEN *cosine)                                     \
    {                                                                                              \
        LONGN quadrant;                                                                            \
        DOUBLEN r = sl_reduce(x, &quadrant);                                                       \
        DOUBLEN s = sl_sin_reduced(r);                                                             \
        DOUBLEN c = sl_cos_reduced(r);                                                             \
        LONGN even = (quadrant & 1) == 0;                                                          \
        DOUBLEN of_cos = sl_signed(even ? c : s, quadrant + 1);                                    \
        DOUBLEN of_sin = x == 0.0 ? x : sl_signed(even ? s : c, quadrant);                         \
        if (sl_any(sl_is_rare(x))) {                                                               \
            of_cos = sl_is_rare(x) ? sl_rare_cos(x) : of_cos;                                      \
            of_sin = sl_is_rare(x) ? sl_rare_sin(x) : of_sin;                                      \
        }                                                                                          \
        *cosine = of_cos;                                                                          \
        return of_sin;                                                                             \
    }
SL_SINCOS(private)
SL_SINCOS(global)
SL_SINCOS(local)
#undef SL_SINCOS

#undef SL_ROUNDER
#undef SL_LARGEST
