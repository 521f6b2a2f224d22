/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of hyperbolic_float_avx512.cl. Powers are 2^n * e^r; 2^-n comes of n's bits, where n is
 * limited: beyond that 2^-n adds nothing.
 */

#define SL_ROUNDER 0x1.8p23f

/* x = *n * ln(2) + result */
SL_INLINE static FLOATN sl_split_exp(FLOATN x, private FLOATN *n)
{
    *n = (x * 0x1.715476p+0f + SL_ROUNDER) - SL_ROUNDER;
    FLOATN r = x - *n * 0.693359375f;
    return r - *n * -0x1.bd0106p-13f;
}

/* The same for any x: far from zero the result is limited, and *n makes infinity or NaN of it. */
SL_INLINE static FLOATN sl_split_any(FLOATN x, private FLOATN *n)
{
    return sl_lane_limit(sl_split_exp(x, n), (FLOATN)0.5f);
}

/* 2^(exponent - n * 2^shift) for the exponent whose bits are given */
SL_PURE static FLOATN sl_inverse_power(FLOATN n, FLOATN limit, uint bits, uint shift)
{
    return AS_FLOATN(bits - (AS_UINTN(sl_lane_limit(n, limit) + SL_ROUNDER) << (23 + shift)));
}

/* e^r - 1 for |r| <= ln(2) / 2 */
SL_PURE static FLOATN sl_expm1_reduced(FLOATN r)
{
    FLOATN p = 0x1.6bead2p-10f * r + 0x1.1228e8p-7f;
    p = p * r + 0x1.555678p-5f;
    p = p * r + 0x1.5554aep-3f;
    p = p * r + 0x1.fffffep-2f;
    return r * r * p + r;
}

SL_PURE FLOATN expm1(FLOATN x)
{
    FLOATN n;
    FLOATN q = sl_expm1_reduced(sl_split_any(x < -30.0f ? (FLOATN)-30.0f : x, &n));
    FLOATN inverse = sl_inverse_power(n, (FLOATN)60.0f, 0x3f800000, 0);
    return copysign(sl_lane_scale(q + (1.0f - inverse), n), x);
}

/* (e^(2 a) - 1) / (e^(2 a) + 1), both halved: with r = 2 s the factors of two are in the numbers.
 * From 10 on it is 1, and up to there 2^-n needs no limit. */
SL_PURE FLOATN tanh(FLOATN x)
{
    FLOATN a = fabs(x);
    a = a > 10.0f ? (FLOATN)10.0f : a;
    FLOATN at = a * 0x1.715476p+1f + SL_ROUNDER;
    FLOATN n = at - SL_ROUNDER;
    FLOATN s = a - n * 0.3466796875f;
    s = s - n * -0x1.bd0106p-14f;
    FLOATN p = 0x1.6bead2p-5f * s + 0x1.1228e8p-3f;
    p = p * s + 0x1.555678p-2f;
    p = p * s + 0x1.5554aep-1f;
    p = p * s + 0x1.fffffep-1f;
    FLOATN q = s * s * p + s;
    FLOATN half_inverse = AS_FLOATN(0x3f000000 - (AS_UINTN(at) << 23));
    return copysign((q + (0.5f - half_inverse)) / (q + (0.5f + half_inverse)), x);
}

/* sinh(a) = 2^n * ((1/2 + w) * sinh(r) + (1/2 - w) * cosh(r)) for w = 2^(-2n - 1) */
SL_PURE FLOATN sinh(FLOATN x)
{
    FLOATN n;
    FLOATN r = sl_split_any(fabs(x), &n), s = r * r;
    FLOATN w = sl_inverse_power(n, (FLOATN)40.0f, 0x3f000000, 1);
    FLOATN of_sinh = (0x1.123f24p-7f * s + 0x1.555492p-3f) * (s * r) + r;
    FLOATN p = 0x1.6da97ep-10f * s + 0x1.55546ep-5f;
    FLOATN of_cosh = (p * s + 0.5f) * s;
    FLOATN rest = (0.5f - w) * of_cosh + (0.5f + w) * of_sinh;
    return copysign(sl_lane_scale((0.5f - w) + rest, n), x);
}

/* e^r for |r| <= ln(2) / 2 */
SL_PURE static FLOATN sl_exp_reduced(FLOATN r)
{
    FLOATN p = 0x1.6d10fcp-10f * r + 0x1.120b62p-7f;
    p = p * r + 0x1.55551ap-5f;
    p = p * r + 0x1.5554dep-3f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    return p * r + 1.0f;
}

SL_PURE FLOATN cosh(FLOATN x)
{
    FLOATN n;
    FLOATN r = sl_split_any(fabs(x), &n);
    FLOATN half_power = sl_lane_scale(sl_exp_reduced(r), n - 1.0f);
    return half_power + 0.25f / half_power;
}

/*
 * log(1 + x) + k * ln(2). What 1 + x has lost goes to the significand's fraction; limited, it is
 * small also where it would be NaN, and the results for the ends come of 1 + x.
 */
SL_PURE static FLOATN sl_log1p_plus(FLOATN x, FLOATN k)
{
    FLOATN u = 1.0f + x;
    FLOATN m = sl_lane_significand(u);
    FLOATN minus_e = (sl_lane_exponent(m) - k) - sl_lane_exponent(u);
    FLOATN lost = sl_lane_scale(x - (u - 1.0f), minus_e);
    FLOATN f = (m - 1.0f) + sl_lane_limit(lost, (FLOATN)0x1p-23f);
    FLOATN p = -0x1.7a6666p-5f * f + 0x1.b1d034p-4f;
    p = p * f - 0x1.0e317cp-3f;
    p = p * f + 0x1.284e3ep-3f;
    p = p * f - 0x1.54d8fp-3f;
    p = p * f + 0x1.996a48p-3f;
    p = p * f - 0x1.00009ap-2f;
    p = p * f + 0x1.5555a4p-2f;
    p = p * f - 0.5f;
    return minus_e * -0x1.62e43p-1f + (f * f * p + f);
}

SL_PURE FLOATN log1p(FLOATN x)
{
    return copysign(sl_log1p_plus(x, 0.0f), x);
}

/* From 2^30 on the square root is the argument, whose double has the same logarithm but for ln(2).
 */
SL_PURE FLOATN asinh(FLOATN x)
{
    FLOATN a = fabs(x), s = a * a;
    INTN is_large = a > 0x1p30f;
    FLOATN y = s / (1.0f + sqrt(s + 1.0f)) + a;
    FLOATN value = sl_log1p_plus(is_large ? a : y, is_large ? (FLOATN)1.0f : (FLOATN)0.0f);
    return copysign(value, x);
}

SL_PURE FLOATN acosh(FLOATN x)
{
    FLOATN t = x - 1.0f;
    INTN is_large = x > 0x1p30f;
    FLOATN y = t + sqrt(t * t + (t + t));
    FLOATN value = sl_log1p_plus(is_large ? x : y, is_large ? (FLOATN)1.0f : (FLOATN)0.0f);
    return x < 1.0f ? (FLOATN)NAN : value;
}

SL_PURE FLOATN atanh(FLOATN x)
{
    FLOATN a = fabs(x);
    return copysign(0.5f * sl_log1p_plus((a + a) / (1.0f - a), 0.0f), x);
}

#undef SL_ROUNDER
