/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_wide.cl.
 */
SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t); /* scale.cl */

#define SL_ROUNDER 0x1.8p52
#define SL_SQRT_HALF 0x3fe6a09e667f3bcd

/* magnitude = 2^e * m with m in [sqrt(1/2), sqrt(2)) */
SL_INLINE static DOUBLEN sl_split(DOUBLEN magnitude, private DOUBLEN *e)
{
    LONGN tiny = magnitude < 0x1p-1022;
    ULONGN bits = AS_ULONGN(tiny ? magnitude * 0x1p54 : magnitude);
    ULONGN above = bits - (ulong)SL_SQRT_HALF;
    ULONGN biased = (above + ((ulong)1023 << 52)) >> 52 | (ulong)0x4330000000000000;
    *e = AS_DOUBLEN(biased) - (tiny ? (DOUBLEN)(0x1p52 + 1077.0) : (DOUBLEN)(0x1p52 + 1023.0));
    return AS_DOUBLEN(bits - (above & (ulong)0xfff0000000000000));
}

/* (m - 1) / (m + 1) in two parts */
SL_INLINE static DOUBLEN sl_quotient(DOUBLEN m, private DOUBLEN *low)
{
    DOUBLEN above = m - 1.0;
    DOUBLEN below = m + 1.0;
    DOUBLEN inverse = 1.0 / below;
    DOUBLEN high = above * inverse;
    DOUBLEN rest = fma(-high, below, above) - high * (m - (below - 1.0));
    *low = rest * inverse;
    return high;
}

/*
 * log(magnitude) in two parts, relative error about 2^-64: e log(2) + 2 artanh(t), where
 * artanh's first two terms need both parts. Finite for zero and infinity.
 */
SL_INLINE DOUBLEN sl_log_wide(DOUBLEN magnitude, private DOUBLEN *low)
{
    DOUBLEN e, t_low;
    DOUBLEN t = sl_quotient(sl_split(magnitude, &e), &t_low);
    DOUBLEN w = t * t;
    DOUBLEN w_low = fma(t, t, -w) + 2.0 * t * t_low;
    DOUBLEN cube = t * w;
    DOUBLEN cube_low = fma(t, w, -cube) + (t * w_low + t_low * w);
    DOUBLEN third = cube * 0x1.5555555555555p-1;
    DOUBLEN third_low = fma(cube, (DOUBLEN)0x1.5555555555555p-1, -third) +
                        (cube_low * 0x1.5555555555555p-1 + cube * 0x1.5555555555555p-55);
    /* In pairs, so that less waits for one another. */
    DOUBLEN w2 = w * w;
    DOUBLEN q4 = 0x1.0fc0f09fef057p-3 * w + 0x1.3b1bf2f4079fap-3;
    DOUBLEN q2 = 0x1.745cfb5c3cfd4p-3 * w + 0x1.c71c71f7ebbe6p-3;
    DOUBLEN q = 0x1.249249247f438p-2 * w + 0x1.99999999999dfp-2;
    q4 = 0x1.0c0e19c89c7c3p-3 * w2 + q4;
    q2 = q4 * w2 + q2;
    q = q2 * w2 + q;
    DOUBLEN whole = e * 0x1.62e42fefp-1;
    DOUBLEN sum = whole + 2.0 * t;
    DOUBLEN lost = 2.0 * t - (sum - whole);
    DOUBLEN all = sum + third;
    lost += third - (all - sum);
    lost += 2.0 * t_low + third_low + (q * w * cube + e * 0x1.473de6af278edp-34);
    DOUBLEN high = all + lost;
    *low = lost - (high - all);
    return high;
}

/* e^(high + low) for any high; the low part of a product that overflowed is NaN and not used. */
SL_PURE DOUBLEN sl_exp_wide(DOUBLEN high, DOUBLEN low)
{
    DOUBLEN a = high < -746.0 ? (DOUBLEN)-746.0 : high;
    a = a > 710.0 ? (DOUBLEN)710.0 : a;
    DOUBLEN t = a * 0x1.71547652b82fep+0 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = (a - n * 0x1.62e42fefp-1) - n * 0x1.473de6af278edp-34;
    r += a == high ? low : (DOUBLEN)0.0;
    DOUBLEN r2 = r * r;
    DOUBLEN r4 = r2 * r2;
    DOUBLEN q8 = 0x1.af632ad6abee8p-26 * r + 0x1.27e4d4d3e5553p-22;
    DOUBLEN q6 = 0x1.71ddf6b3f10d1p-19 * r + 0x1.a01a01a936350p-16;
    DOUBLEN q4 = 0x1.a01a01b00c2c6p-13 * r + 0x1.6c16c16c15dc7p-10;
    DOUBLEN q2 = 0x1.111111110f803p-7 * r + 0x1.5555555555556p-5;
    DOUBLEN q = 0x1.5555555555558p-3 * r + 0.5;
    q8 = 0x1.1f7f27da618f1p-29 * r2 + q8;
    q4 = q6 * r2 + q4;
    q = q2 * r2 + q;
    q4 = q8 * r4 + q4;
    q = q4 * r4 + q;
    return sl_scale(1.0 + (r2 * q + r), t);
}

#undef SL_ROUNDER
#undef SL_SQRT_HALF
