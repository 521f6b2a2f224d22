/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erf of float: one quotient of polynomials over the whole range, no branches.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/erf_float_body.h"
#include "each_width.h"
