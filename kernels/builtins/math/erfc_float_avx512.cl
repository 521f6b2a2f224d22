/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erfc of float: one form for the whole range, no branches.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/erfc_float_avx512_body.h"
#include "each_width.h"
