/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of an item that lie side by side. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_NEIGHBOUR_SUMS_H
#define SL_KERNELS_LLVM_NEIGHBOUR_SUMS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is stored in neighbouring places of memory, and was added up in a loop out of what lay in
 * neighbouring places, becomes vectors of at least 16 and at most `bytes` bytes, as if the program
 * had said float4: all that leads there, or nothing of the function. Each element is added up in
 * its order. is_item: does the value tell lanes apart? Where what is added up does not follow from
 * one, lanes take it together already. The number of vectors that are stored.
 */
uint32_t sl_llvm_join_neighbour_sums(LLVMValueRef function, uint32_t bytes,
                                     bool (*is_item)(LLVMValueRef));

#ifdef __cplusplus
}
#endif
#endif
