/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of trig_float.cl.
 */

#define SL_ROUNDER 0x1.8p52

/* x = quadrant * pi/2 + result, quadrant modulo 4 in the low bits. */
SL_INLINE static FLOATN sl_reduce(FLOATN x, private INTN *quadrant)
{
    INTN exponent = AS_INTN(x) >> 23 & 255;
    DOUBLEN wide = TO_DOUBLEN(x);
    DOUBLEN high = wide * sl_lookup(sl_two_over_pi_high, exponent);
    DOUBLEN low = wide * sl_lookup(sl_two_over_pi_low, exponent);
    DOUBLEN t = (high + low) + SL_ROUNDER;
    DOUBLEN fraction = (high - (t - SL_ROUNDER)) + low;
    *quadrant = TO_INTN(AS_LONGN(t));
    return TO_FLOATN(fraction * 0x1.921fb54442d18p+0);
}

/* The last step multiplies, which keeps the sign of zero. */
SL_PURE static FLOATN sl_sin_reduced(FLOATN r)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.6dbdd2p-19f * s - 0x1.a013a6p-13f;
    p = p * s + 0x1.11110ep-7f;
    p = p * s - 0x1.555556p-3f;
    return r * (p * s + 1.0f);
}

SL_PURE static FLOATN sl_cos_reduced(FLOATN r)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.9a6ee2p-16f * s - 0x1.6c0e08p-10f;
    p = p * s + 0x1.55554cp-5f;
    p = p * s - 0.5f;
    return p * s + 1.0f;
}

/* Bit 1 of the quadrant is the sign. */
SL_PURE static FLOATN sl_signed(FLOATN value, INTN quadrant)
{
    return AS_FLOATN(AS_INTN(value) ^ (quadrant & 2) << 30);
}

SL_PURE FLOATN sin(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN value = (quadrant & 1) == 0 ? sl_sin_reduced(r) : sl_cos_reduced(r);
    return sl_signed(value, quadrant);
}

SL_PURE FLOATN cos(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN value = (quadrant & 1) == 0 ? sl_cos_reduced(r) : sl_sin_reduced(r);
    return sl_signed(value, quadrant + 1);
}

SL_PURE FLOATN tan(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN s = sl_sin_reduced(r);
    FLOATN c = sl_cos_reduced(r);
    INTN even = (quadrant & 1) == 0;
    return (even ? s : -c) / (even ? c : s);
}

#define SL_SINCOS(SPACE)                                                                           \
    SL_OVERLOAD FLOATN sincos(FLOATN x, SPACE FLOATN *cosine)                                      \
    {                                                                                              \
        INTN quadrant;                                                                             \
        FLOATN r = sl_reduce(x, &quadrant);                                                        \
        FLOATN s = sl_sin_reduced(r);                                                              \
        FLOATN c = sl_cos_reduced(r);                                                              \
        INTN even = (quadrant & 1) == 0;                                                           \
        *cosine = sl_signed(even ? c : s, quadrant + 1);                           \
        return sl_signed(even ? s : c, quadrant);                                                  \
    }
SL_SINCOS(private)
SL_SINCOS(global)
SL_SINCOS(local)
#undef SL_SINCOS

SL_PURE FLOATN native_sin(FLOATN x)
{
    return sin(x);
}

SL_PURE FLOATN native_cos(FLOATN x)
{
    return cos(x);
}

SL_PURE FLOATN native_tan(FLOATN x)
{
    return tan(x);
}

SL_PURE FLOATN half_sin(FLOATN x)
{
    return sin(x);
}

SL_PURE FLOATN half_cos(FLOATN x)
{
    return cos(x);
}

SL_PURE FLOATN half_tan(FLOATN x)
{
    return tan(x);
}

#undef SL_ROUNDER
