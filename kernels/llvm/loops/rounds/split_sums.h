/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with more sums than there are registers. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_SPLIT_SUMS_H
#define SL_KERNELS_LLVM_SPLIT_SUMS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loops of one block that only read memory and have more floating-point sums than `registers`, each
 * apart from the others, become several, one behind the other, with no more than `most` sums each:
 * what would be stored and loaded in each round stays in registers. Each sum is added up in its
 * order. Not where there is more than one load for two sums: those would be made again. The number
 * of loops that were split.
 */
uint32_t sl_llvm_split_sums(LLVMValueRef function, uint32_t registers, uint32_t most);

#ifdef __cplusplus
}
#endif
#endif
