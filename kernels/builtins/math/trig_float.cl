/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos, tan and sincos of float: reduced with pi/2 in five parts up to 2^13 times pi/2, beyond
 * that out of line (rare.h). The native forms are good up to a few thousand.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_sin)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_cos)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_tan)

#define SL_BODY "math/trig_float_body.h"
#include "each_width.h"
