/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM operations that the C interface lacks, for the passes and the compiler, as C functions.
 * Stateless; each touches only the module it is given, and a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_EXTRA_H
#define SL_KERNELS_LLVM_EXTRA_H

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

/* On a function whose only loops are those over its work-items. */
#define SL_PLAIN_ATTRIBUTE "sl-plain"

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

/*
 * Before code generation: tells it to leave out loop strength reduction, which takes half of its
 * time, when all functions are SL_PLAIN_ATTRIBUTE. Addresses in the loops over work-items are base,
 * index and scale already.
 */
void sl_plan_code_generation(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
