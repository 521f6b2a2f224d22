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

/* n * pi + x, n a multiple of 1/2: as above with parts of pi */
SL_PURE static DOUBLEN sl_from_turn(DOUBLEN n, DOUBLEN x)
{
    DOUBLEN first = n * 0x1.921fb544p+1 + x;
    DOUBLEN second = n * 0x1.0b4611a6p-33;
    DOUBLEN r = first + second;
    DOUBLEN low = ((first - r) + second) + n * 0x1.3198a2ep-68;
    return r + (low + n * 0x1.b839a252049c1p-103);
}

/* sin for |r| <= pi/2; the lowest bit of t turns it over */
SL_PURE static DOUBLEN sl_sin_half_turn(DOUBLEN r, DOUBLEN t)
{
    DOUBLEN s = r * r;
    DOUBLEN p = 0x1.871b9a377ded8p-49 * s - 0x1.ae39c4de09fe2p-41;
    p = p * s + 0x1.6123aa9128cfcp-33;
    p = p * s - 0x1.ae64545abdd96p-26;
    p = p * s + 0x1.71de3a51c2558p-19;
    p = p * s - 0x1.a01a01a013538p-13;
    p = p * s + 0x1.11111111110b9p-7;
    p = p * s - 0x1.5555555555555p-3;
    DOUBLEN value = r * s * p + r;
    return AS_DOUBLEN(AS_ULONGN(value) ^ AS_ULONGN(t) << 63);
}

/* One polynomial over half a turn takes less than two over a quarter. */
SL_PURE DOUBLEN sin(DOUBLEN x)
{
    DOUBLEN t = x * 0x1.45f306dc9c883p-2 + SL_ROUNDER;
    DOUBLEN value = sl_sin_half_turn(sl_from_turn(SL_ROUNDER - t, x), t);
    value = x == 0.0 ? x : value;
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_sin(x) : value;
    return value;
}

/* sin(pi/2 - x) */
SL_PURE DOUBLEN cos(DOUBLEN x)
{
    DOUBLEN t = (0.5 - x * 0x1.45f306dc9c883p-2) + SL_ROUNDER;
    DOUBLEN value = sl_sin_half_turn(sl_from_turn((SL_ROUNDER - t) + 0.5, -x), t);
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
