/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of native_float_avx512.cl.
 */
#include "native_polynomial.h"

#define SL_ROUNDER 0x1.8p23f

SL_PURE FLOATN native_exp2(FLOATN x)
{
    FLOATN n = (x + SL_ROUNDER) - SL_ROUNDER;
    return sl_lane_scale(sl_exp2_native(x - n), n);
}

SL_PURE FLOATN native_log2(FLOATN x)
{
    return sl_log2_native(sl_lane_mantissa(x) - 1.0f) + sl_lane_exponent(x);
}

SL_PURE static FLOATN sl_minus_n_pi_native(FLOATN x, FLOATN n)
{
    FLOATN r = fma(n, (FLOATN)-0x1.921fb4p+1f, x);
    return sl_lane_limit(fma(n, (FLOATN)-0x1.4442dp-23f, r), (FLOATN)0x1.921fb6p+0f);
}

#include "native_common.h"

#undef SL_ROUNDER
