/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sl_scale (scale.cl) and ldexp for AVX-512, where LLVM's ldexp is one instruction.
 */
#include "table.h"

#define SL_BODY "math/scale_avx512_body.h"
#include "each_width.h"
