/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_float_avx512.cl. Zero, infinity and NaN make the right magnitudes of themselves;
 * signs and the cases in which the standard wants a number for NaN are dealt with where there are
 * any.
 */

#define SL_ROUNDER 0x1.8p23f

/*
 * log2(x) = *high + result for x >= 0: x = 2^e * m with m in [3/4, 3/2), r = c * m - 1 is exact and
 * in [-1/56, 1/32].
 */
SL_INLINE static FLOATN sl_log2_pair(FLOATN x, private FLOATN *high)
{
    FLOATN m = sl_lane_significand(x);
    FLOATN e = sl_lane_exponent(x) - sl_lane_exponent(m);
    INTN i = AS_INTN(AS_UINTN(m) >> 18);
    FLOATN r = m * sl_lane_entry32(sl_power_inverse, i) - 1.0f;
    FLOATN q = 0x1.1e930cp-2f * r - 0x1.715a26p-2f;
    q = q * r + 0x1.ec712ep-2f;
    q = q * r - 0x1.715476p-1f;
    FLOATN whole = e + sl_lane_entry32(sl_power_high, i);
    FLOATN part = r * 0x1.715476p+0f;
    FLOATN lost = fma(r, (FLOATN)0x1.715476p+0f, -part);
    *high = whole + part;
    FLOATN low = part - (*high - whole);
    FLOATN rest = r * q + 0x1.4ae0cp-26f;
    return (r * rest + (lost + sl_lane_entry32(sl_power_low, i))) + low;
}

/* 2^(high + low); low is NaN where high is infinite. */
SL_PURE static FLOATN sl_exp2_pair(FLOATN high, FLOATN low)
{
    low = sl_lane_limit(low, (FLOATN)8.0f);
    FLOATN n = ((high + low) + SL_ROUNDER) - SL_ROUNDER;
    FLOATN r = sl_lane_limit((high - n) + low, (FLOATN)0.75f);
    FLOATN p = 0x1.41d02ap-13f * r + 0x1.5f48f6p-10f;
    p = p * r + 0x1.3b2dcap-7f;
    p = p * r + 0x1.c6aecep-5f;
    p = p * r + 0x1.ebfbdap-3f;
    p = p * r + 0x1.62e43p-1f;
    return sl_lane_scale(p * r + 1.0f, n);
}

/* x^y for x >= 0 */
SL_PURE static FLOATN sl_power(FLOATN x, FLOATN y)
{
    FLOATN high;
    FLOATN low = sl_log2_pair(x, &high);
    FLOATN product = y * high;
    return sl_exp2_pair(product, y * low + fma(y, high, -product));
}

SL_PURE static FLOATN sl_pow_special(FLOATN x, FLOATN y, FLOATN power)
{
    FLOATN half_y = y * 0.5f;
    INTN is_whole = trunc(y) == y;
    INTN is_odd = is_whole & (trunc(half_y) != half_y);
    power = is_odd ? copysign(power, x) : power;
    INTN undefined = (x < 0.0f) & !is_whole & (x != -INFINITY);
    power = undefined ? (FLOATN)NAN : power;
    INTN unknown = isnan(x) | isnan(y);
    power = unknown ? x + y : power;
    INTN one = (fabs(x) == 1.0f) & (fabs(y) == INFINITY);
    one = one | (x == 1.0f) | (y == 0.0f);
    return one ? (FLOATN)1.0f : power;
}

SL_PURE FLOATN pow(FLOATN x, FLOATN y)
{
    FLOATN power = sl_power(fabs(x), y);
    INTN special = !(x > 0.0f) | isnan(power);
    if (sl_any(special))
        power = special ? sl_pow_special(x, y, power) : power;
    return power;
}

/* Of zero and one to the power of infinity or zero, NaN comes of itself. */
SL_PURE FLOATN powr(FLOATN x, FLOATN y)
{
    return x < 0.0f ? (FLOATN)NAN : sl_power(fabs(x), y);
}

/* n in two parts: it may have more bits than a float. */
SL_PURE static FLOATN sl_pown_of_any(FLOATN x, INTN n)
{
    FLOATN y = TO_FLOATN(n & ~0xff), y_low = TO_FLOATN(n & 0xff);
    FLOATN high;
    FLOATN low = sl_log2_pair(fabs(x), &high);
    FLOATN whole = y + y_low;
    y_low = y_low - (whole - y);
    FLOATN product = whole * high;
    low = whole * low + fma(whole, high, -product);
    FLOATN power = sl_exp2_pair(product, y_low * high + low);
    power = (n & 1) != 0 ? copysign(power, x) : power;
    return n == 0 ? (FLOATN)1.0f : power;
}

SL_POWN(FLOATN, INTN, TO_INTN, 1.0f, 0x1p-126f)

SL_PURE FLOATN half_powr(FLOATN x, FLOATN y)
{
    return powr(x, y);
}

#undef SL_ROUNDER
