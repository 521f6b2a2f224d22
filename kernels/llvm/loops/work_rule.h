/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a function is, by its arguments. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_WORK_RULE_H
#define SL_KERNELS_LLVM_WORK_RULE_H

#include <llvm-c/Core.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A rule as in sluice/work_rule.h: the instructions that one call of the function runs, where each
 * round of its blocks, in the function's order, is `work` of them. Loops have as many rounds as
 * LLVM's analyses find, by the function's arguments of integers; where an inner loop's rounds
 * depend on the outer one, as many as in its first or its last round, whichever is more. Owned, of
 * malloc. NULL: of a loop nobody can tell, or the rule would be long.
 */
char *sl_llvm_work_rule(LLVMValueRef function, const uint64_t *work);

#ifdef __cplusplus
}
#endif

#endif
