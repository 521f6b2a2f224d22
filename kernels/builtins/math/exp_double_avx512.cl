/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp, exp2 and exp10 of double for AVX-512: sixteenths of a power of two are in a table of two
 * registers.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* 2^(i / 16) */
constant double sl_sixteenths[16] __attribute__((aligned(64))) = {
    0x1p+0,
    0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0,
    0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f09p+0,
    0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0,
};

#define SL_BODY "math/exp_double_avx512_body.h"
#include "each_width.h"
