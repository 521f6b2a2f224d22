/* SPDX-License-Identifier: Apache-2.0 */
/* What the next round of a loop reads comes into the cache while this one computes. Stateless. */
#ifndef SL_KERNELS_LLVM_FETCH_AHEAD_H
#define SL_KERNELS_LLVM_FETCH_AHEAD_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In loops around a barrier, as `is` says of an instruction: next to a load from an argument's
 * memory, made in each round, at a place that grows by a line of the cache or more from round to
 * round, a prefetch of where it is in the next one. Such a loop copies a tile and computes with it,
 * and each row of a tile lies in another page, where no machine looks ahead by itself. Returns how
 * many.
 */
unsigned sl_llvm_fetch_ahead(LLVMValueRef function, bool (*is)(LLVMValueRef instruction));

#ifdef __cplusplus
}
#endif
#endif
