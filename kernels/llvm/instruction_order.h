/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether LLVM's machine scheduler puts a function's instructions into another order. Values of
 * several registers come in an order in which these go side by side; in long blocks of them the
 * scheduler may put off what frees registers until nearly all values lie in memory. State is the
 * thread's.
 */
#ifndef SL_KERNELS_LLVM_INSTRUCTION_ORDER_H
#define SL_KERNELS_LLVM_INSTRUCTION_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does a block compute long enough with values of several registers? */
bool sl_llvm_order_matters(LLVMModuleRef);
/* Lists of passes that this thread makes from now on leave instructions where they are, or not, and
 * count; from 0. */
void sl_llvm_order_begin(bool keep);
/* Accesses to vectors that found no register, in all functions since. Lists are as ever again. */
uint32_t sl_llvm_order_end(void);
/* Such accesses in either order: are those in the order that is kept so few that it is better? */
bool sl_llvm_order_pays(uint32_t kept, uint32_t scheduled);

#ifdef __cplusplus
}
#endif
#endif
