/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the powers of double (pow_double.cl): the logarithm of a magnitude as two doubles, and
 * the exponential of such a number. Those for AVX-512 are in log_double_avx512.cl and
 * exp_double_avx512.cl.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#define SL_BODY "math/pow_wide_body.h"
#include "each_width.h"
