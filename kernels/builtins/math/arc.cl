/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inverses of the trigonometric functions, of float and double: polynomials without branches.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/arc_body.h"
#include "each_width.h"
