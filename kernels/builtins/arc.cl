/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atan2 and atan2pi of float and double, atan of both, acos of double: polynomials without branches.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "arc_body.h"
#include "each_width.h"
