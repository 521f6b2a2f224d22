/* SPDX-License-Identifier: Apache-2.0 */
/* Products of a loop's counter. Stateless. */
#ifndef SL_KERNELS_LLVM_COUNTED_PRODUCTS_H
#define SL_KERNELS_LLVM_COUNTED_PRODUCTS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * `k * x` of a loop's counter and an integer that was loaded in front of the loop becomes a sum
 * that grows by x: in vectors of items a multiplication takes three times as long as the rest of a
 * short round. Not where items meet in the loop: there it would be one more value of each item's in
 * memory; nor what an address is computed of, which is better known as a multiple.
 */
void sl_llvm_add_up_products(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
