/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expm1, log1p, the hyperbolic functions and their inverses of float for AVX-512, in float: what
 * would cancel is left out of sums or kept beside them.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

#define SL_BODY "math/hyperbolic_float_avx512_body.h"
#include "each_width.h"
