/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of exp_double.cl. Adding 1.5 * 2^52 rounds to a whole number n and leaves n in the low bits.
 * ln(2) and log10(2) are in two parts, the first of 33 bits, so that n times it is exact.
 */
SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t); /* scale.cl */
SL_PURE DOUBLEN sl_scale_biased(DOUBLEN y, DOUBLEN t);

#define SL_ROUNDER 0x1.8p52
#define SL_BIASED_ROUNDER (0x1.8p52 + 2046.0)

/* e^r - 1 for |r| <= ln(2) / 2 */
SL_PURE static DOUBLEN sl_expm1_reduced(DOUBLEN r)
{
    DOUBLEN q = 0x1.af78d76bbe509p-26 * r + 0x1.28a0223d835d8p-22;
    q = q * r + 0x1.71dde8ba44aa5p-19;
    q = q * r + 0x1.a019aa9275459p-16;
    q = q * r + 0x1.a01a01b65a998p-13;
    q = q * r + 0x1.6c16c17cf50dfp-10;
    q = q * r + 0x1.111111110e5bbp-7;
    q = q * r + 0x1.5555555553168p-5;
    q = q * r + 0x1.555555555555cp-3;
    q = q * r + 0.5;
    return r * r * q + r;
}

/* NaN stays. */
SL_PURE static DOUBLEN sl_limit(DOUBLEN x, double low, double high)
{
    DOUBLEN below = x < low ? (DOUBLEN)low : x;
    return below > high ? (DOUBLEN)high : below;
}

SL_PURE static DOUBLEN sl_minus_n_ln2(DOUBLEN x, DOUBLEN n)
{
    DOUBLEN r = x - n * 0x1.62e42fefp-1;
    return r - n * 0x1.473de6af278edp-34;
}

SL_PURE DOUBLEN exp(DOUBLEN x)
{
    DOUBLEN a = sl_limit(x, -746.0, 710.0);
    DOUBLEN t = a * 0x1.71547652b82fep+0 + SL_BIASED_ROUNDER;
    DOUBLEN r = sl_minus_n_ln2(a, t - SL_BIASED_ROUNDER);
    return sl_scale_biased(1.0 + sl_expm1_reduced(r), t);
}

SL_PURE DOUBLEN exp2(DOUBLEN x)
{
    DOUBLEN a = sl_limit(x, -1077.0, 1025.0);
    DOUBLEN t = a + SL_BIASED_ROUNDER;
    DOUBLEN r = a - (t - SL_BIASED_ROUNDER);
    DOUBLEN q = 0x1.ea18a89a40bc4p-32 * r + 0x1.e61ccb6ba13fep-28;
    q = q * r + 0x1.b524cda02fed1p-24;
    q = q * r + 0x1.62bfc6b979fa8p-20;
    q = q * r + 0x1.ffcbfc7c706b5p-17;
    q = q * r + 0x1.4309130f36b80p-13;
    q = q * r + 0x1.5d87fe78a0d8ep-10;
    q = q * r + 0x1.3b2ab6fb9ff34p-7;
    q = q * r + 0x1.c6b08d704a0d7p-5;
    q = q * r + 0x1.ebfbdff82c5a5p-3;
    q = q * r + 0x1.62e42fefa39efp-1;
    return sl_scale_biased(q * r + 1.0, t);
}

/* 10^x = 2^n * e^(ln(10) * (x - n * log10(2))) */
SL_PURE DOUBLEN exp10(DOUBLEN x)
{
    DOUBLEN a = sl_limit(x, -325.0, 309.0);
    DOUBLEN t = a * 0x1.a934f0979a371p+1 + SL_BIASED_ROUNDER;
    DOUBLEN n = t - SL_BIASED_ROUNDER;
    DOUBLEN r = a - n * 0x1.34413509p-2;
    r = r - n * 0x1.ef3fde623e256p-35;
    DOUBLEN y = r * 0x1.26bb1bbb55516p+1 + r * -0x1.f48ad494ea3e9p-53;
    return sl_scale_biased(1.0 + sl_expm1_reduced(y), t);
}

/* 2^n * (e^r - 1 + (1 - 2^-n)) */
SL_PURE DOUBLEN expm1(DOUBLEN x)
{
    DOUBLEN a = sl_limit(x, -40.0, 710.0);
    DOUBLEN t = a * 0x1.71547652b82fep+0 + SL_ROUNDER;
    DOUBLEN r = sl_minus_n_ln2(a, t - SL_ROUNDER);
    DOUBLEN y = sl_expm1_reduced(r) + (1.0 - sl_scale((DOUBLEN)1.0, 2 * SL_ROUNDER - t));
    return x == 0.0 ? x : sl_scale(y, t);
}

#undef SL_ROUNDER
#undef SL_BIASED_ROUNDER
