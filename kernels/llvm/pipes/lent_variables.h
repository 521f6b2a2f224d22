/* SPDX-License-Identifier: Apache-2.0 */
/* Variables whose address a function is told when it is called. Stateless; a module belongs to one
 * thread. */
#ifndef SL_KERNELS_LLVM_LENT_VARIABLES_H
#define SL_KERNELS_LLVM_LENT_VARIABLES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Wherever the function names the variable, in constants too, it has this address: a load in its
 * first block, in front of all that needs it, of what never changes and is as large and as aligned
 * as the variable. */
void sl_llvm_lend_variable(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef address);

#ifdef __cplusplus
}
#endif
#endif
