/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log, log2, log10 and log1p of double: no branches, no tables.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_wide_log)
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_wide_log2)
SL_EACH_WIDTH(SL_DECLARE_RARE, double, sl_rare_wide_log10)

#define SL_BODY "math/log_double_body.h"
#include "each_width.h"
