/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypot of double for AVX-512: without a square root, which takes longer than all the rest, where
 * the squares are within the range.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"
#include "rare.h"

#define SL_BODY "math/hypot_avx512_body.h"
#include "each_width.h"
