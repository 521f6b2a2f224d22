/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of the exponential functions: y * 2^n, n less than twice the largest exponent. For
 * sl_scale(y, t) t is n + 1.5 * 2^52; scale_avx512.cl has what replaces it where there is an
 * instruction for it. For sl_scale_biased t is n + 2 * 127 + 1.5 * 2^23 (float) or
 * n + 2 * 1023 + 1.5 * 2^52 (double), so that each factor's exponent has its bias already.
 */
#include "table.h"

#define SL_BODY "math/scale_body.h"
#include "each_width.h"
