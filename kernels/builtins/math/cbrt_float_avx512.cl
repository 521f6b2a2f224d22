/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cbrt of float for AVX-512: a table of the inverse's first bits, and a series for the rest.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* The inverse cube roots of [2, 4), [1/2, 1) and [1, 2), eighths of each, so that 1 - m * root^3
 * stays below 0.0593; of 12 bits, their squares are exact. Entries 8 to 15 are not used. */
constant float sl_cbrt_inverse[32] __attribute__((aligned(64))) = {
    0x1.8e4p-1f, 0x1.7fcp-1f, 0x1.732p-1f, 0x1.682p-1f, 0x1.5e4p-1f, 0x1.556p-1f, 0x1.4d4p-1f,
    0x1.46p-1f,  0x1p+0f,     0x1p+0f,     0x1p+0f,     0x1p+0f,     0x1p+0f,     0x1p+0f,
    0x1p+0f,     0x1p+0f,     0x1.3c2p+0f, 0x1.30ap+0f, 0x1.26ap+0f, 0x1.1dcp+0f, 0x1.16p+0f,
    0x1.0eep+0f, 0x1.088p+0f, 0x1.02cp+0f, 0x1.f5cp-1f, 0x1.e38p-1f, 0x1.d3ap-1f, 0x1.c5ap-1f,
    0x1.b94p-1f, 0x1.aep-1f,  0x1.a3ep-1f, 0x1.9acp-1f,
};

#define SL_BODY "math/cbrt_float_avx512_body.h"
#include "each_width.h"
