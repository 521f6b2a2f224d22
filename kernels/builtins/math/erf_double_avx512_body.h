/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erf_double_avx512.cl: |x| = n * 49 / 128 + r with |r| <= 49 / 256, and erf(|x|) / |x| a
 * polynomial of r, in pairs, which wait less for each other.
 */
SL_INLINE static DOUBLEN sl_erf_pair(LONGN i, DOUBLEN r, int k)
{
    return sl_lane_entry16(sl_erf_quotient[k + 1], i) * r + sl_lane_entry16(sl_erf_quotient[k], i);
}

/* From 5.93 on nothing is missing from 1. */
SL_PURE DOUBLEN erf(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN a = magnitude > 5.93 ? (DOUBLEN)5.93 : magnitude;
    DOUBLEN at = a * (128.0 / 49.0) + 0x1.8p52;
    DOUBLEN r = a - (at - 0x1.8p52) * (49.0 / 128.0);
    LONGN i = AS_LONGN(at);
    DOUBLEN s = r * r;
    DOUBLEN p = sl_erf_pair(i, r, 10);
    p = p * s + sl_erf_pair(i, r, 8);
    p = p * s + sl_erf_pair(i, r, 6);
    p = p * s + sl_erf_pair(i, r, 4);
    p = p * s + sl_erf_pair(i, r, 2);
    p = p * s + sl_erf_pair(i, r, 0);
    DOUBLEN value = a * p;
    LONGN whole = (magnitude >= 5.93) | (value > 1.0);
    return copysign(whole ? (DOUBLEN)1.0 : value, x);
}
