/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erfc_float_avx512.cl: exp(-a^2) / (1 + 2a) times a polynomial of (a - 3) / (a + 3), both
 * with one division. What the square loses counts when it is large. From 10.06 on nothing is left.
 */
SL_PURE FLOATN erfc(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    FLOATN a = magnitude > 10.2f ? (FLOATN)10.2f : magnitude;
    FLOATN above = a + 3.0f;
    FLOATN below = 2.0f * a + 1.0f;
    FLOATN one = 1.0f / (above * below);
    FLOATN t = (a - 3.0f) * (below * one);
    FLOATN p = -0x1.21d0f2p-12f * t - 0x1.a133a8p-11f;
    p = p * t + 0x1.05ab42p-9f;
    p = p * t + 0x1.5203bp-9f;
    p = p * t - 0x1.85cc26p-6f;
    p = p * t + 0x1.17bacap-4f;
    p = p * t - 0x1.e88a42p-4f;
    p = p * t + 0x1.09842ap-3f;
    p = p * t - 0x1.85a15ap-5f;
    p = p * t - 0x1.15c08ap-3f;
    p = p * t + 0x1.40c522p+0f;
    FLOATN square = a * a;
    FLOATN lost = fma(a, a, -square);
    FLOATN quotient = p * (above * one);
    FLOATN value = exp(-square) * (quotient - quotient * lost);
    return x < 0.0f ? 2.0f - value : value;
}
