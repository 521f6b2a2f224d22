/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a fault of LLVM's away. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_BLEND_CHAINS_H
#define SL_KERNELS_LLVM_BLEND_CHAINS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * LLVM's vectoriser makes a blend of each value that meets another one within a loop, and asks of
 * it whether all users need its first element only; a user that is a blend asks its own users, and
 * nobody remembers the answers. Where each of thirty blends has the one before it twice or more,
 * as unrolled steps with ways around them have, a build did not end (LLVM 22). Innermost loops
 * with too many ways from blend to blend stay as they are.
 */
void sl_llvm_leave_blend_chains(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
