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

/* (log(1 + r) - r) / r^2 */
SL_PURE static DOUBLEN sl_log_rest(DOUBLEN r)
{
    DOUBLEN p = -0x1.661f558568fedp-4 * r + 0x1.c57b20b8b2258p-4;
    p = p * r - 0x1.0009d8f68480ep-3;
    p = p * r + 0x1.2492d7b314d40p-3;
    p = p * r - 0x1.555554a6016a1p-3;
    p = p * r + 0x1.999999808f284p-3;
    p = p * r - 0x1.fffffffff39d9p-3;
    p = p * r + 0x1.5555555555f76p-2;
    return p * r - 0.5;
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
