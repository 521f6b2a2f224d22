/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fmod, remainder and remquo for machines that may lack fused multiply-add: products of floats are
 * exact in double, those of doubles are left to the long division.
 */
#include "table.h"

#define SL_QUICK_LIMIT_float 0x1p22f
#define SL_QUICK_LIMIT_double 0.0
#define SL_REST_float(Q, B, A) (float)((double)(A) - (double)(Q) * (double)(B))
#define SL_REST_double(Q, B, A) ((A) - (Q) * (B))

#include "math/remainder_functions.h"
