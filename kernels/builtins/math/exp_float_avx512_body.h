/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of exp_float_avx512.cl. Adding 1.5 * 2^23 rounds to a whole number n. Where x is too large
 * for that the rest is anything, also NaN: limited, its power is an ordinary number, which becomes
 * infinite or zero by n.
 */

#define SL_ROUNDER 0x1.8p23f

/* 2^r for |r| <= 0.5 */
SL_PURE static FLOATN sl_exp2_reduced(FLOATN r)
{
    FLOATN p = 0x1.44138ap-13f * r + 0x1.5f089p-10f;
    p = p * r + 0x1.3b2a54p-7f;
    p = p * r + 0x1.c6af6cp-5f;
    p = p * r + 0x1.ebfbep-3f;
    p = p * r + 0x1.62e43p-1f;
    return p * r + 1.0f;
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

SL_PURE FLOATN exp(FLOATN x)
{
    FLOATN n = (x * 0x1.715476p+0f + SL_ROUNDER) - SL_ROUNDER;
    FLOATN r = x - n * 0.693359375f;
    r = r - n * -0x1.bd0106p-13f;
    return sl_lane_scale(sl_exp_reduced(sl_lane_limit(r, (FLOATN)0.5f)), n);
}

SL_PURE FLOATN exp2(FLOATN x)
{
    FLOATN n = (x + SL_ROUNDER) - SL_ROUNDER;
    return sl_lane_scale(sl_exp2_reduced(sl_lane_limit(x - n, (FLOATN)0.5f)), n);
}

/* 10^x = 2^n * e^(ln(10) * (x - n * log10(2))); log10(2) in two parts, the first of 9 bits. */
SL_PURE FLOATN exp10(FLOATN x)
{
    FLOATN n = (x * 0x1.a934fp+1f + SL_ROUNDER) - SL_ROUNDER;
    FLOATN r = x - n * 0x1.34p-2f;
    r = sl_lane_limit(r - n * 0x1.04d428p-12f, (FLOATN)0.2f);
    /* ln(10) in two parts: the product is near 0.35, its error would be all of the result's. */
    FLOATN high = r * 0x1.26bb1cp+1f;
    FLOATN y = high + r * -0x1.12aabap-25f;
    return sl_lane_scale(sl_exp_reduced(y), n);
}

SL_PURE FLOATN half_exp(FLOATN x)
{
    return exp(x);
}

SL_PURE FLOATN half_exp2(FLOATN x)
{
    return exp2(x);
}

SL_PURE FLOATN half_exp10(FLOATN x)
{
    return exp10(x);
}

#undef SL_ROUNDER
