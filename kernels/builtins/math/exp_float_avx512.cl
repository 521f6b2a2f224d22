/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp, exp2 and exp10 of float for AVX-512.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

#define SL_BODY "math/exp_float_avx512_body.h"
#include "each_width.h"
