/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fmod, remainder and remquo with fused multiply-add, as AVX2 and AVX-512 have it.
 */
#include "table.h"

#define SL_QUICK_LIMIT_float 0x1p22f
#define SL_QUICK_LIMIT_double 0x1p30
#define SL_REST_float(Q, B, A) fma(-(Q), B, A)
#define SL_REST_double(Q, B, A) fma(-(Q), B, A)

#include "math/remainder_functions.h"
