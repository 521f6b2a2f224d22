/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of log_double_avx512.cl: x = 2^e * m with m in [3/4, 3/2), r = c * m - 1 in [-1/32, 1/16),
 * and log(x) = e * log(2) - log(c) + log(1 + r). What e and m are for zero, infinity, NaN and
 * negative numbers makes the right results of itself.
 */

SL_INLINE static DOUBLEN sl_split_log(DOUBLEN x, private DOUBLEN *e, private LONGN *i)
{
    DOUBLEN m = sl_lane_significand(x);
    *e = sl_lane_exponent(x) - sl_lane_exponent(m);
    *i = AS_LONGN(AS_ULONGN(m) >> 48);
    return m * sl_lane_entry16(sl_log_inverse, *i) - 1.0;
}

/* (log(1 + r) - r) / r^2; in pairs, which wait less for each other */
SL_PURE static DOUBLEN sl_log_rest(DOUBLEN r)
{
    DOUBLEN s = r * r;
    DOUBLEN p = -0x1.661f558568fedp-4 * s + (0x1.c57b20b8b2258p-4 * r - 0x1.0009d8f68480ep-3);
    p = p * s + (0x1.2492d7b314d40p-3 * r - 0x1.555554a6016a1p-3);
    p = p * s + (0x1.999999808f284p-3 * r - 0x1.fffffffff39d9p-3);
    return p * s + (0x1.5555555555f76p-2 * r - 0.5);
}

SL_PURE DOUBLEN log(DOUBLEN x)
{
    DOUBLEN e;
    LONGN i;
    DOUBLEN r = sl_split_log(x, &e, &i);
    DOUBLEN low = e * 0x1.ef35793c7673p-45 + sl_lane_entry16(sl_log_low, i);
    low = r * r * sl_log_rest(r) + low;
    DOUBLEN high = e * 0x1.62e42fefa38p-1 + sl_lane_entry16(sl_log_high, i);
    return high + (r + low);
}

SL_PURE DOUBLEN log2(DOUBLEN x)
{
    DOUBLEN e;
    LONGN i;
    DOUBLEN r = sl_split_log(x, &e, &i);
    DOUBLEN rest = r * (sl_log_rest(r) * 0x1.71547652b82fep+0) + 0x1.777d0ffda0d24p-56;
    DOUBLEN low = r * rest + sl_lane_entry16(sl_log2_low, i);
    return (e + sl_lane_entry16(sl_log2_high, i)) + (r * 0x1.71547652b82fep+0 + low);
}

SL_PURE DOUBLEN log10(DOUBLEN x)
{
    DOUBLEN e;
    LONGN i;
    DOUBLEN r = sl_split_log(x, &e, &i);
    DOUBLEN rest = r * (sl_log_rest(r) * 0x1.bcb7b1526e50ep-2) + 0x1.95355baaafad3p-57;
    DOUBLEN low = e * 0x1.3fde623e2566bp-43 + sl_lane_entry16(sl_log10_low, i);
    low = r * rest + low;
    DOUBLEN high = e * 0x1.34413509f7p-2 + sl_lane_entry16(sl_log10_high, i);
    return high + (r * 0x1.bcb7b1526e50ep-2 + low);
}

/*
 * u = 1 + x and what that lost, which is scaled as u is: of x next to zero the sum of both is x
 * itself. The scale of u = 0 and of infinity is finite, and what is lost then zero.
 */
SL_PURE DOUBLEN log1p(DOUBLEN x)
{
    DOUBLEN u = 1.0 + x;
    DOUBLEN more = x > 1.0 ? x : (DOUBLEN)1.0;
    DOUBLEN less = x > 1.0 ? (DOUBLEN)1.0 : x;
    DOUBLEN lost = sl_lane_limit(less - (u - more), (DOUBLEN)1.0);
    DOUBLEN m = sl_lane_significand(u);
    DOUBLEN e = sl_lane_exponent(u) - sl_lane_exponent(m);
    LONGN i = AS_LONGN(AS_ULONGN(m) >> 48);
    DOUBLEN c = sl_lane_entry16(sl_log_inverse, i);
    lost = sl_lane_scale(lost, -sl_lane_limit(e, (DOUBLEN)2048.0));
    DOUBLEN r = (m * c - 1.0) + c * lost;
    DOUBLEN low = e * 0x1.ef35793c7673p-45 + sl_lane_entry16(sl_log_low, i);
    low = r * r * sl_log_rest(r) + low;
    DOUBLEN high = e * 0x1.62e42fefa38p-1 + sl_lane_entry16(sl_log_high, i);
    DOUBLEN value = high + (r + low);
    return x == 0.0 ? x : value;
}

/* (log(1 + r) - r + r^2 / 2) / r^3 for r from -0.0375 to 1/16, s = r^2 */
SL_PURE static DOUBLEN sl_log_third(DOUBLEN r, DOUBLEN s)
{
    DOUBLEN p = -0x1.316f6f00ee281p-4 * r + 0x1.7433f7123495dp-4;
    p = p * s + (-0x1.99b6d3f1aedfbp-4 * r + 0x1.c71d15e75a6adp-4);
    p = p * s + (-0x1.fffff7f9cf8fcp-4 * r + 0x1.2492490ab66edp-3);
    p = p * s + (-0x1.55555555c33fcp-3 * r + 0x1.999999999bf97p-3);
    return p * s + (-0x1.fffffffffffc8p-3 * r + 0x1.5555555555555p-2);
}

/*
 * log(magnitude) in two parts, relative error about 2^-62, for powers (pow_wide.cl): e log(2) -
 * log(c) is exact in its upper part, and so is r = c m - 1. What is added next is always the
 * smaller one. The lower part is up to 2^-12 of the upper one; of zero and infinity it is NaN.
 */
SL_INLINE DOUBLEN sl_log_wide(DOUBLEN magnitude, private DOUBLEN *low)
{
    DOUBLEN m = sl_lane_significand(magnitude);
    DOUBLEN e = sl_lane_exponent(magnitude) - sl_lane_exponent(m);
    LONGN i = AS_LONGN(AS_ULONGN(m) >> 48);
    DOUBLEN r = m * sl_lane_entry16(sl_power_inverse_wide, i) - 1.0;
    DOUBLEN square = r * r;
    DOUBLEN square_lost = fma(r, r, -square);
    DOUBLEN whole = e * 0x1.62e42fefa38p-1 + sl_lane_entry16(sl_power_log_high, i);
    DOUBLEN rest = e * 0x1.ef35793c7673p-45 + sl_lane_entry16(sl_power_log_low, i);
    DOUBLEN first = whole + r;
    DOUBLEN first_lost = r - (first - whole);
    DOUBLEN second = first - 0.5 * square;
    DOUBLEN second_lost = (first - second) - 0.5 * square;
    rest = r * square * sl_log_third(r, square) + (rest - 0.5 * square_lost);
    *low = rest + (first_lost + second_lost);
    return second;
}
