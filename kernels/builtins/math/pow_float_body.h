/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of pow_float.cl. In double every float is a normal number and every result that float can
 * hold, subnormals included, comes from one final rounding.
 */

#include "math/wide_float.h"

/* sl_log2_wide of a normal number, of anything else something: in float it is half the work. */
SL_PURE static DOUBLEN sl_log2_normal(FLOATN x)
{
    INTN above = AS_INTN(x) - 0x3f3504f3;
    FLOATN f = AS_FLOATN(AS_INTN(x) - (above & (int)0xff800000)) - 1.0f;
    return sl_log2_near_one(TO_DOUBLEN(f), TO_DOUBLEN(above >> 23));
}

/* |x|^y where x is zero or infinite: the logarithm above is finite there. */
SL_PURE static FLOATN sl_power_ends(FLOATN magnitude, FLOATN y, FLOATN power)
{
    INTN grows = (y > 0.0f) == (magnitude > 1.0f);
    FLOATN end = grows ? (FLOATN)INFINITY : (FLOATN)0.0f;
    return magnitude == 0.0f || magnitude == INFINITY ? end : power;
}

/* A normal number. Of bits, since LLVM takes comparisons with zero and infinity for questions after
 * classes, which it asks one after the other. */
SL_PURE static INTN sl_is_positive(FLOATN x)
{
    return AS_UINTN(x) - 0x00800000 < (uint)0x7f000000;
}

SL_PURE static INTN sl_is_finite(FLOATN x)
{
    return AS_UINTN(x) << 1 < (uint)0xff000000;
}

/* |x|^y where `power` is that for normal |x| and finite y. */
SL_PURE static FLOATN sl_power(FLOATN magnitude, FLOATN y, FLOATN power)
{
    INTN tiny = AS_UINTN(magnitude) - 1 < (uint)0x007fffff;
    if (sl_any(tiny)) {
        FLOATN wide = sl_exp2_wide(TO_DOUBLEN(y) * sl_log2_wide(magnitude));
        power = tiny ? wide : power;
    }
    return sl_power_ends(magnitude, y, power);
}

SL_PURE static FLOATN sl_pow_of_any(FLOATN x, FLOATN y, FLOATN power)
{
    FLOATN magnitude = fabs(x);
    power = sl_power(magnitude, y, power);
    FLOATN half_y = y * 0.5f;
    INTN is_whole = trunc(y) == y;
    INTN is_odd = is_whole && trunc(half_y) != half_y;
    power = is_odd ? copysign(power, x) : power;
    power = x < 0.0f && !is_whole && magnitude != INFINITY ? (FLOATN)NAN : power;
    power = isnan(x) || isnan(y) ? x + y : power;
    power = magnitude == 1.0f && fabs(y) == INFINITY ? (FLOATN)1.0f : power;
    return x == 1.0f || y == 0.0f ? (FLOATN)1.0f : power;
}

SL_PURE static FLOATN sl_powr_of_any(FLOATN x, FLOATN y, FLOATN power)
{
    power = sl_power(fabs(x), y, power);
    power = y == 0.0f ? (FLOATN)1.0f : power;
    INTN undefined = x < 0.0f || (y == 0.0f && (x == 0.0f || x == INFINITY)) ||
                     (x == 1.0f && fabs(y) == INFINITY);
    power = undefined ? (FLOATN)NAN : power;
    return isnan(x) || isnan(y) ? x + y : power;
}

/* Items whose numbers are nothing special pass the rest by, if all of a vector's are such. */
#define SL_POWER(NAME)                                                                             \
    SL_PURE FLOATN NAME(FLOATN x, FLOATN y)                                                        \
    {                                                                                              \
        FLOATN power = sl_exp2_wide(TO_DOUBLEN(y) * sl_log2_normal(fabs(x)));                      \
        INTN special = !(sl_is_positive(x) && sl_is_finite(y));                                    \
        if (sl_any(special))                                                                       \
            power = sl_##NAME##_of_any(x, y, power);                                               \
        return power;                                                                              \
    }
SL_POWER(pow)
SL_POWER(powr)
#undef SL_POWER

SL_PURE static FLOATN sl_pown_of_any(FLOATN x, INTN n)
{
    FLOATN magnitude = fabs(x);
    FLOATN power = sl_exp2_wide(TO_DOUBLEN(n) * sl_log2_wide(magnitude));
    power = sl_power_ends(magnitude, TO_FLOATN(n), power);
    power = (n & 1) != 0 ? copysign(power, x) : power;
    power = isnan(x) ? x : power;
    return n == 0 ? (FLOATN)1.0f : power;
}

SL_POWN(FLOATN, INTN, TO_INTN, 1.0f, 0x1p-126f)

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

SL_PURE FLOATN half_powr(FLOATN x, FLOATN y)
{
    return powr(x, y);
}
