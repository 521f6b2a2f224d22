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

/* (log(1 + r) - r + r^2 / 2) / r^3 for r from -1/32 to 1/16, s = r^2 */
SL_PURE static DOUBLEN sl_log_third(DOUBLEN r, DOUBLEN s)
{
    DOUBLEN p = -0x1.23060cbfb8e59p-4 * r + 0x1.7244ca835c58bp-4;
    p = p * s + (-0x1.99adac1316e84p-4 * r + 0x1.c71e325585d0fp-4);
    p = p * s + (-0x1.0000005a68943p-3 * r + 0x1.249248ecea75ep-3);
    p = p * s + (-0x1.55555554dc725p-3 * r + 0x1.999999999f024p-3);
    return p * s + (-0x1.000000000004fp-2 * r + 0x1.5555555555554p-2);
}

/*
 * log(magnitude) in two parts, relative error about 2^-62, for powers (pow_wide.cl): e log(2) -
 * log(c) is exact in its upper part, and c m - 1 is r and what r lost. What is added next is always
 * the smaller one. Finite for zero and infinity.
 */
SL_INLINE DOUBLEN sl_log_wide(DOUBLEN magnitude, private DOUBLEN *low)
{
    DOUBLEN m = sl_lane_significand(magnitude);
    DOUBLEN e = sl_lane_limit(sl_lane_exponent(magnitude) - sl_lane_exponent(m), (DOUBLEN)2048.0);
    LONGN i = AS_LONGN(AS_ULONGN(m) >> 48);
    DOUBLEN c = sl_lane_entry16(sl_log_inverse, i);
    DOUBLEN product = m * c;
    DOUBLEN r = product - 1.0;
    DOUBLEN lost = fma(m, c, -product);
    DOUBLEN square = r * r;
    DOUBLEN square_lost = fma(r, r, -square);
    DOUBLEN whole = e * 0x1.62e42fefa38p-1 + sl_lane_entry16(sl_log_high, i);
    DOUBLEN rest = e * 0x1.ef35793c7673p-45 + sl_lane_entry16(sl_log_low, i);
    DOUBLEN first = whole + r;
    DOUBLEN first_lost = r - (first - whole);
    DOUBLEN second = first - 0.5 * square;
    DOUBLEN second_lost = (first - second) - 0.5 * square;
    rest = r * square * sl_log_third(r, square) + (rest - 0.5 * square_lost);
    rest += (lost - (r - square) * lost) + (first_lost + second_lost);
    DOUBLEN high = second + rest;
    *low = rest - (high - second);
    return high;
}
