/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cbrt of float with fused multiply-add: no division, no table.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/cbrt_float_fma_body.h"
#include "each_width.h"
