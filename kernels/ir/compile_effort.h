/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that LLVM's optimiser would take minutes for. Stateless. */
#ifndef SL_KERNELS_IR_COMPILE_EFFORT_H
#define SL_KERNELS_IR_COMPILE_EFFORT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Would optimising this function take too long? */
bool sl_is_too_large(LLVMValueRef function);

/* Keeps LLVM's optimiser from such functions. */
void sl_spare_large_functions(LLVMModuleRef);

#endif
