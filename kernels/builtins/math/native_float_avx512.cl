/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native forms of the float functions for AVX-512.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"
#include "rare.h"

#define SL_BODY "math/native_float_avx512_body.h"
#include "each_width.h"
