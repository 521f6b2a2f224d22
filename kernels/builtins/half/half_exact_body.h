/* SPDX-License-Identifier: Apache-2.0 */
/* Body of half_exact.cl. */

#define HALFN SL_JOIN(half, SL_N)
#define SHORTN SL_JOIN(short, SL_N)
#define USHORTN SL_JOIN(ushort, SL_N)
#define AS_HALFN SL_JOIN(as_half, SL_N)
#define AS_SHORTN SL_JOIN(as_short, SL_N)
#define AS_USHORTN SL_JOIN(as_ushort, SL_N)
#define TRUTHN SL_JOIN(sl_truth, SL_N)

SL_PURE static USHORTN sl_magnitude(HALFN x)
{
    return AS_USHORTN(x) & SL_HALF_MAGNITUDE;
}

SL_PURE HALFN fabs(HALFN x)
{
    return AS_HALFN(sl_magnitude(x));
}

SL_PURE HALFN copysign(HALFN x, HALFN y)
{
    return AS_HALFN((USHORTN)(sl_magnitude(x) | (AS_USHORTN(y) & (ushort)~SL_HALF_MAGNITUDE)));
}

SL_PURE HALFN nan(USHORTN code)
{
    return AS_HALFN((USHORTN)(code | (ushort)0x7e00));
}

SL_PURE HALFN bitselect(HALFN no, HALFN yes, HALFN bits)
{
    USHORTN chosen = AS_USHORTN(bits);
    return AS_HALFN((USHORTN)((AS_USHORTN(no) & ~chosen) | (AS_USHORTN(yes) & chosen)));
}

/* Bit patterns as numbers that go up as the halves do; both zeros are 0. */
SL_PURE static SHORTN sl_in_order(HALFN x)
{
    SHORTN bits = AS_SHORTN(x);
    return bits < (short)0 ? (SHORTN)((short)-0x8000 - bits) : bits;
}

SL_PURE HALFN nextafter(HALFN x, HALFN y)
{
    SHORTN from = sl_in_order(x), to = sl_in_order(y);
    SHORTN next = from < to ? (SHORTN)(from + (short)1) : (SHORTN)(from - (short)1);
    /* what comes from below stays negative at zero */
    next = (next | from) < (short)0 ? (SHORTN)((short)-0x8000 - next) : next;
    HALFN value = from == to ? y : AS_HALFN(next);
    return x != x ? x : y != y ? y : value;
}

/*
 * The product is exact in float. Where the sum is not, its last bit is made odd, which stands for
 * what lies beyond: so the rounding to half is the only one.
 */
SL_PURE HALFN fma(HALFN x, HALFN y, HALFN z)
{
    FLOATN product = sl_wide(x) * sl_wide(y), addend = sl_wide(z);
    FLOATN sum = product + addend;
    FLOATN part = sum - product;
    FLOATN error = (product - (sum - part)) + (addend - part);
    INTN bits = AS_INTN(sum);
    INTN step = (error < 0.0f) == (sum < 0.0f) ? (INTN)1 : (INTN)-1;
    step = (bits & 1) != 0 ? (INTN)0 : step;
    step = error < 0.0f || error > 0.0f ? step : (INTN)0;
    return sl_narrow(AS_FLOATN(bits + step));
}

/* ---- choices --------------------------------------------------------------------------------- */

SL_PURE HALFN sign(HALFN x)
{
    USHORTN one = (AS_USHORTN(x) & (ushort)~SL_HALF_MAGNITUDE) | (ushort)0x3c00;
    HALFN zero = sl_magnitude(x) == (ushort)0 ? x : (HALFN)0.0h;
    return (USHORTN)(sl_magnitude(x) - (ushort)1) < SL_HALF_INFINITY ? AS_HALFN(one) : zero;
}

SL_PURE HALFN max(HALFN x, HALFN y)
{
    return x < y ? y : x;
}

SL_PURE HALFN min(HALFN x, HALFN y)
{
    return y < x ? y : x;
}

SL_PURE HALFN clamp(HALFN x, HALFN low, HALFN high)
{
    HALFN above = x < low ? low : x;
    return high < above ? high : above;
}

/* ---- relations ------------------------------------------------------------------------------- */

SL_PURE TRUTHN isequal(HALFN x, HALFN y)
{
    return x == y;
}

SL_PURE TRUTHN isnotequal(HALFN x, HALFN y)
{
    return x != y;
}

SL_PURE TRUTHN isgreater(HALFN x, HALFN y)
{
    return x > y;
}

SL_PURE TRUTHN isgreaterequal(HALFN x, HALFN y)
{
    return x >= y;
}

SL_PURE TRUTHN isless(HALFN x, HALFN y)
{
    return x < y;
}

SL_PURE TRUTHN islessequal(HALFN x, HALFN y)
{
    return x <= y;
}

SL_PURE TRUTHN islessgreater(HALFN x, HALFN y)
{
    return x < y || x > y;
}

SL_PURE TRUTHN isnan(HALFN x)
{
    return sl_magnitude(x) > SL_HALF_INFINITY;
}

SL_PURE TRUTHN isordered(HALFN x, HALFN y)
{
    return sl_magnitude(x) <= SL_HALF_INFINITY && sl_magnitude(y) <= SL_HALF_INFINITY;
}

SL_PURE TRUTHN isunordered(HALFN x, HALFN y)
{
    return sl_magnitude(x) > SL_HALF_INFINITY || sl_magnitude(y) > SL_HALF_INFINITY;
}

SL_PURE TRUTHN isinf(HALFN x)
{
    return sl_magnitude(x) == SL_HALF_INFINITY;
}

SL_PURE TRUTHN isfinite(HALFN x)
{
    return sl_magnitude(x) < SL_HALF_INFINITY;
}

SL_PURE TRUTHN isnormal(HALFN x)
{
    return sl_magnitude(x) < SL_HALF_INFINITY && sl_magnitude(x) >= (ushort)0x400;
}

SL_PURE TRUTHN signbit(HALFN x)
{
    return AS_SHORTN(x) < (short)0;
}

#undef HALFN
#undef SHORTN
#undef USHORTN
#undef AS_HALFN
#undef AS_SHORTN
#undef AS_USHORTN
#undef TRUTHN
