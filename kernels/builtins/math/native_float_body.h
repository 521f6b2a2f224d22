/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of native_float.cl.
 */
#include "math/native_polynomial.h"

#define SL_ROUNDER 0x1.8p23f

/* 2^z for z = n + r, n + SL_ROUNDER = t; what is too far from zero is made anew. */
SL_PURE static FLOATN sl_exp2_of(FLOATN z, FLOATN t, FLOATN r)
{
    FLOATN value = AS_FLOATN(AS_UINTN(sl_exp2_native(r)) + (AS_UINTN(t) << 23));
    value = z < -126.0f ? (FLOATN)0.0f : value;
    return z >= 128.0f ? (FLOATN)INFINITY : value;
}

/* log2(1 + f) for |f| <= 1/3, relative error 2^-22.5 */
SL_PURE static FLOATN sl_log2_near_one(FLOATN f)
{
    FLOATN p = -0x1.c5f96cp-3f * f + 0x1.f9a1cap-3f;
    p = p * f - 0x1.e5297ap-3f;
    p = p * f + 0x1.246e66p-2f;
    p = p * f - 0x1.717134p-2f;
    p = p * f + 0x1.ec8246p-2f;
    p = p * f - 0x1.715458p-1f;
    p = p * f + 0x1.715472p+0f;
    return p * f;
}

/* x = 2^e * (1 + f); of subnormal numbers the result is -127 to -126. */
SL_PURE FLOATN native_log2(FLOATN x)
{
    INTN bits = AS_INTN(x) - 0x3f2aaaab;
    FLOATN f = AS_FLOATN((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
    FLOATN value = sl_log2_near_one(f) + TO_FLOATN(bits >> 23);
    return x == 0.0f ? (FLOATN)-INFINITY : value;
}

/* Both parts of pi as one difference each; what is too far from that counts as pi/2. */
SL_PURE static FLOATN sl_minus_n_pi_native(FLOATN x, FLOATN n)
{
    FLOATN r = x - n * 0x1.92p+1f;
    r = r - n * 0x1.fb4p-11f;
    r = r - n * 0x1.4442dp-23f;
    r = r > 0x1.921fb6p+0f ? (FLOATN)0x1.921fb6p+0f : r;
    return r < -0x1.921fb6p+0f ? (FLOATN)-0x1.921fb6p+0f : r;
}

#include "math/native_common.h"

#undef SL_ROUNDER
