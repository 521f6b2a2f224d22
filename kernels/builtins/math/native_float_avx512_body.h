/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of native_float_avx512.cl.
 */
#include "math/native_polynomial.h"

#define SL_ROUNDER 0x1.8p23f

/*
 * 2^z for z = n + r, n + SL_ROUNDER = t. Far from zero r is anything: limited, the result becomes
 * infinite or zero by n.
 */
SL_PURE static FLOATN sl_exp2_of(FLOATN z, FLOATN t, FLOATN r)
{
    return sl_lane_scale(sl_exp2_native(sl_lane_limit(r, (FLOATN)0.5f)), t - SL_ROUNDER);
}

/* log2(1 + f) for f in [-1/4, 1/2], relative error 2^-22.5 */
SL_PURE static FLOATN sl_log2_near_one(FLOATN f)
{
    FLOATN p = -0x1.88b596p-4f * f + 0x1.a18f66p-3f;
    p = p * f - 0x1.00a724p-2f;
    p = p * f + 0x1.290faap-2f;
    p = p * f - 0x1.70fc7ep-2f;
    p = p * f + 0x1.ec6318p-2f;
    p = p * f - 0x1.7154dep-1f;
    p = p * f + 0x1.71547ap+0f;
    return p * f;
}

SL_PURE FLOATN native_log2(FLOATN x)
{
    FLOATN m = sl_lane_significand(x);
    return sl_log2_near_one(m - 1.0f) + (sl_lane_exponent(x) - sl_lane_exponent(m));
}

SL_PURE static FLOATN sl_minus_n_pi_native(FLOATN x, FLOATN n)
{
    FLOATN r = fma(n, (FLOATN)-0x1.921fb4p+1f, x);
    return sl_lane_limit(fma(n, (FLOATN)-0x1.4442dp-23f, r), (FLOATN)0x1.921fb6p+0f);
}

#include "math/native_common.h"

#undef SL_ROUNDER
