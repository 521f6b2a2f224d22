/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sl_scale(y, t), part of the exponential functions: y * 2^n where t is n + 1.5 * 2^23 (float) or
 * n + 1.5 * 2^52 (double), and n is less than twice the largest exponent. scale_avx512.cl has what
 * replaces it where there is an instruction for it.
 */
#include "table.h"

#define SL_BODY "scale_body.h"
#include "each_width.h"
