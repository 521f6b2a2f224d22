/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of trig_float_avx512.cl. The first difference is exact where it is small: pi's first part is
 * a multiple of 2^-22, which x is too unless it is smaller than that difference.
 */

#define SL_ROUNDER 0x1.8p23f
#define SL_LARGEST 12800.0f

SL_PURE static INTN sl_is_rare(FLOATN x)
{
    return fabs(x) > SL_LARGEST;
}

SL_PURE static FLOATN sl_minus_n_pi(FLOATN x, FLOATN n)
{
    FLOATN r = fma(n, (FLOATN)-0x1.921fb4p+1f, x);
    r = fma(n, (FLOATN)-0x1.4442dp-23f, r);
    return fma(n, (FLOATN)-0x1.84698ap-47f, r);
}

/* sin(r) with the sign turned over by `sign`, exactly one at pi/2 and never more; zeroes have
 * signs.
 */
SL_PURE static FLOATN sl_sin_signed(FLOATN r, INTN sign)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.5d9384p-19f * s - 0x1.9f6f5ap-13f;
    p = p * s + 0x1.110edcp-7f;
    p = p * s - 0x1.55554cp-3f;
    return copysign(p * (s * r) + r, AS_FLOATN(AS_INTN(r) ^ sign));
}

/* sin(x) for x = n * pi + r */
SL_PURE static FLOATN sl_sin_usual(FLOATN x)
{
    FLOATN t = x * 0x1.45f306p-2f + SL_ROUNDER;
    return sl_sin_signed(sl_minus_n_pi(x, t - SL_ROUNDER), AS_INTN(t) << 31);
}

/* cos(x) = -sin(x - pi/2 - n * pi) for even n */
SL_PURE static FLOATN sl_cos_usual(FLOATN x)
{
    FLOATN t = (x * 0x1.45f306p-2f - 0.5f) + SL_ROUNDER;
    FLOATN n = (t - SL_ROUNDER) + 0.5f;
    return sl_sin_signed(sl_minus_n_pi(x, n), ~AS_INTN(t) << 31);
}

SL_PURE FLOATN sin(FLOATN x)
{
    FLOATN value = sl_sin_usual(x);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_sin(x) : value;
    return value;
}

SL_PURE FLOATN cos(FLOATN x)
{
    FLOATN value = sl_cos_usual(x);
    if (sl_any(sl_is_rare(x)))
        value = sl_is_rare(x) ? sl_rare_cos(x) : value;
    return value;
}

#define SL_SINCOS(SPACE)                                                                           \
    SL_INLINE FLOATN sincos(FLOATN x, SPACE FLOATN *cosine)                                        \
    {                                                                                              \
        FLOATN of_cos = sl_cos_usual(x), of_sin = sl_sin_usual(x);                                 \
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

SL_PURE FLOATN half_sin(FLOATN x)
{
    return sin(x);
}

SL_PURE FLOATN half_cos(FLOATN x)
{
    return cos(x);
}

#undef SL_ROUNDER
#undef SL_LARGEST
