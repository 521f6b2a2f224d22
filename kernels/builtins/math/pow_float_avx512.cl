/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pow, powr and pown of float for AVX-512: the logarithm is a pair of floats, with tables of two
 * registers each.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"
#include "math/pown_small.h"
#include "rare.h"

/* c: close to the inverse of a significand that begins with these five bits, and a multiple of
 * 2^-7, of 2^-6 where c * m - 1 reaches 2^-6: that difference is exact */
constant float sl_power_inverse[32] __attribute__((aligned(64))) = {
    0x1p+0f,    0x1.e8p-1f, 0x1.ep-1f,  0x1.dp-1f,  0x1.cp-1f,  0x1.b4p-1f, 0x1.a8p-1f, 0x1.ap-1f,
    0x1.94p-1f, 0x1.8cp-1f, 0x1.8p-1f,  0x1.78p-1f, 0x1.7p-1f,  0x1.68p-1f, 0x1.6p-1f,  0x1.58p-1f,
    0x1.5p+0f,  0x1.4cp+0f, 0x1.44p+0f, 0x1.4p+0f,  0x1.38p+0f, 0x1.34p+0f, 0x1.2cp+0f, 0x1.28p+0f,
    0x1.2p+0f,  0x1.1cp+0f, 0x1.18p+0f, 0x1.14p+0f, 0x1.1p+0f,  0x1.0cp+0f, 0x1.08p+0f, 0x1p+0f,
};

/* -log2(c) to 15 binary places, and what it lacks */
constant float sl_power_high[32] __attribute__((aligned(64))) = {
    0x0p+0f,      0x1.1bcp-4f,   0x1.7d6p-4f,  0x1.22ep-3f,  0x1.8a9p-3f,   0x1.dacp-3f,
    0x1.16ap-2f,  0x1.32cp-2f,   0x1.5ep-2f,   0x1.7b88p-2f, 0x1.a9p-2f,    0x1.c818p-2f,
    0x1.e7ep-2f,  0x1.042cp-1f,  0x1.14c4p-1f, 0x1.25cp-1f,  -0x1.91b8p-2f, -0x1.8008p-2f,
    -0x1.5cp-2f,  -0x1.49a8p-2f, -0x1.244p-2f, -0x1.113p-2f, -0x1.d4ap-3f,  -0x1.acfp-3f,
    -0x1.5cp-3f,  -0x1.32bp-3f,  -0x1.08cp-3f, -0x1.bc8p-4f, -0x1.664p-4f,  -0x1.0ecp-4f,
    -0x1.6bcp-5f, 0x0p+0f,
};
constant float sl_power_low[32] __attribute__((aligned(64))) = {
    0x0p+0f,          -0x1.9ab4p-17f,   0x1.25b3eep-22f,  -0x1.48f554p-17f, -0x1.9fd502p-17f,
    0x1.169f22p-18f,  -0x1.fd64ep-17f,  -0x1.1c8f12p-22f, -0x1.18708ap-17f, 0x1.f02cf2p-18f,
    -0x1.a39fbep-20f, 0x1.dc2d46p-18f,  -0x1.40358ep-19f, -0x1.5a32c2p-20f, 0x1.60fe68p-17f,
    0x1.408c78p-18f,  -0x1.d448f8p-17f, -0x1.2b18bp-17f,  -0x1.a39fbep-18f, 0x1.ed0cbap-20f,
    -0x1.eac382p-20f, -0x1.f6b4c2p-20f, 0x1.1b3cdap-19f,  -0x1.78b6d4p-17f, -0x1.a39fbep-19f,
    0x1.61d876p-19f,  -0x1.62336ap-17f, -0x1.0902b6p-18f, 0x1.20a6dep-21f,  0x1.8ec0bap-17f,
    0x1.2c8a72p-17f,  0x0p+0f,
};

#define SL_BODY "math/pow_float_avx512_body.h"
#include "each_width.h"
