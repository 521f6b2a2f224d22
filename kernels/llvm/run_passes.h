/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's own passes by their textual names: the one place that asks for them. No shared state. */
#ifndef SL_KERNELS_LLVM_RUN_PASSES_H
#define SL_KERNELS_LLVM_RUN_PASSES_H

#include <llvm-c/TargetMachine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On one function; NULL: it went well, else what LLVM says, to be freed. */
char *sl_llvm_run_on_function(LLVMValueRef function, LLVMTargetMachineRef, const char *pipeline);
/* The same, on all. */
char *sl_llvm_run_on_module(LLVMModuleRef, LLVMTargetMachineRef, const char *pipeline);

#ifdef __cplusplus
}
#endif

#endif
