/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_float.cl. In double every float is a normal number and every result that float can
 * hold, subnormals included, comes from one final rounding.
 */

#define SL_ROUNDER 0x1.8p52

/* log2 of a positive float, relative error 2^-40; of zero and infinity about -1023 and 1024. */
SL_PURE static DOUBLEN sl_log2_wide(FLOATN x)
{
    LONGN bits = AS_LONGN(TO_DOUBLEN(x));
    LONGN exponent = (bits - 0x3fe6a09e667f3bcd) >> 52;
    DOUBLEN m = AS_DOUBLEN(bits - (exponent << 52));
    DOUBLEN t = (m - 1.0) / (m + 1.0);
    DOUBLEN s = t * t;
    DOUBLEN p = 0x1.21b245a850e1dp-2 * s + 0x1.4795463b406c3p-2;
    p = p * s + 0x1.a61a2ef4051f3p-2;
    p = p * s + 0x1.2776c2935a8c1p-1;
    p = p * s + 0x1.ec709dc53bfcfp-1;
    p = p * s + 0x1.71547652b8251p+1;
    /* The exponent as a double: it is small, so the rounder's low bits hold it. */
    DOUBLEN e = AS_DOUBLEN(exponent + as_long(SL_ROUNDER)) - SL_ROUNDER;
    return t * p + e;
}

/* 2^z as a float; any z, NaN stays. */
SL_PURE static FLOATN sl_exp2_wide(DOUBLEN z)
{
    DOUBLEN a = z < -200.0 ? (DOUBLEN)-200.0 : z;
    a = a > 200.0 ? (DOUBLEN)200.0 : a;
    DOUBLEN t = a + SL_ROUNDER;
    DOUBLEN r = a - (t - SL_ROUNDER);
    DOUBLEN p = 0x1.00c0e4e15189cp-16 * r + 0x1.446c79efd4834p-13;
    p = p * r + 0x1.5d877598350dep-10;
    p = p * r + 0x1.3b29d8bb0b97ep-7;
    p = p * r + 0x1.c6b08da70cce3p-5;
    p = p * r + 0x1.ebfbe0aa03dfp-3;
    p = p * r + 0x1.62e42fef9cc69p-1;
    p = p * r + 1.0;
    LONGN scale = (AS_LONGN(t) - as_long(SL_ROUNDER) + 1023) << 52;
    return TO_FLOATN(p * AS_DOUBLEN(scale));
}

/* |x|^y where x is zero or infinite: the logarithm above is finite there. */
SL_PURE static FLOATN sl_power_ends(FLOATN magnitude, FLOATN y, FLOATN power)
{
    INTN grows = (y > 0.0f) == (magnitude > 1.0f);
    FLOATN end = grows ? (FLOATN)INFINITY : (FLOATN)0.0f;
    return magnitude == 0.0f || magnitude == INFINITY ? end : power;
}

SL_PURE static FLOATN sl_power(FLOATN magnitude, FLOATN y)
{
    FLOATN power = sl_exp2_wide(TO_DOUBLEN(y) * sl_log2_wide(magnitude));
    return sl_power_ends(magnitude, y, power);
}

SL_PURE FLOATN pow(FLOATN x, FLOATN y)
{
    FLOATN magnitude = fabs(x);
    FLOATN half_y = y * 0.5f;
    INTN is_whole = trunc(y) == y;
    INTN is_odd = is_whole && trunc(half_y) != half_y;
    FLOATN power = sl_power(magnitude, y);
    power = is_odd ? copysign(power, x) : power;
    power = x < 0.0f && !is_whole && magnitude != INFINITY ? (FLOATN)NAN : power;
    power = isnan(x) || isnan(y) ? x + y : power;
    power = magnitude == 1.0f && fabs(y) == INFINITY ? (FLOATN)1.0f : power;
    return x == 1.0f || y == 0.0f ? (FLOATN)1.0f : power;
}

SL_PURE FLOATN powr(FLOATN x, FLOATN y)
{
    FLOATN power = sl_power(fabs(x), y);
    power = y == 0.0f ? (FLOATN)1.0f : power;
    INTN undefined = x < 0.0f || (y == 0.0f && (x == 0.0f || x == INFINITY)) ||
                     (x == 1.0f && fabs(y) == INFINITY);
    power = undefined ? (FLOATN)NAN : power;
    return isnan(x) || isnan(y) ? x + y : power;
}

SL_PURE FLOATN pown(FLOATN x, INTN n)
{
    FLOATN magnitude = fabs(x);
    FLOATN power = sl_exp2_wide(TO_DOUBLEN(n) * sl_log2_wide(magnitude));
    power = sl_power_ends(magnitude, TO_FLOATN(n), power);
    power = (n & 1) != 0 ? copysign(power, x) : power;
    power = isnan(x) ? x : power;
    return n == 0 ? (FLOATN)1.0f : power;
}

SL_PURE FLOATN rootn(FLOATN x, INTN n)
{
    FLOATN magnitude = fabs(x);
    FLOATN power = sl_exp2_wide(sl_log2_wide(magnitude) / TO_DOUBLEN(n));
    power = sl_power_ends(magnitude, TO_FLOATN(n), power);
    INTN is_odd = (n & 1) != 0;
    power = is_odd ? copysign(power, x) : power;
    power = isnan(x) ? x : power;
    return n == 0 || (x < 0.0f && !is_odd) ? (FLOATN)NAN : power;
}

SL_PURE FLOATN native_powr(FLOATN x, FLOATN y)
{
    return sl_power(x, y);
}

SL_PURE FLOATN half_powr(FLOATN x, FLOATN y)
{
    return powr(x, y);
}

#undef SL_ROUNDER
