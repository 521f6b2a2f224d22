/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose addresses are long sums of clamps. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_LONG_ADDRESSES_H
#define SL_KERNELS_LLVM_LONG_ADDRESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Are the addresses of what the function's loops access together expressions of many times as many
 * terms as it has instructions? That is so where loops begin at the end of a search, or of another
 * loop (merging sorted parts): loop strength reduction writes such an expression out once more for
 * each loop, and what it makes is several times as long, without being faster.
 */
bool sl_llvm_has_long_addresses(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
