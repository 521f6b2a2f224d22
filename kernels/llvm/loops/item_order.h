/* SPDX-License-Identifier: Apache-2.0 */
/* What loops over work-items may promise of their memory accesses. Stateless; a module belongs to
 * one thread. */
#ifndef SL_KERNELS_LLVM_ITEM_ORDER_H
#define SL_KERNELS_LLVM_ITEM_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loops whose accesses are said to be parallel no longer say so if LLVM's vectoriser, which asks
 * nothing about these, might bring accesses of one iteration into another order: it loads what lies
 * side by side where the first of it is loaded, and stores it where the last of it is stored,
 * whatever is stored or loaded in between. Whether there are such. */
bool sl_llvm_keep_item_order(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
