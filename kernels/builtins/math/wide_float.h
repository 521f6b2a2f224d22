/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithms and powers of two in double that are good enough for results in float: relative error
 * 2^-33 and 2^-28. Part of the bodies of the float functions.
 */

/* e + log2(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)): 2 artanh(f / (2 + f)) / log(2) */
SL_PURE static DOUBLEN sl_log2_near_one(DOUBLEN f, DOUBLEN e)
{
    DOUBLEN t = f / (2.0 + f);
    DOUBLEN s = t * t;
    DOUBLEN p = 0x1.2777806cf8652p-1 * s + 0x1.ec709d1229381p-1;
    DOUBLEN high = 0x1.5ced4dd8dac46p-2 * s + 0x1.a58d472b6d76ep-2;
    p = high * (s * s) + p;
    p = p * s + 0x1.71547652bee70p+1;
    return t * p + e;
}

/* log2 of a positive float, relative error 2^-33; of zero and infinity about -1023 and 1024. */
SL_PURE static DOUBLEN sl_log2_wide(FLOATN x)
{
    ULONGN bits = AS_ULONGN(TO_DOUBLEN(x));
    ULONGN above = bits - (ulong)0x3fe6a09e667f3bcd;
    DOUBLEN m = AS_DOUBLEN(bits - (above & (ulong)0xfff0000000000000));
    /* Shifted with its bias, since AVX2 has no shift that keeps a long's sign. */
    ULONGN biased = (above + ((ulong)1023 << 52)) >> 52 | (ulong)0x4330000000000000;
    return sl_log2_near_one(m - 1.0, AS_DOUBLEN(biased) - (0x1p52 + 1023.0));
}

/* 2^z as a float; any z, NaN stays. */
SL_PURE static FLOATN sl_exp2_wide(DOUBLEN z)
{
    DOUBLEN a = z < -200.0 ? (DOUBLEN)-200.0 : z;
    a = a > 200.0 ? (DOUBLEN)200.0 : a;
    DOUBLEN t = a + 0x1.8p52;
    DOUBLEN r = a - (t - 0x1.8p52);
    DOUBLEN r2 = r * r;
    DOUBLEN p = 0x1.62e431713b798p-1 * r + 1.0;
    DOUBLEN q = 0x1.c6ae2b5223ce0p-5 * r + 0x1.ebfbe07db8730p-3;
    DOUBLEN s = 0x1.5f8932e50adcbp-10 * r + 0x1.3b29e3a986a38p-7;
    s = 0x1.446ca23393c1cp-13 * r2 + s;
    p = (s * r2 + q) * r2 + p;
    return TO_FLOATN(AS_DOUBLEN(AS_ULONGN(p) + (AS_ULONGN(t) << 52)));
}
