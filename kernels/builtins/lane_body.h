/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of lane.cl.
 */

#if SL_N + 0 == 0
#define SL_LOOK_UP(RESULT, MASK) RESULT = table[i & MASK]
#else
#define SL_LOOK_UP(RESULT, MASK)                                                                   \
    for (int k = 0; k < SL_N; k++)                                                                 \
    RESULT[k] = table[i[k] & MASK]
#endif

SL_LANE FLOATN sl_lane_exponent(FLOATN x)
{
    FLOATN a = fabs(x);
    INTN tiny = a < 0x1p-126f;
    INTN bits = AS_INTN(tiny ? a * 0x1p23f : a);
    FLOATN e = TO_FLOATN((bits >> 23) - (tiny ? (INTN)150 : (INTN)127));
    e = a == 0.0f ? (FLOATN)-INFINITY : e;
    return a < INFINITY ? e : a;
}

SL_LANE FLOATN sl_lane_mantissa(FLOATN x)
{
    FLOATN a = fabs(x);
    INTN bits = AS_INTN(a < 0x1p-126f ? a * 0x1p23f : a);
    FLOATN m = AS_FLOATN((bits & 0x7fffff) | 0x3f800000);
    m = isnan(x) ? x : m;
    return x < 0.0f ? (FLOATN)NAN : m;
}

SL_LANE FLOATN sl_lane_significand(FLOATN x)
{
    FLOATN m = sl_lane_mantissa(x);
    return m >= 1.5f ? m * 0.5f : m;
}

SL_LANE FLOATN sl_lane_limit(FLOATN x, FLOATN bound)
{
    return fabs(x) < bound ? x : copysign(bound, x);
}

SL_LANE FLOATN sl_lane_rsqrt(FLOATN x)
{
    return 1.0f / sqrt(x);
}

SL_LANE FLOATN sl_lane_reciprocal(FLOATN x)
{
    return 1.0f / x;
}

SL_LANE FLOATN sl_lane_scale(FLOATN y, FLOATN n)
{
    FLOATN within = n > -400.0f ? n : (FLOATN)-400.0f;
    within = within < 400.0f ? within : (FLOATN)400.0f;
    return isnan(n) ? n : __builtin_elementwise_ldexp(y, TO_INTN(floor(within)));
}

SL_LANE FLOATN sl_lane_entry16(constant float *table, INTN i)
{
    FLOATN found;
    SL_LOOK_UP(found, 15);
    return found;
}

SL_LANE FLOATN sl_lane_entry32(constant float *table, INTN i)
{
    FLOATN found;
    SL_LOOK_UP(found, 31);
    return found;
}

SL_LANE DOUBLEN sl_lane_exponent(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    LONGN tiny = a < 0x1p-1022;
    LONGN bits = AS_LONGN(tiny ? a * 0x1p52 : a);
    DOUBLEN e = TO_DOUBLEN((bits >> 52) - (tiny ? (LONGN)1075 : (LONGN)1023));
    e = a == 0.0 ? (DOUBLEN)-INFINITY : e;
    return a < (DOUBLEN)INFINITY ? e : a;
}

SL_LANE DOUBLEN sl_lane_mantissa(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    LONGN bits = AS_LONGN(a < 0x1p-1022 ? a * 0x1p52 : a);
    DOUBLEN m = AS_DOUBLEN((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    m = isnan(x) ? x : m;
    return x < 0.0 ? (DOUBLEN)NAN : m;
}

SL_LANE DOUBLEN sl_lane_significand(DOUBLEN x)
{
    DOUBLEN m = sl_lane_mantissa(x);
    return m >= 1.5 ? m * 0.5 : m;
}

SL_LANE DOUBLEN sl_lane_limit(DOUBLEN x, DOUBLEN bound)
{
    return fabs(x) < bound ? x : copysign(bound, x);
}

SL_LANE DOUBLEN sl_lane_rsqrt(DOUBLEN x)
{
    return 1.0 / sqrt(x);
}

SL_LANE DOUBLEN sl_lane_reciprocal(DOUBLEN x)
{
    return 1.0 / x;
}

SL_LANE DOUBLEN sl_lane_scale(DOUBLEN y, DOUBLEN n)
{
    DOUBLEN within = n > -3000.0 ? n : (DOUBLEN)-3000.0;
    within = within < 3000.0 ? within : (DOUBLEN)3000.0;
    return isnan(n) ? n : __builtin_elementwise_ldexp(y, TO_INTN(floor(within)));
}

SL_LANE DOUBLEN sl_lane_entry16(constant double *table, LONGN i)
{
    DOUBLEN found;
    SL_LOOK_UP(found, 15);
    return found;
}

#undef SL_LOOK_UP
