/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers of more than 64 bits, for a code generator that has no library to call: LLVM makes code
 * of what is added, multiplied, shifted and compared, and calls functions for the rest. Any thread.
 */
#ifndef SL_KERNELS_LLVM_WIDE_INTEGERS_H
#define SL_KERNELS_LLVM_WIDE_INTEGERS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Replaces divisions, conversions from and to floating-point numbers, and products of more than 512
 * bits, which would be long code each time, by calls of functions that are made here, one for each
 * width. Numbers are rounded to the nearest, to even where there are two; what is too large becomes
 * infinite. Vectors are taken apart. The last that is done to a module.
 */
void sl_llvm_expand_wide_integers(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
