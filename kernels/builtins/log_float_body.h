/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of log_float.cl: x = 2^e * (1 + f) with f in [-1/3, 1/3).
 */

#define SL_TWO_THIRDS 0x3f2aaaab

SL_INLINE static FLOATN sl_split_log(FLOATN x, private FLOATN *e)
{
    INTN tiny = x < 0x1p-126f;
    INTN bits = AS_INTN(tiny ? x * 0x1p23f : x) - SL_TWO_THIRDS;
    *e = TO_FLOATN(bits >> 23) - (tiny ? (FLOATN)23.0f : (FLOATN)0.0f);
    return AS_FLOATN((bits & 0x7fffff) + SL_TWO_THIRDS) - 1.0f;
}

SL_PURE static FLOATN sl_log_ends(FLOATN x, FLOATN value)
{
    value = x < INFINITY ? value : x; /* infinity and NaN are their own logarithms */
    value = x < 0.0f ? (FLOATN)NAN : value;
    return x == 0.0f ? (FLOATN)-INFINITY : value;
}

SL_PURE FLOATN log(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.f0a9eep-4f * f + 0x1.12f598p-3f;
    p = p * f - 0x1.f9b33p-4f;
    p = p * f + 0x1.21249ap-3f;
    p = p * f - 0x1.55678cp-3f;
    p = p * f + 0x1.99ad6cp-3f;
    p = p * f - 0x1.fffffp-3f;
    p = p * f + 0x1.55554cp-2f;
    FLOATN s = f * f;
    FLOATN rest = p * f * s + e * 0x1.7f7d1cp-20f;
    rest = s * -0.5f + rest;
    return sl_log_ends(x, e * 0x1.62e4p-1f + (f + rest));
}

SL_PURE FLOATN log2(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.780416p-3f * f + 0x1.9ffafcp-3f;
    p = p * f - 0x1.6918dcp-3f;
    p = p * f + 0x1.9d2282p-3f;
    p = p * f - 0x1.ecc624p-3f;
    p = p * f + 0x1.27a548p-2f;
    p = p * f - 0x1.7153dcp-2f;
    p = p * f + 0x1.ec6ff6p-2f;
    p = p * f - 0x1.715476p-1f;
    p = p * f + 0x1.715476p+0f;
    return sl_log_ends(x, p * f + e);
}

SL_PURE FLOATN log10(FLOATN x)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e);
    FLOATN p = -0x1.c4c4b2p-5f * f + 0x1.f4e3ecp-5f;
    p = p * f - 0x1.b2cde2p-5f;
    p = p * f + 0x1.f176cp-5f;
    p = p * f - 0x1.28adf4p-4f;
    p = p * f + 0x1.63fe28p-4f;
    p = p * f - 0x1.bcb6f8p-4f;
    p = p * f + 0x1.287a12p-3f;
    p = p * f - 0x1.bcb7b2p-3f;
    p = p * f + 0x1.bcb7b2p-2f;
    return sl_log_ends(x, e * 0x1.344p-2f + (p * f + e * 0x1.3509f8p-18f));
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

#undef SL_TWO_THIRDS
