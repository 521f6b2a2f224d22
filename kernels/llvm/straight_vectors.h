/* SPDX-License-Identifier: Apache-2.0 */
/* How much LLVM tries when it makes vectors of straight code. Any thread. */
#ifndef SL_KERNELS_LLVM_STRAIGHT_VECTORS_H
#define SL_KERNELS_LLVM_STRAIGHT_VECTORS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The vectorizer of straight code begins with as many lanes as there are neighbours and halves them
 * while that fails. What it asks the target about vectors far wider than its registers takes a time
 * that grows with the square of the width: minutes for an array of 4096 numbers that an unrolled
 * loop moves on by one. From here on it begins with 32. Before each run: linking undoes it.
 */
void sl_llvm_limit_straight_vectors(void);

/* Whether the function is so long that it has to do without: it is looked through many times. */
bool sl_llvm_is_long(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
