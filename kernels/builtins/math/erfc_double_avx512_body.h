/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erfc_double_avx512.cl: for a = |x| and u = 1 / (a + 2) = n / 32 + r, e^(a^2) erfc(a) / u
 * is a polynomial of r, in pairs, which wait less for each other.
 */
SL_PURE DOUBLEN sl_exp_near(DOUBLEN high, DOUBLEN low); /* exp_double_avx512.cl */

SL_INLINE static DOUBLEN sl_erfc_pair(LONGN i, DOUBLEN r, int k)
{
    return sl_lane_entry16(sl_erfc_quotient[k + 1], i) * r +
           sl_lane_entry16(sl_erfc_quotient[k], i);
}

/* From 27.3 on nothing is left. What the square loses counts when it is large. */
SL_PURE DOUBLEN erfc(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    a = a > 27.3 ? (DOUBLEN)27.3 : a;
    DOUBLEN u = 1.0 / (a + 2.0);
    DOUBLEN at = u * 32.0 + 0x1.8p52;
    DOUBLEN r = u - (at - 0x1.8p52) * 0x1p-5;
    LONGN i = AS_LONGN(at);
    DOUBLEN s = r * r;
    DOUBLEN p = sl_lane_entry16(sl_erfc_quotient[8], i) * s + sl_erfc_pair(i, r, 6);
    p = p * s + sl_erfc_pair(i, r, 4);
    p = p * s + sl_erfc_pair(i, r, 2);
    p = p * s + sl_erfc_pair(i, r, 0);
    DOUBLEN square = a * a;
    DOUBLEN power = sl_exp_near(-square, -fma(a, a, -square));
    DOUBLEN value = power * (u * p);
    return x < 0.0 ? 2.0 - value : value;
}
