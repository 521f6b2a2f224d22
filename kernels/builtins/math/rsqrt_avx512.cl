/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rsqrt of float and double for AVX-512: the machine's estimate, and a series for what it lacks,
 * instead of a root and a quotient.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

#define SL_BODY "math/rsqrt_avx512_body.h"
#include "each_width.h"
