/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native forms of the float functions, which -cl-fast-relaxed-math takes for the others
 * (compiler/builtins/relaxed.c): within the error limits for unsafe math. docs/accuracy.md says how far they
 * go.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"

#define SL_BODY "math/native_float_body.h"
#include "each_width.h"
