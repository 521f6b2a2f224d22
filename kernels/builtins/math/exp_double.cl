/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp, exp2, exp10 and expm1 of double: no branches and no tables, so that a loop of work-items
 * vectorises.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/exp_double_body.h"
#include "each_width.h"
