/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp, exp2 and exp10 of float, with their native and half forms: no branches, so that a loop of
 * work-items vectorises, and subnormal results are right.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/exp_float_body.h"
#include "each_width.h"
