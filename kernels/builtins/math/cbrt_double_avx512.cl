/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cbrt of double for AVX-512: no division.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* m^(-1/3) for the sixteenths of 1 to 2: a line each, good to 2^-13 */
constant double sl_cbrt_start[16] __attribute__((aligned(64))) = {
    0x1.51ea8cp+0, 0x1.4b588ap+0, 0x1.45424p+0,  0x1.3f9892p+0, 0x1.3a4eeap+0, 0x1.355aa8p+0,
    0x1.30b2ccp+0, 0x1.2c4fap+0,  0x1.282a7ep+0, 0x1.243da6p+0, 0x1.20840ep+0, 0x1.1cf95p+0,
    0x1.199988p+0, 0x1.166144p+0, 0x1.134d76p+0, 0x1.105b62p+0,
};
constant double sl_cbrt_slope[16] __attribute__((aligned(64))) = {
    -0x1.47c4bp-2,  -0x1.2f0538p-2, -0x1.195e22p-2, -0x1.06490ap-2, -0x1.eab77cp-3, -0x1.cc829ap-3,
    -0x1.b16a0ep-3, -0x1.98fda2p-3, -0x1.82e0d8p-3, -0x1.6ec6d4p-3, -0x1.5c6f34p-3, -0x1.4ba3b4p-3,
    -0x1.3c363ep-3, -0x1.2dff7ap-3, -0x1.20dda4p-3, -0x1.14b38ep-3,
};

#define SL_BODY "math/cbrt_double_avx512_body.h"
#include "each_width.h"
