/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erf and erfc of double: no branches, no tables.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/erf_double_body.h"
#include "each_width.h"
