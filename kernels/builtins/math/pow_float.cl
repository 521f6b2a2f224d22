/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pow, powr, pown and rootn of float: exp2(y * log2|x|) in double, without branches, and the
 * special cases as selections at the end.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "math/pown_small.h"
#include "rare.h"

#define SL_BODY "math/pow_float_body.h"
#include "each_width.h"
