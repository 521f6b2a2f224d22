/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_double.cl.
 */
SL_INLINE DOUBLEN sl_log_wide(DOUBLEN magnitude, private DOUBLEN *low); /* pow_wide.cl */
SL_PURE DOUBLEN sl_exp_wide(DOUBLEN high, DOUBLEN low);

/* |x|^y where x is zero or infinite. */
SL_PURE static DOUBLEN sl_power_ends(DOUBLEN magnitude, DOUBLEN y, DOUBLEN power)
{
    LONGN grows = (y > 0.0) == (magnitude > 1.0);
    DOUBLEN end = grows ? (DOUBLEN)INFINITY : (DOUBLEN)0.0;
    return magnitude == 0.0 || magnitude == (DOUBLEN)INFINITY ? end : power;
}

/* Of finite magnitudes that are not zero and finite y; of others something. */
SL_PURE static DOUBLEN sl_power(DOUBLEN magnitude, DOUBLEN y)
{
    DOUBLEN low;
    DOUBLEN high = sl_log_wide(magnitude, &low);
    DOUBLEN product = y * high;
    return sl_exp_wide(product, fma(y, high, -product) + y * low);
}

/* Of bits, since LLVM takes comparisons with zero and infinity for questions after classes, which
 * it asks one after the other. */
SL_PURE static LONGN sl_is_positive(DOUBLEN x)
{
    return AS_ULONGN(x) - 1 < (ulong)0x7fefffffffffffff;
}

SL_PURE static LONGN sl_is_finite(DOUBLEN x)
{
    return AS_ULONGN(x) << 1 < (ulong)0xffe0000000000000;
}

SL_PURE static DOUBLEN sl_pow_of_any(DOUBLEN x, DOUBLEN y, DOUBLEN power)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN half_y = y * 0.5;
    LONGN is_whole = trunc(y) == y;
    LONGN is_odd = is_whole && trunc(half_y) != half_y;
    power = sl_power_ends(magnitude, y, power);
    power = is_odd ? copysign(power, x) : power;
    power = x < 0.0 && !is_whole && magnitude != (DOUBLEN)INFINITY ? (DOUBLEN)NAN : power;
    power = isnan(x) || isnan(y) ? x + y : power;
    power = magnitude == 1.0 && fabs(y) == (DOUBLEN)INFINITY ? (DOUBLEN)1.0 : power;
    return x == 1.0 || y == 0.0 ? (DOUBLEN)1.0 : power;
}

SL_PURE static DOUBLEN sl_powr_of_any(DOUBLEN x, DOUBLEN y, DOUBLEN power)
{
    power = sl_pow_of_any(fabs(x), y, power);
    LONGN undefined = x < 0.0 || (y == 0.0 && (x == 0.0 || x == (DOUBLEN)INFINITY)) ||
                      (x == 1.0 && fabs(y) == (DOUBLEN)INFINITY);
    power = undefined ? (DOUBLEN)NAN : power;
    return isnan(x) || isnan(y) ? x + y : power;
}

/* Items whose numbers are nothing special pass the rest by, if all of a vector's are such. */
#define SL_POWER(NAME)                                                                             \
    SL_PURE DOUBLEN NAME(DOUBLEN x, DOUBLEN y)                                                     \
    {                                                                                              \
        DOUBLEN power = sl_power(fabs(x), y);                                                      \
        LONGN special = !(sl_is_positive(x) && sl_is_finite(y));                                   \
        if (sl_any(special))                                                                       \
            power = sl_##NAME##_of_any(x, y, power);                                               \
        return power;                                                                              \
    }
SL_POWER(pow)
SL_POWER(powr)
#undef SL_POWER

SL_PURE static DOUBLEN sl_pown_of_any(DOUBLEN x, INTN n)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN y = TO_DOUBLEN(n);
    DOUBLEN power = sl_power_ends(magnitude, y, sl_power(magnitude, y));
    power = TO_LONGN(n & 1) != 0 ? copysign(power, x) : power;
    power = isnan(x) ? x : power;
    return y == 0.0 ? (DOUBLEN)1.0 : power;
}

SL_POWN(DOUBLEN, LONGN, TO_LONGN, 1.0, 0x1p-1022)

/* 1/n in two parts as well */
SL_PURE DOUBLEN rootn(DOUBLEN x, INTN n)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN degree = TO_DOUBLEN(n);
    DOUBLEN y = 1.0 / degree;
    DOUBLEN y_low = fma(-y, degree, (DOUBLEN)1.0) * y;
    DOUBLEN low;
    DOUBLEN high = sl_log_wide(magnitude, &low);
    DOUBLEN product = y * high;
    DOUBLEN power = sl_exp_wide(product, fma(y, high, -product) + (y * low + y_low * high));
    power = sl_power_ends(magnitude, degree, power);
    LONGN is_odd = TO_LONGN(n & 1) != 0;
    power = is_odd ? copysign(power, x) : power;
    power = isnan(x) ? x : power;
    return degree == 0.0 || (x < 0.0 && !is_odd) ? (DOUBLEN)NAN : power;
}
