/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of trig_float.cl.
 */

#define SL_ROUNDER 0x1.8p23f
#define SL_LARGEST 12800.0f

/*
 * x = quadrant * pi/2 + result, quadrant modulo 4 in the low bits. The first four parts of pi/2
 * have 11 bits: products with the quadrant are exact, with and without fused operations.
 */
SL_INLINE static FLOATN sl_reduce(FLOATN x, private INTN *quadrant)
{
    FLOATN t = x * 0x1.45f306p-1f + SL_ROUNDER;
    FLOATN n = t - SL_ROUNDER;
    *quadrant = AS_INTN(t);
    FLOATN r = x - n * 0x1.92p+0f;
    r = r - n * 0x1.fb4p-12f;
    r = r - n * 0x1.444p-24f;
    r = r - n * 0x1.68cp-39f;
    return r - n * 0x1.1a6264p-54f;
}

SL_INLINE static FLOATN sl_reduce_native(FLOATN x, private INTN *quadrant)
{
    FLOATN t = x * 0x1.45f306p-1f + SL_ROUNDER;
    FLOATN n = t - SL_ROUNDER;
    *quadrant = AS_INTN(t);
    FLOATN r = x - n * 0x1.92p+0f;
    r = r - n * 0x1.fb4p-12f;
    return r - n * 0x1.4442dp-24f;
}

/* The last step multiplies, which keeps the sign of zero. */
SL_PURE static FLOATN sl_sin_reduced(FLOATN r)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.6cb4ccp-19f * s - 0x1.a00f2ep-13f;
    p = p * s + 0x1.111108p-7f;
    p = p * s - 0x1.555556p-3f;
    return r * (p * s + 1.0f);
}

SL_PURE static FLOATN sl_cos_reduced(FLOATN r)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.9a6c8p-16f * s - 0x1.6c0e7p-10f;
    p = p * s + 0x1.55554ep-5f;
    p = p * s - 0.5f;
    return p * s + 1.0f;
}

/* Bit 1 of the quadrant is the sign. */
SL_PURE static FLOATN sl_signed(FLOATN value, INTN quadrant)
{
    return AS_FLOATN(AS_INTN(value) ^ (quadrant & 2) << 30);
}

SL_PURE static FLOATN sl_sin_of(FLOATN r, INTN quadrant)
{
    FLOATN value = (quadrant & 1) == 0 ? sl_sin_reduced(r) : sl_cos_reduced(r);
    return sl_signed(value, quadrant);
}

SL_PURE static FLOATN sl_tan_of(FLOATN r, INTN quadrant)
{
    FLOATN s = sl_sin_reduced(r);
    FLOATN c = sl_cos_reduced(r);
    INTN even = (quadrant & 1) == 0;
    return (even ? s : -c) / (even ? c : s);
}

SL_PURE static INTN sl_is_rare(FLOATN x)
{
    return fabs(x) > SL_LARGEST;
}

SL_PURE FLOATN sin(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN value = sl_sin_of(r, quadrant);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_sin(x) : value;
    return value;
}

SL_PURE FLOATN cos(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN value = sl_sin_of(r, quadrant + 1);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_cos(x) : value;
    return value;
}

SL_PURE FLOATN tan(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce(x, &quadrant);
    FLOATN value = sl_tan_of(r, quadrant);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_tan(x) : value;
    return value;
}

#define SL_SINCOS(SPACE)                                                                           \
    SL_INLINE FLOATN sincos(FLOATN x, SPACE FLOATN *cosine)                                        \
    {                                                                                              \
        INTN quadrant;                                                                             \
        FLOATN r = sl_reduce(x, &quadrant);                                                        \
        FLOATN s = sl_sin_reduced(r);                                                              \
        FLOATN c = sl_cos_reduced(r);                                                              \
        INTN even = (quadrant & 1) == 0;                                                           \
        FLOATN of_cos = sl_signed(even ? c : s, quadrant + 1);                                     \
        FLOATN of_sin = sl_signed(even ? s : c, quadrant);                                         \
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

SL_PURE FLOATN native_tan(FLOATN x)
{
    INTN quadrant;
    FLOATN r = sl_reduce_native(x, &quadrant);
    return sl_tan_of(r, quadrant);
}

/* Their range is that of 16 bits. */
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
#undef SL_LARGEST
