/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sinpi, cospi and tanpi of float and double: one polynomial between a quarter turn back and forth.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/trig_pi_body.h"
#include "each_width.h"
