/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose rounds are lanes of a vector, and better not copied one by one. Stateless; a module
 * belongs to one thread. */
#ifndef SL_KERNELS_LLVM_LANE_ROUNDS_H
#define SL_KERNELS_LLVM_LANE_ROUNDS_H

#include "llvm/loops/rounds/unroll_limit.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Innermost loops that ask to be unrolled and whose rounds, a multiple of `lanes`, do the same to
 * neighbours in memory under conditions that data or arguments decide (`if (0 <= x + i && x + i <
 * n)`): they stay loops, which LLVM's vectorizer turns into a few instructions under masks, where
 * copies are a chain of branches. Not those whose conditions their counter decides, nor those that
 * index private arrays which become values by being unrolled, nor what rounds hand on to each
 * other, in values or in memory. For functions of one item, behind LLVM's loop-rotate.
 */
void sl_llvm_keep_lane_rounds(LLVMValueRef function, uint32_t lanes, sl_long_loop_fn tell,
                              void *data);

#ifdef __cplusplus
}
#endif

#endif
