/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a program that are bound to wait for each other. No shared state. */
#ifndef SL_KERNELS_TIMING_DEADLOCK_H
#define SL_KERNELS_TIMING_DEADLOCK_H

#include <llvm-c/Core.h>

/* A warning, a line, about a module that sl_llvm_simplify_loops has made, or all of whose functions
 * were inlined and variables made values; malloc'ed. NULL: there is none. */
char *sl_deadlock_warning(LLVMModuleRef);

#endif
