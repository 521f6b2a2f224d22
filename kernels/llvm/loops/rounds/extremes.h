/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Least and greatest integers that loops carry on: best[i] = max(a[i], best[i - 1] - gap, ...), as
 * alignments and paths of least cost have them. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_EXTREMES_H
#define SL_KERNELS_LLVM_EXTREMES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Of three and more integers whose extreme is taken, one of which comes out of the last round, that
 * one is compared last: a round waits for one comparison in place of all. Returns how many were
 * put in another order.
 */
unsigned sl_llvm_compare_carried_last(LLVMValueRef function);

/*
 * Does a loop store what it compared last, as rows of a table of best scores do? The next round may
 * load it: LLVM's loop-load-elim hands it on in a register, where the order of comparisons and
 * moves are seen to.
 */
bool sl_llvm_stores_extremes(LLVMValueRef function);

/*
 * Of a module as it goes to the generator: extremes of scalars that a loop carries on, and changes
 * from round to round, are moves under a condition that nobody predicts. Which value is taken is as
 * the data are; LLVM makes branches of such moves, which are mispredicted every few rounds. What a
 * loop only compares (the greatest of many) is left alone: there the branch is taken less and less.
 */
void sl_llvm_keep_moves(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
