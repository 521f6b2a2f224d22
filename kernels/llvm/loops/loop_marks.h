/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks that tell a running kernel's clock where it is in its loops: a call where a loop begins,
 * one for each iteration, and one where it has ended. Loops are named by their place in the source,
 * as sl_llvm_visit_loops names them in a copy of the module that was simplified. Stateless; a
 * module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LOOP_MARKS_H
#define SL_KERNELS_LLVM_LOOP_MARKS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `mark`(i32 enum sl_loop_mark, i32 line, i32 column) in all functions that have loops with
 * a known place. */
void sl_llvm_mark_loops(LLVMModuleRef, const char *mark);

#ifdef __cplusplus
}
#endif
#endif
