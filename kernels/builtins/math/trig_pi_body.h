/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of trig_pi.cl. With u = 1/4 - r^2, sin(pi r) = 2r + r u (4 + ...): all terms have r's sign,
 * so nothing cancels, and near 1/2, where u is small, what the polynomial loses counts little.
 * Exactly one at 1/2, and never more.
 */

/* sin(pi * r) for |r| <= 1/2; zeroes have signs */
SL_PURE static FLOATN sl_sin_of_turn(FLOATN r)
{
    FLOATN u = 0.25f - r * r;
    FLOATN p = 0x1.3b4d14p-4f * u + 0x1.0abd76p-1f;
    p = p * u + 0x1.10b1d2p+1f;
    p = p * u + 4.0f;
    return r * (u * p) + 2.0f * r;
}

SL_PURE static DOUBLEN sl_sin_of_turn(DOUBLEN r)
{
    DOUBLEN u = 0.25 - r * r;
    DOUBLEN p = 0x1.9c8f490bdcea1p-21 * u + 0x1.55ac3ed279b51p-16;
    p = p * u + 0x1.c22b6f7ae57efp-12;
    p = p * u + 0x1.b707811429ea1p-8;
    p = p * u + 0x1.2c79afaba712cp-4;
    p = p * u + 0x1.0b0cd906e6ad5p-1;
    p = p * u + 0x1.10b0cd906e8a1p+1;
    p = p * u + 4.0;
    return r * (u * p) + 2.0 * r;
}

/* |x| less the nearest number is exact; odd numbers turn the sign over. FIRST is where numbers are
 * a unit apart, so that their parity is a bit; beyond it all are whole, and the result a zero. The
 * zeroes of sinpi have x's sign, those of cospi none. */
#define SL_TURN(T, HALF, FIRST, AS_T, AS_BITS, SHIFT, SIGN)                                        \
    SL_PURE T sinpi(T x)                                                                           \
    {                                                                                              \
        T a = fabs(x), n = rint(a);                                                                \
        T value = sl_sin_of_turn(a - n);                                                           \
        value = AS_T(AS_BITS(value) ^ AS_BITS(n + FIRST) << SHIFT) + 0 * HALF;                     \
        return AS_T(AS_BITS(value) ^ (AS_BITS(x) & SIGN));                                         \
    }                                                                                              \
    SL_PURE T cospi(T x)                                                                           \
    {                                                                                              \
        T a = fabs(x);                                                                             \
        return sl_sin_of_turn(HALF - fabs(a - 4 * HALF * rint(a * HALF)));                         \
    }                                                                                              \
    /* The poles' signs come of rounding to even; zeroes of odd numbers have the other sign. */    \
    SL_PURE T tanpi(T x)                                                                           \
    {                                                                                              \
        T a = fabs(x), n = rint(a), r = a - n;                                                     \
        T value = sl_sin_of_turn(r) / sl_sin_of_turn(HALF - fabs(r));                              \
        T half_a = a * HALF, zero = 0 * HALF;                                                      \
        zero = trunc(half_a) == half_a ? zero : -zero;                                             \
        value = r == 0 ? zero : value;                                                             \
        return AS_T(AS_BITS(value) ^ (AS_BITS(x) & SIGN));                                         \
    }
SL_TURN(FLOATN, 0.5f, 0x1p23f, AS_FLOATN, AS_INTN, 31, (int)0x80000000)
SL_TURN(DOUBLEN, 0.5, 0x1p52, AS_DOUBLEN, AS_LONGN, 63, (long)0x8000000000000000)
#undef SL_TURN
