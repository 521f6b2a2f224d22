/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hyperbolic functions of double, their inverses and cbrt, by expm1, exp and log1p. No branches, no
 * tables.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/hyperbolic_double_body.h"
#include "each_width.h"
