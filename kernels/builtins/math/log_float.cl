/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log, log2 and log10 of float, with their native and half forms: no tables; what is not a
 * positive normal number is out of line (rare.h).
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_wide_log)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_wide_log2)
SL_EACH_WIDTH(SL_DECLARE_RARE, float, sl_rare_wide_log10)

/* Rare code has no conversions by name. */
SL_PURE static float sl_to_float(int x)
{
    return (float)x;
}
#define SL_TO_FLOAT(T, N, NAME)                                                                    \
    SL_PURE static T##N NAME(int##N x)                                                             \
    {                                                                                              \
        return __builtin_convertvector(x, T##N);                                                   \
    }
SL_TO_FLOAT(float, 2, sl_to_float)
SL_TO_FLOAT(float, 3, sl_to_float)
SL_TO_FLOAT(float, 4, sl_to_float)
SL_TO_FLOAT(float, 8, sl_to_float)
SL_TO_FLOAT(float, 16, sl_to_float)
#undef SL_TO_FLOAT

#define SL_BODY "math/log_float_body.h"
#include "each_width.h"
