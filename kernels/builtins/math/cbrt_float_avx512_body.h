/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of cbrt_float_avx512.cl. |x| = 2^(3k) * m with m in [1/2, 4); y = m * root^2 is the cube
 * root of m but for (1 - e)^(-2/3), where e = 1 - y * root. An error of y goes into e too: a third
 * of it is left.
 */

#define SL_ROUNDER 0x1.8p23f

SL_PURE FLOATN cbrt(FLOATN x)
{
    FLOATN a = fabs(x);
    FLOATN exponent = sl_lane_exponent(a);
    FLOATN t = exponent * 0x1.555556p-2f + SL_ROUNDER;
    FLOATN turned = exponent - 3.0f * (t - SL_ROUNDER) + SL_ROUNDER;
    FLOATN m = AS_FLOATN(AS_UINTN(sl_lane_mantissa(a)) + (AS_UINTN(turned) << 23));
    FLOATN root = sl_lane_entry32(sl_cbrt_inverse, AS_INTN(AS_UINTN(m) >> 20));
    FLOATN y = m * (root * root);
    FLOATN e = 1.0f - y * root;
    FLOATN p = 0x1.b349f6p-2f * e + 0x1.d18ad2p-2f;
    p = p * e + 0x1.f9ac7ep-2f;
    p = p * e + 0x1.1c718p-1f;
    p = p * e + 0x1.555556p-1f;
    y = y * e * p + y;
    FLOATN value = AS_FLOATN(AS_UINTN(y) + (AS_UINTN(t) << 23));
    return fabs(exponent) < 200.0f ? copysign(value, x) : x;
}

#undef SL_ROUNDER
