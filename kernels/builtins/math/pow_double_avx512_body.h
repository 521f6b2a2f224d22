/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_double_avx512.cl.
 */
SL_INLINE DOUBLEN sl_log_wide(DOUBLEN magnitude, private DOUBLEN *low); /* log_double_avx512.cl */
SL_PURE DOUBLEN sl_exp_wide(DOUBLEN high, DOUBLEN low);                 /* exp_double_avx512.cl */

/* x^y for x >= 0 */
SL_PURE static DOUBLEN sl_power(DOUBLEN x, DOUBLEN y)
{
    DOUBLEN low;
    DOUBLEN high = sl_log_wide(x, &low);
    DOUBLEN product = y * high;
    return sl_exp_wide(product, fma(y, high, -product) + y * low);
}

SL_PURE static DOUBLEN sl_pow_special(DOUBLEN x, DOUBLEN y, DOUBLEN power)
{
    DOUBLEN half_y = y * 0.5;
    LONGN is_whole = trunc(y) == y;
    LONGN is_odd = is_whole & (trunc(half_y) != half_y);
    power = is_odd ? copysign(power, x) : power;
    LONGN undefined = (x < 0.0) & !is_whole & (x != -(DOUBLEN)INFINITY);
    power = undefined ? (DOUBLEN)NAN : power;
    LONGN unknown = isnan(x) | isnan(y);
    power = unknown ? x + y : power;
    LONGN one = (fabs(x) == 1.0) & (fabs(y) == (DOUBLEN)INFINITY);
    one = one | (x == 1.0) | (y == 0.0);
    return one ? (DOUBLEN)1.0 : power;
}

SL_PURE DOUBLEN pow(DOUBLEN x, DOUBLEN y)
{
    DOUBLEN power = sl_power(fabs(x), y);
    LONGN special = !(x > 0.0) | isnan(power);
    if (sl_any(special))
        power = special ? sl_pow_special(x, y, power) : power;
    return power;
}

/* Of zero and one to the power of infinity or zero, NaN comes of itself. */
SL_PURE DOUBLEN powr(DOUBLEN x, DOUBLEN y)
{
    return x < 0.0 ? (DOUBLEN)NAN : sl_power(fabs(x), y);
}
