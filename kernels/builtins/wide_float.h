/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithms and powers of two in double that are good enough for results in float: relative error
 * 2^-37 or less. Part of the bodies of the float functions.
 */

/* log2(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)) */
SL_PURE static DOUBLEN sl_log2_near_one(DOUBLEN f)
{
    DOUBLEN t = f / (2.0 + f);
    DOUBLEN s = t * t;
    DOUBLEN p = 0x1.21b245a850e1dp-2 * s + 0x1.4795463b406c3p-2;
    p = p * s + 0x1.a61a2ef4051f3p-2;
    p = p * s + 0x1.2776c2935a8c1p-1;
    p = p * s + 0x1.ec709dc53bfcfp-1;
    p = p * s + 0x1.71547652b8251p+1;
    return t * p;
}

/* log2 of a positive float, relative error 2^-40; of zero and infinity about -1023 and 1024. */
SL_PURE static DOUBLEN sl_log2_wide(FLOATN x)
{
    LONGN bits = AS_LONGN(TO_DOUBLEN(x));
    LONGN exponent = (bits - 0x3fe6a09e667f3bcd) >> 52;
    DOUBLEN m = AS_DOUBLEN(bits - (exponent << 52));
    /* The exponent as a double: it is small, so the rounder's low bits hold it. */
    DOUBLEN e = AS_DOUBLEN(exponent + as_long(0x1.8p52)) - 0x1.8p52;
    return sl_log2_near_one(m - 1.0) + e;
}

/* 2^z as a float; any z, NaN stays. */
SL_PURE static FLOATN sl_exp2_wide(DOUBLEN z)
{
    DOUBLEN a = z < -200.0 ? (DOUBLEN)-200.0 : z;
    a = a > 200.0 ? (DOUBLEN)200.0 : a;
    DOUBLEN t = a + 0x1.8p52;
    DOUBLEN r = a - (t - 0x1.8p52);
    DOUBLEN p = 0x1.00c0e4e15189cp-16 * r + 0x1.446c79efd4834p-13;
    p = p * r + 0x1.5d877598350dep-10;
    p = p * r + 0x1.3b29d8bb0b97ep-7;
    p = p * r + 0x1.c6b08da70cce3p-5;
    p = p * r + 0x1.ebfbe0aa03dfp-3;
    p = p * r + 0x1.62e42fef9cc69p-1;
    p = p * r + 1.0;
    LONGN scale = (AS_LONGN(t) - as_long(0x1.8p52) + 1023) << 52;
    return TO_FLOATN(p * AS_DOUBLEN(scale));
}
