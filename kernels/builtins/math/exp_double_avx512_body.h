/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of exp_double_avx512.cl: a power is 2^n times that of a rest, and n, rounded to sixteenths
 * by adding 1.5 * 2^48, is in the low bits of the sum. Where the argument is too large for that the
 * rest is anything, also NaN, and is limited; the result is infinite or zero by n.
 */

#define SL_ROUNDER 0x1.8p48

/* (1 + p) * 2^n, n + SL_ROUNDER = t */
SL_PURE static DOUBLEN sl_finish_exp(DOUBLEN p, DOUBLEN t)
{
    DOUBLEN power = sl_lane_entry16(sl_sixteenths, AS_LONGN(t));
    return sl_lane_scale(power * p + power, t - SL_ROUNDER);
}

SL_PURE DOUBLEN exp(DOUBLEN x)
{
    DOUBLEN t = x * 0x1.71547652b82fep+0 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = x - n * 0x1.62e42fefap-1;
    r = sl_lane_limit(r - n * 0x1.cf79abc9e3b3ap-40, (DOUBLEN)0.03125);
    DOUBLEN s = r * r;
    DOUBLEN q = 0x1.6c1865c05cb90p-10 * s + (0x1.111240ac18e48p-7 * r + 0x1.55555554557fcp-5);
    q = q * s + (0x1.55555554877d1p-3 * r + 0.5);
    return sl_finish_exp(s * q + r, t);
}

SL_PURE DOUBLEN exp2(DOUBLEN x)
{
    DOUBLEN t = x + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = sl_lane_limit(x - n, (DOUBLEN)0.0625);
    DOUBLEN q = 0x1.430a766ef2eebp-13 * r + 0x1.5d89ff4c032b8p-10;
    q = q * r + 0x1.3b2ab6fad16cdp-7;
    q = q * r + 0x1.c6b08d6de7d89p-5;
    q = q * r + 0x1.ebfbdff82c597p-3;
    q = q * r + 0x1.62e42fefa3a07p-1;
    return sl_finish_exp(q * r, t);
}

/* Of the rest y = ln(10) * (x - n * log10(2)) the power of e. */
SL_PURE DOUBLEN exp10(DOUBLEN x)
{
    DOUBLEN t = x * 0x1.a934f0979a371p+1 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = x - n * 0x1.34413509fp-2;
    r = sl_lane_limit(r - n * 0x1.e7fbcc47c4acdp-40, (DOUBLEN)0.01);
    DOUBLEN y = r * 0x1.26bb1bbb55516p+1;
    DOUBLEN q = 0x1.6c1865c05cb90p-10 * y + 0x1.111240ac18e48p-7;
    q = q * y + 0x1.55555554557fcp-5;
    q = q * y + 0x1.55555554877d1p-3;
    q = q * y + 0.5;
    return sl_finish_exp(y * y * q + y, t);
}

/* e^(high + low) for any high, of powers (pow_wide.cl); the low part of a product that overflowed
 * is anything, also NaN. */
SL_PURE DOUBLEN sl_exp_wide(DOUBLEN high, DOUBLEN low)
{
    low = sl_lane_limit(low, (DOUBLEN)8.0);
    DOUBLEN t = (high + low) * 0x1.71547652b82fep+0 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = (high - n * 0x1.62e42fefap-1) - n * 0x1.cf79abc9e3b3ap-40;
    r = sl_lane_limit(r + low, (DOUBLEN)0.03125);
    DOUBLEN s = r * r;
    DOUBLEN q = 0x1.6c1865c05cb90p-10 * s + (0x1.111240ac18e48p-7 * r + 0x1.55555554557fcp-5);
    q = q * s + (0x1.55555554877d1p-3 * r + 0.5);
    DOUBLEN power = sl_lane_entry16(sl_sixteenths, AS_LONGN(t));
    return sl_lane_scale(power * (s * q + r) + power, n);
}

/* The same where the power is none that overflows and `low` is next to nothing. */
SL_PURE DOUBLEN sl_exp_near(DOUBLEN high, DOUBLEN low)
{
    DOUBLEN t = high * 0x1.71547652b82fep+0 + SL_ROUNDER;
    DOUBLEN n = t - SL_ROUNDER;
    DOUBLEN r = (high - n * 0x1.62e42fefap-1) + (low - n * 0x1.cf79abc9e3b3ap-40);
    DOUBLEN s = r * r;
    DOUBLEN q = 0x1.6c1865c05cb90p-10 * s + (0x1.111240ac18e48p-7 * r + 0x1.55555554557fcp-5);
    q = q * s + (0x1.55555554877d1p-3 * r + 0.5);
    return sl_finish_exp(s * q + r, t);
}

#undef SL_ROUNDER
