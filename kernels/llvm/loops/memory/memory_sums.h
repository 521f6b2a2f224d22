/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that a loop keeps in memory. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_MEMORY_SUMS_H
#define SL_KERNELS_LLVM_MEMORY_SUMS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * `sum[i] += a[k] * b[k]`: each round of an innermost loop loads and stores one place of an
 * argument's memory, in case `a` or `b` lead there too. False: there are none, in loops of at most
 * `most` instructions. `arguments`: those, of the first 32, with places of which nothing says that
 * they do not, as bits. `is_local`: is this where the group's variables are, to which no argument
 * leads? There or in an argument's memory a loop that stores nothing else nearby knows from the
 * round before what it would load, whatever its other loads look at; it stores in each round.
 */
bool sl_llvm_find_memory_sums(LLVMValueRef function, uint32_t most, bool (*is_local)(LLVMValueRef),
                              uint32_t *arguments);

/* Such a place is loaded in front of the loop and stored behind it. `apart`: of each of these
 * arguments, as bits, the memory overlaps that of no other. Was there any? */
bool sl_llvm_keep_memory_sums(LLVMValueRef function, uint32_t most, bool (*is_local)(LLVMValueRef),
                              uint32_t apart);

#ifdef __cplusplus
}
#endif
#endif
