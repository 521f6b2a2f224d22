/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erf_double.cl.
 */

/* erf(x) - x for |x| <= 0.95, an odd polynomial; its first coefficient is 2 / sqrt(pi) - 1. */
SL_PURE static DOUBLEN sl_erf_near_zero(DOUBLEN x)
{
    DOUBLEN s = x * x;
    DOUBLEN p = -0x1.bff8c1a347150p-31 * s + 0x1.dd949acd961adp-27;
    p = p * s - 0x1.5ceba3f9e0fdcp-23;
    p = p * s + 0x1.b9a3713d9853cp-20;
    p = p * s - 0x1.f4cdc0653810cp-17;
    p = p * s + 0x1.f9a2f1a1b8adep-14;
    p = p * s - 0x1.c02db27112ba6p-11;
    p = p * s + 0x1.565bcd073daeep-8;
    p = p * s - 0x1.b82ce31263c96p-6;
    p = p * s + 0x1.ce2f21a04265dp-4;
    p = p * s - 0x1.812746b0379e3p-2;
    return x * (p * s + 0x1.06eba8214db69p-3);
}

/*
 * erfc(a) for 0 <= a: exp(-a^2) / (1 + 2a) times a polynomial of (a - 3) / (a + 3), both with one
 * division. What the square loses counts when it is large.
 */
SL_PURE static DOUBLEN sl_erfc_of(DOUBLEN magnitude)
{
    DOUBLEN a = magnitude > 27.3 ? (DOUBLEN)27.3 : magnitude;
    DOUBLEN above = a + 3.0;
    DOUBLEN below = 2.0 * a + 1.0;
    DOUBLEN one = 1.0 / (above * below);
    DOUBLEN t = (a - 3.0) * (below * one);
    DOUBLEN p = -0x1.0f50e894f8886p-28 * t - 0x1.0f7d325dcf0e6p-27;
    p = p * t + 0x1.1661abce609abp-25;
    p = p * t + 0x1.82193ed2e325dp-24;
    p = p * t - 0x1.1974992a2343ep-23;
    p = p * t - 0x1.43530af97d875p-21;
    p = p * t + 0x1.77713a9f2ee52p-22;
    p = p * t + 0x1.d0a341dc95a14p-19;
    p = p * t - 0x1.870c4d3051704p-21;
    p = p * t - 0x1.5125dbda407cdp-16;
    p = p * t + 0x1.4c18418e34c85p-18;
    p = p * t + 0x1.065962ec4b30dp-13;
    p = p * t - 0x1.b9124c60744e1p-14;
    p = p * t - 0x1.98db46ac060adp-11;
    p = p * t + 0x1.ef1bdcf54d1b6p-10;
    p = p * t + 0x1.4b884df4f5aa6p-9;
    p = p * t - 0x1.8574c40b66a67p-6;
    p = p * t + 0x1.17ca28781aae7p-4;
    p = p * t - 0x1.e88b803a4a54fp-4;
    p = p * t + 0x1.098366a5b3cacp-3;
    p = p * t - 0x1.85a15c58aa520p-5;
    p = p * t - 0x1.15c084bb9e8dcp-3;
    p = p * t + 0x1.40c522d7e4987p+0;
    DOUBLEN square = a * a;
    DOUBLEN lost = fma(a, a, -square);
    DOUBLEN quotient = p * (above * one);
    return exp(-square) * (quotient - quotient * lost);
}

SL_PURE DOUBLEN erf(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN far = copysign(1.0 - sl_erfc_of(magnitude), x);
    DOUBLEN value = magnitude > 0.95 ? far : x + sl_erf_near_zero(x);
    return x == 0.0 ? x : value;
}

SL_PURE DOUBLEN erfc(DOUBLEN x)
{
    DOUBLEN far = sl_erfc_of(fabs(x));
    return x < 0.0 ? 2.0 - far : far;
}
