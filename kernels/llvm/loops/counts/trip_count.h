/* SPDX-License-Identifier: Apache-2.0 */
/* How often loops go round, as LLVM's analyses can tell. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_TRIP_COUNT_H
#define SL_KERNELS_LLVM_TRIP_COUNT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How often each block of a function runs at most in one call: `trips` has room for all, in the
 * function's order, and no number in it is above `most`. False: of a loop nobody can tell, or not
 * that it ends soon.
 */
bool sl_llvm_block_trips(LLVMValueRef function, uint64_t most, uint64_t *trips);

#ifdef __cplusplus
}
#endif

#endif
