/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos, tan and sincos of float with fused multiply-add: sin and cos are one
 * polynomial between -pi/2 and pi/2. Arguments too large for pi in three parts are out of line
 * (rare.h).
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_sin)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_cos)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_tan)

#define SL_BODY "math/trig_float_avx512_body.h"
#include "each_width.h"
