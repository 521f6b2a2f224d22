/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Native forms in terms of each other: sl_exp2_of, native_log2 and sl_minus_n_pi_native
 * are there. Part of the bodies.
 */
SL_PURE FLOATN native_exp2(FLOATN x)
{
    FLOATN t = x + SL_ROUNDER;
    return sl_exp2_of(x, t, x - (t - SL_ROUNDER));
}

/* 2^(x * factor); the factor in two parts, and where there are fused operations the product whole.
 */
SL_PURE static FLOATN sl_power_native(FLOATN x, float factor, float rest)
{
    FLOATN t = x * factor + SL_ROUNDER;
    FLOATN r = x * factor - (t - SL_ROUNDER);
    return sl_exp2_of(x * factor, t, x * rest + r);
}

SL_PURE FLOATN native_exp(FLOATN x)
{
    return sl_power_native(x, 0x1.715476p+0f, 0x1.4ae0cp-26f);
}

SL_PURE FLOATN native_exp10(FLOATN x)
{
    return sl_power_native(x, 0x1.a934fp+1f, 0x1.2f346ep-24f);
}

SL_PURE FLOATN native_log(FLOATN x)
{
    return native_log2(x) * 0x1.62e43p-1f;
}

/* log10(2) lies half way between two floats. */
SL_PURE FLOATN native_log10(FLOATN x)
{
    FLOATN value = native_log2(x);
    return value * 0x1.344136p-2f - value * 0x1.ec10cp-27f;
}

/* The full logarithm: its error near one would be multiplied by y. */
SL_PURE FLOATN native_powr(FLOATN x, FLOATN y)
{
    return native_exp2(y * log2(x));
}

/* pow of zero and of negative numbers. */
SL_PURE static FLOATN sl_fast_pow_special(FLOATN x, FLOATN y, FLOATN power)
{
    FLOATN half_y = y * 0.5f;
    INTN is_whole = trunc(y) == y;
    INTN is_odd = is_whole & (trunc(half_y) != half_y);
    power = is_odd ? copysign(power, x) : power;
    INTN undefined = (x < 0.0f) & !is_whole;
    power = undefined ? (FLOATN)NAN : power;
    return y == 0.0f ? (FLOATN)1.0f : power;
}

SL_PURE FLOATN sl_fast_pow(FLOATN x, FLOATN y)
{
    FLOATN power = native_powr(fabs(x), y);
    INTN special = !(x > 0.0f);
    if (sl_any(special))
        power = special ? sl_fast_pow_special(x, y, power) : power;
    return power;
}

SL_PURE FLOATN native_sin(FLOATN x)
{
    FLOATN t = x * 0x1.45f306p-2f + SL_ROUNDER;
    return sl_sin_native(sl_minus_n_pi_native(x, t - SL_ROUNDER), AS_UINTN(t) << 31);
}

SL_PURE FLOATN native_cos(FLOATN x)
{
    FLOATN t = (x * 0x1.45f306p-2f - 0.5f) + SL_ROUNDER;
    FLOATN n = (t - SL_ROUNDER) + 0.5f;
    return sl_sin_native(sl_minus_n_pi_native(x, n), ~AS_UINTN(t) << 31);
}

#define SL_SINCOS(SPACE)                                                                           \
    SL_INLINE FLOATN sl_fast_sincos(FLOATN x, SPACE FLOATN *cosine)                                \
    {                                                                                              \
        *cosine = native_cos(x);                                                                   \
        return native_sin(x);                                                                      \
    }
SL_SINCOS(private)
SL_SINCOS(global)
SL_SINCOS(local)
#undef SL_SINCOS
