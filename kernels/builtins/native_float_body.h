/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of native_float.cl.
 */
#include "native_polynomial.h"

#define SL_ROUNDER 0x1.8p23f

/* Zero and infinity come of exponents of -127 and 128 without a fraction. */
SL_PURE FLOATN native_exp2(FLOATN x)
{
    FLOATN a = x < -127.0f ? (FLOATN)-127.0f : x;
    a = a > 128.0f ? (FLOATN)128.0f : a;
    FLOATN t = a + SL_ROUNDER;
    FLOATN p = sl_exp2_native(a - (t - SL_ROUNDER));
    return AS_FLOATN(AS_UINTN(p) + (AS_UINTN(t) << 23));
}

/* Of subnormal numbers it is -127 to -126. */
SL_PURE FLOATN native_log2(FLOATN x)
{
    UINTN bits = AS_UINTN(x);
    FLOATN e = TO_FLOATN(AS_INTN(bits >> 23)) - 127.0f;
    FLOATN value = sl_log2_native(AS_FLOATN((bits & 0x7fffff) | 0x3f800000) - 1.0f) + e;
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

#include "native_common.h"

#undef SL_ROUNDER
