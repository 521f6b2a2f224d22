/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM operations that the C interface lacks, for the passes and the compiler, as C functions.
 * Stateless; each touches only the module it is given, and a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_LLVM_EXTRA_H
#define SL_KERNELS_LLVM_LLVM_EXTRA_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The prefix of the second copy that clang emits of each kernel. */
#define SL_KERNEL_TWIN_PREFIX "__clang_ocl_kern_imp_"
/* String attribute on each kernel's function: it outlives the SPIR calling conventions. */
#define SL_KERNEL_ATTRIBUTE "sl-kernel"
/* And the line of its definition, in decimal. */
#define SL_LINE_ATTRIBUTE "sl-line"

/* On a function whose loops are those over its work-items, or those of vectors of items or packets:
 * their addresses are base, index and scale already, or cost little beside what they do. */
#define SL_PLAIN_ATTRIBUTE "sl-plain"
/* On a function so large that it is left as it is (ir/compile_effort.c). */
#define SL_LARGE_ATTRIBUTE "sl-large"

/* One function per kernel, marked with SL_KERNEL_ATTRIBUTE. */
void sl_fold_kernel_twins(LLVMModuleRef module);

/* Images, samplers, pipes and events become pointers and integers, everywhere. */
void sl_lower_target_types(LLVMModuleRef module);

/* Variables of the module's debug information are found by plain addresses: clang wrote OpenCL's
 * address spaces into the expressions, which debuggers cannot follow. */
void sl_plain_debug_addresses(LLVMModuleRef module);

/* A function's name as its author wrote it (malloc'ed; NULL: no memory). */
char *sl_readable_name(const char *symbol);

/* Global variables of 16 bytes or more get at least this alignment. */
void sl_raise_global_alignment(LLVMModuleRef module, unsigned align);

#ifdef __cplusplus
}
#endif
#endif
