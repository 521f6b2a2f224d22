/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of exp_float.cl. Adding 1.5 * 2^23 and a whole number rounds to a whole number n and leaves
 * the sum in the low bits, without the undefined corners of a conversion; NaN runs through as NaN.
 */

#define SL_ROUNDER (0x1.8p23f + 254.0f)

SL_PURE FLOATN sl_scale_biased(FLOATN y, FLOATN t); /* scale.cl */

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

SL_PURE static FLOATN sl_limit(FLOATN x, float low, float high)
{
    FLOATN below = x < low ? (FLOATN)low : x;
    return below > high ? (FLOATN)high : below;
}

SL_PURE FLOATN exp(FLOATN x)
{
    FLOATN a = sl_limit(x, -104.0f, 89.0f);
    FLOATN t = a * 0x1.715476p+0f + SL_ROUNDER;
    FLOATN n = t - SL_ROUNDER;
    FLOATN r = a - n * 0.693359375f;
    r = r - n * -0x1.bd0106p-13f;
    return sl_scale_biased(sl_exp_reduced(r), t);
}

SL_PURE FLOATN exp2(FLOATN x)
{
    FLOATN a = sl_limit(x, -151.0f, 129.0f);
    FLOATN t = a + SL_ROUNDER;
    return sl_scale_biased(sl_exp2_reduced(a - (t - SL_ROUNDER)), t);
}

/* 10^x = 2^n * e^(ln(10) * (x - n * log10(2))); log10(2) in two parts, the first of 9 bits. */
SL_PURE FLOATN exp10(FLOATN x)
{
    FLOATN a = sl_limit(x, -46.0f, 39.0f);
    FLOATN t = a * 0x1.a934fp+1f + SL_ROUNDER;
    FLOATN n = t - SL_ROUNDER;
    FLOATN r = a - n * 0x1.34p-2f;
    r = r - n * 0x1.04d428p-12f;
    /* ln(10) in two parts: the product is near 0.35, its error would be all of the result's. */
    FLOATN high = r * 0x1.26bb1cp+1f;
    FLOATN y = high + r * -0x1.12aabap-25f;
    return sl_scale_biased(sl_exp_reduced(y), t);
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
