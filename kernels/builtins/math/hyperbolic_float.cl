/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expm1, log1p, the hyperbolic functions, their inverses, cbrt and erfc of float, computed in double,
 * so that differences of like numbers lose nothing that counts. No branches, no tables.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/hyperbolic_float_body.h"
#include "each_width.h"
