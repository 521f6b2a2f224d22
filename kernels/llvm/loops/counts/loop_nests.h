/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks of loops in loops, where a clock hears of nothing else: counters in place of calls, which
 * LLVM finds the last values of, and one mark behind the outermost loop with what they came to
 * (SL_LOOP_NEST_MARK). Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LOOP_NESTS_H
#define SL_KERNELS_LLVM_LOOP_NESTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a kernel with marks (loop_marks.h), its functions inlined, whose work-items follow each
 * other. `is_quiet`: of a function that is declared: a clock hears of nothing that it does. */
void sl_llvm_count_nests(LLVMValueRef kernel, const char *mark,
                         bool (*is_quiet)(const char *callee));

#ifdef __cplusplus
}
#endif
#endif
