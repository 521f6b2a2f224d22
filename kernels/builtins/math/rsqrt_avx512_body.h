/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of rsqrt_avx512.cl. With e = 1 - x y^2, 1/sqrt(x) is y (1 - e)^(-1/2), and e is at most
 * 2^-13. It is NaN where the estimate is zero or infinite: some number instead leaves it so.
 */
SL_PURE FLOATN rsqrt(FLOATN x)
{
    FLOATN y = sl_lane_rsqrt(x);
    FLOATN e = 1.0f - x * y * y;
    return isnan(e) ? y : y * 0.5f * e + y;
}

SL_PURE DOUBLEN rsqrt(DOUBLEN x)
{
    DOUBLEN y = sl_lane_rsqrt(x);
    DOUBLEN e = 1.0 - x * y * y;
    DOUBLEN p = 0.2734375 * e + 0.3125;
    p = p * e + 0.375;
    p = p * e + 0.5;
    return isnan(e) ? y : y * e * p + y;
}
