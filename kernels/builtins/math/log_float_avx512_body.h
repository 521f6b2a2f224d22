/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of log_float_avx512.cl: x = 2^e * (1 + f) with f in [-1/4, 1/2). What e and f are for zero,
 * infinity, NaN and negative numbers makes the right results of itself.
 */

SL_INLINE static FLOATN sl_split_log(FLOATN x, private FLOATN *e)
{
    FLOATN m = sl_lane_significand(x);
    *e = sl_lane_exponent(x) - sl_lane_exponent(m);
    return m - 1.0f;
}

SL_PURE FLOATN log(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.7a6666p-5f * f + 0x1.b1d034p-4f;
    p = p * f - 0x1.0e317cp-3f;
    p = p * f + 0x1.284e3ep-3f;
    p = p * f - 0x1.54d8fp-3f;
    p = p * f + 0x1.996a48p-3f;
    p = p * f - 0x1.00009ap-2f;
    p = p * f + 0x1.5555a4p-2f;
    p = p * f - 0.5f;
    return e * 0x1.62e43p-1f + (f * f * p + f);
}

SL_PURE FLOATN log2(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.0788fcp-4f * f + 0x1.34930ap-3f;
    p = p * f - 0x1.85b538p-3f;
    p = p * f + 0x1.ac3e66p-3f;
    p = p * f - 0x1.ebd274p-3f;
    p = p * f + 0x1.274e12p-2f;
    p = p * f - 0x1.7154cp-2f;
    p = p * f + 0x1.ec7142p-2f;
    p = p * f - 0x1.715476p-1f;
    p = p * f + 0x1.715476p+0f;
    return p * f + e;
}

/* log10(2) in two parts: their sum with the logarithm of 1 + f may cancel. */
SL_PURE FLOATN log10(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.3d53fp-6f * f + 0x1.738f82p-5f;
    p = p * f - 0x1.d5414ap-5f;
    p = p * f + 0x1.01d414p-4f;
    p = p * f - 0x1.281b3ep-4f;
    p = p * f + 0x1.639526p-4f;
    p = p * f - 0x1.bcb80ap-4f;
    p = p * f + 0x1.287ad8p-3f;
    p = p * f - 0x1.bcb7b2p-3f;
    p = p * f + 0x1.bcb7b2p-2f;
    return e * 0x1.344p-2f + (p * f + e * 0x1.3509f8p-18f);
}

SL_PURE FLOATN half_log(FLOATN x)
{
    return log(x);
}

SL_PURE FLOATN half_log2(FLOATN x)
{
    return log2(x);
}

SL_PURE FLOATN half_log10(FLOATN x)
{
    return log10(x);
}
