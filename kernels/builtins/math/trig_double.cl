/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos, tan and sincos of double: reduced with pi/2 in four parts up to 2^20 times pi/2, beyond
 * that out of line (rare.h).
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_sin)
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_cos)
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_tan)

#define SL_BODY "math/trig_double_body.h"
#include "each_width.h"
