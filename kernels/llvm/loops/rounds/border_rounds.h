/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over a row whose ends are different. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_BORDER_ROUNDS_H
#define SL_KERNELS_LLVM_BORDER_ROUNDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Innermost loops that ask whether a round is the first or the last one (`c == 0 ? 0 : -1`), of
 * which a branch or an address depends, become three: such rounds as they are, and all that lie
 * between without the question, so that neighbours are side by side in memory. For functions of one
 * item, behind LLVM's loop-rotate. Loops of few rounds stay, for they are going to be unrolled, as
 * those are for which it is asked. True: there were some; constants are left to be folded.
 */
bool sl_llvm_split_border_rounds(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
