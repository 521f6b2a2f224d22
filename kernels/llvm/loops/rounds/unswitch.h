/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that decide the same in each round. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_UNSWITCH_H
#define SL_KERNELS_LLVM_UNSWITCH_H

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Innermost loops without calls in which nearly everything stands on one of the ways of a branch
 * or switch whose condition does not change become a loop for each way, behind the decision: in
 * vectors of items each way is computed for all, so that a round costs its own way only instead of
 * all of them and what joins them. A condition may be written in the loop. Loops with more than a
 * few instructions beside these ways stay: where items go different ways, the rest would be
 * computed several times. True: there were some.
 */
bool sl_llvm_unswitch_loops(LLVMValueRef function, LLVMTargetMachineRef);

#ifdef __cplusplus
}
#endif

#endif
