/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pow and powr of double for AVX-512: of zero and infinity the logarithm is infinite, and the right
 * magnitudes come of themselves.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"

#define SL_BODY "math/pow_double_avx512_body.h"
#include "each_width.h"
