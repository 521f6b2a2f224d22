/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypot: no branches, one root.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/hypot_body.h"
#include "each_width.h"
