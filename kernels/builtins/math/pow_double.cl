/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pow, powr, pown and rootn of double: e^(y * log|x|) with the logarithm and the product in two
 * doubles each, without branches; the special cases are selections at the end. fma is meant as
 * such here: it finds what a product lost.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "math/pown_small.h"
#include "rare.h"

#define SL_BODY "math/pow_double_body.h"
#include "each_width.h"
