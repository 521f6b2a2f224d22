/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log, log2 and log10 of float, with their native and half forms: no branches, no tables.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "log_float_body.h"
#include "each_width.h"
