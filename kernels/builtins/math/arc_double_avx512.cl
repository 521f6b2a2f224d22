/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atan of double for AVX-512: one of 15 angles or a right one, and what is missing from it.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* k / (15 - k) and its angle; the last angle is a right one */
constant double sl_atan_node[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.2492492492492p-4,
    0x1.3b13b13b13b14p-3,
    0x1p-2,
    0x1.745d1745d1746p-2,
    0x1p-1,
    0x1.5555555555555p-1,
    0x1.cp-1,
    0x1.2492492492492p+0,
    0x1.8p+0,
    0x1p+1,
    0x1.6p+1,
    0x1p+2,
    0x1.ap+2,
    0x1.cp+3,
    0x0p+0,
};
constant double sl_atan_of_node[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.24134bd36a784p-4,
    0x1.38a03609b6545p-3,
    0x1.f5b75f92c80ddp-3,
    0x1.652439d8be716p-2,
    0x1.dac670561bb4fp-2,
    0x1.2d0ead6066395p-1,
    0x1.700a7c5784634p-1,
    0x1.b434ee31013fcp-1,
    0x1.f730bd281f69bp-1,
    0x1.1b6e192ebbe44p+0,
    0x1.38d6a6ce13353p+0,
    0x1.5368c951e9cfdp+0,
    0x1.6b0bae830c07p+0,
    0x1.7fde80870c2ap+0,
    0x1.921fb54442d18p+0,
};

#define SL_BODY "math/arc_double_avx512_body.h"
#include "each_width.h"
