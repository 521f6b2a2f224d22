/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of log_double.cl: x = 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and with
 * s = f / (2 + f): log(1 + f) = 2 artanh(s) = f - f^2/2 + s * (f^2/2 + rest), rest of order s^2.
 */

#define SL_SQRT_HALF 0x3fe6a09e667f3bcd

#define SL_NO_EXPONENT (0x1p52 + 1023.0) /* the bits that stand for it, as a number */

/* For an x that was multiplied by 2^n: no_exponent is n larger. */
SL_INLINE static DOUBLEN sl_split_log(DOUBLEN x, private DOUBLEN *e, DOUBLEN no_exponent)
{
    ULONGN bits = AS_ULONGN(x);
    ULONGN above = bits - (ulong)SL_SQRT_HALF;
    /* The biased exponent in the low bits of 2^52: a conversion without undefined corners. */
    ULONGN biased = (above + ((ulong)1023 << 52)) >> 52 | (ulong)0x4330000000000000;
    *e = AS_DOUBLEN(biased) - no_exponent;
    return AS_DOUBLEN(bits - (above & (ulong)0xfff0000000000000)) - 1.0;
}

/* Other than a positive normal number: those are what wraps around to less than the rest. */
SL_PURE static LONGN sl_log_is_rare(DOUBLEN x)
{
    return AS_LONGN(AS_ULONGN(x) + (ulong)0x7ff0000000000000) >= (long)0xffe0000000000000;
}

/* s * (f^2/2 + rest) */
SL_PURE static DOUBLEN sl_log_tail(DOUBLEN f, DOUBLEN half_square)
{
    DOUBLEN s = f / (2.0 + f);
    DOUBLEN w = s * s;
    DOUBLEN w2 = w * w;
    DOUBLEN p = (0x1.2f59344ba16a4p-3 * w + 0x1.399c61319279ap-3) * w2 +
                (0x1.74664f2799680p-3 * w + 0x1.c71c529dde8eap-3);
    DOUBLEN q = (0x1.2492493fd0d45p-2 * w + 0x1.99999999845d8p-2) * w + 0x1.555555555557cp-1;
    p = p * (w2 * w) + q;
    return s * (p * w + half_square);
}

SL_PURE static DOUBLEN sl_log_sum(DOUBLEN e, DOUBLEN f)
{
    DOUBLEN half_square = 0.5 * f * f;
    DOUBLEN low = sl_log_tail(f, half_square) + e * 0x1.473de6af278edp-34;
    return e * 0x1.62e42fefp-1 - ((half_square - low) - f);
}

SL_PURE static DOUBLEN sl_log_ends(DOUBLEN x, DOUBLEN value)
{
    value = x < (DOUBLEN)INFINITY ? value : x; /* infinity and NaN are their own logarithms */
    value = x < 0.0 ? (DOUBLEN)NAN : value;
    return x == 0.0 ? (DOUBLEN)-INFINITY : value;
}

SL_PURE static DOUBLEN sl_log_scaled(DOUBLEN x, DOUBLEN no_exponent)
{
    DOUBLEN e;
    DOUBLEN f = sl_split_log(x, &e, no_exponent);
    return sl_log_sum(e, f);
}

/* log(1 + f) in two parts, the first of 21 bits. */
SL_INLINE static DOUBLEN sl_log_parts(DOUBLEN f, private DOUBLEN *low)
{
    DOUBLEN half_square = 0.5 * f * f;
    DOUBLEN high = AS_DOUBLEN(AS_ULONGN(f - half_square) & (ulong)0xffffffff00000000);
    *low = (f - high) - half_square + sl_log_tail(f, half_square);
    return high;
}

SL_PURE static DOUBLEN sl_log2_scaled(DOUBLEN x, DOUBLEN no_exponent)
{
    DOUBLEN e, low;
    DOUBLEN f = sl_split_log(x, &e, no_exponent);
    DOUBLEN high = sl_log_parts(f, &low);
    DOUBLEN rest = (low + high) * 0x1.705fc2eefa2p-33 + low * 0x1.71547652p+0;
    high = high * 0x1.71547652p+0;
    DOUBLEN sum = e + high;
    rest += (e - sum) + high;
    return sum + rest;
}

SL_PURE static DOUBLEN sl_log10_scaled(DOUBLEN x, DOUBLEN no_exponent)
{
    DOUBLEN e, low;
    DOUBLEN f = sl_split_log(x, &e, no_exponent);
    DOUBLEN high = sl_log_parts(f, &low);
    DOUBLEN rest = (low + high) * 0x1.b9438ca9aadd5p-36 + low * 0x1.bcb7b152p-2;
    rest += e * 0x1.ef3fde623e256p-35;
    high = high * 0x1.bcb7b152p-2;
    DOUBLEN tens = e * 0x1.34413509p-2;
    DOUBLEN sum = tens + high;
    rest += (tens - sum) + high;
    return sum + rest;
}

#define SL_LOG(NAME)                                                                               \
    SL_PURE DOUBLEN NAME(DOUBLEN x)                                                                \
    {                                                                                              \
        LONGN rare = sl_log_is_rare(x);                                                            \
        DOUBLEN value = sl_##NAME##_scaled(x, (DOUBLEN)SL_NO_EXPONENT);                            \
        if (sl_any(rare))                                                                          \
            value = rare ? sl_rare_wide_##NAME(x) : value;                                         \
        return value;                                                                              \
    }                                                                                              \
    SL_RARE DOUBLEN sl_rare_wide_##NAME(DOUBLEN x)                                                 \
    {                                                                                              \
        LONGN tiny = x < 0x1p-1022;                                                                \
        DOUBLEN none = tiny ? (DOUBLEN)(SL_NO_EXPONENT + 54.0) : (DOUBLEN)SL_NO_EXPONENT;          \
        return sl_log_ends(x, sl_##NAME##_scaled(tiny ? x * 0x1p54 : x, none));                    \
    }
SL_LOG(log)
SL_LOG(log2)
SL_LOG(log10)
#undef SL_LOG

/* What 1 + x lost is added to f; when nothing was scaled, f is x itself. */
SL_PURE DOUBLEN log1p(DOUBLEN x)
{
    DOUBLEN u = 1.0 + x;
    DOUBLEN lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
    ULONGN above = (AS_ULONGN(u) - (ulong)SL_SQRT_HALF) & (ulong)0xfff0000000000000;
    DOUBLEN scale = AS_DOUBLEN((ulong)0x3ff0000000000000 - above);
    lost = x < 0x1p60 ? lost * scale : (DOUBLEN)0.0;
    DOUBLEN e;
    DOUBLEN f = sl_split_log(u, &e, (DOUBLEN)SL_NO_EXPONENT); /* u is never subnormal */
    f = e == 0.0 ? x : f + lost;
    DOUBLEN value = sl_log_sum(e, f);
    value = x < (DOUBLEN)INFINITY ? value : x;
    value = x < -1.0 ? (DOUBLEN)NAN : value;
    value = x == -1.0 ? (DOUBLEN)-INFINITY : value;
    return x == 0.0 ? x : value;
}

#undef SL_SQRT_HALF
#undef SL_NO_EXPONENT
