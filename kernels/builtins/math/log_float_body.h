/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of log_float.cl: x = 2^e * (1 + f) with f in [-1/3, 1/3).
 */

#define SL_TWO_THIRDS 0x3f2aaaab

/* Adds 2^n to e for an x that was multiplied by 2^-n. */
SL_INLINE static FLOATN sl_split_log(FLOATN x, private FLOATN *e, FLOATN n)
{
    INTN bits = AS_INTN(x) - SL_TWO_THIRDS;
    *e = sl_to_float(bits >> 23) + n;
    return AS_FLOATN((bits & 0x7fffff) + SL_TWO_THIRDS) - 1.0f;
}

/* Other than a positive normal number: those are what wraps around to less than the rest. */
SL_PURE static INTN sl_log_is_rare(FLOATN x)
{
    return AS_INTN(AS_UINTN(x) + 0x7f800000u) >= (int)0xff000000;
}

SL_PURE static FLOATN sl_log_ends(FLOATN x, FLOATN value)
{
    value = x < INFINITY ? value : x; /* infinity and NaN are their own logarithms */
    value = x < 0.0f ? (FLOATN)NAN : value;
    return x == 0.0f ? (FLOATN)-INFINITY : value;
}

SL_PURE static FLOATN sl_log_scaled(FLOATN x, FLOATN n)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e, n);
    FLOATN s = f * f;
    FLOATN p = (-0x1.f0a9eep-4f * f + 0x1.12f598p-3f) * s + (-0x1.f9b33p-4f * f + 0x1.21249ap-3f);
    FLOATN q = (-0x1.55678cp-3f * f + 0x1.99ad6cp-3f) * s + (-0x1.fffffp-3f * f + 0x1.55554cp-2f);
    p = p * (s * s) + q;
    return e * 0x1.62e43p-1f + ((p * f - 0.5f) * s + f);
}

SL_PURE static FLOATN sl_log2_scaled(FLOATN x, FLOATN n)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e, n);
    FLOATN s = f * f;
    FLOATN p = (-0x1.780416p-3f * f + 0x1.9ffafcp-3f) * s + (-0x1.6918dcp-3f * f + 0x1.9d2282p-3f);
    FLOATN q = (-0x1.ecc624p-3f * f + 0x1.27a548p-2f) * s + (-0x1.7153dcp-2f * f + 0x1.ec6ff6p-2f);
    p = (p * (s * s) + q) * f - 0x1.715476p-1f;
    return (f * 0x1.715476p+0f + p * s) + e;
}

SL_PURE static FLOATN sl_log10_scaled(FLOATN x, FLOATN n)
{
    FLOATN e;
    FLOATN f = sl_split_log(x, &e, n);
    FLOATN s = f * f;
    FLOATN p = (-0x1.c4c4b2p-5f * f + 0x1.f4e3ecp-5f) * s + (-0x1.b2cde2p-5f * f + 0x1.f176cp-5f);
    FLOATN q = (-0x1.28adf4p-4f * f + 0x1.63fe28p-4f) * s + (-0x1.bcb6f8p-4f * f + 0x1.287a12p-3f);
    p = (p * (s * s) + q) * f - 0x1.bcb7b2p-3f;
    return e * 0x1.344p-2f + (f * 0x1.bcb7b2p-2f + (p * s + e * 0x1.3509f8p-18f));
}

#define SL_LOG(NAME)                                                                               \
    SL_PURE FLOATN NAME(FLOATN x)                                                                  \
    {                                                                                              \
        INTN rare = sl_log_is_rare(x);                                                             \
        FLOATN value = sl_##NAME##_scaled(x, (FLOATN)0.0f);                                        \
        if (sl_any(rare))                                                                          \
            value = rare ? sl_rare_wide_##NAME(x) : value;                                         \
        return value;                                                                              \
    }                                                                                              \
    SL_RARE FLOATN sl_rare_wide_##NAME(FLOATN x)                                                   \
    {                                                                                              \
        INTN tiny = x < 0x1p-126f;                                                                 \
        FLOATN n = tiny ? (FLOATN) - 23.0f : (FLOATN)0.0f;                                         \
        return sl_log_ends(x, sl_##NAME##_scaled(tiny ? x * 0x1p23f : x, n));                      \
    }
SL_LOG(log)
SL_LOG(log2)
SL_LOG(log10)
#undef SL_LOG

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
