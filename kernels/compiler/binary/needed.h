/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that only serve others, such as the run-time libraries that SYCL links each program with:
 * thousands of functions, of which a program calls a few. No more than those is read. No locks.
 */
#ifndef SL_KERNELS_NEEDED_H
#define SL_KERNELS_NEEDED_H

#include <llvm-c/Core.h>
#include <stddef.h>

#include "ir/call_reach.h"

/* Modules that are going to be linked, whose bodies are read on demand (llvm/lazy_bitcode.h). From
 * those without kernels goes what nothing that the host may name needs. -1: one is damaged, and
 * `damaged` says which. */
int sl_keep_needed(const LLVMModuleRef *modules, size_t count, size_t *damaged);

/* All functions of the module that were not found lose their bodies, or go if nothing names them.
 */
void sl_forget_functions(LLVMModuleRef, const struct sl_call_reach *found);

#endif
