/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bitcode of which functions' bodies are read when somebody asks for them. Stateless; a module
 * belongs to one thread, and the bytes it was read from must outlive it.
 */
#ifndef SL_KERNELS_LLVM_LAZY_BITCODE_H
#define SL_KERNELS_LLVM_LAZY_BITCODE_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The body of a function that has none yet is read; 0, or -1: the bitcode is damaged. */
int sl_lazy_load_body(LLVMValueRef function);
/* What nobody asked for is read too, unless its body was deleted; 0 or -1 likewise. */
int sl_lazy_load_rest(LLVMModuleRef);

#ifdef __cplusplus
}
#endif
#endif
