/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects at program scope that get their values when the program is loaded (C++ for OpenCL): clang
 * leaves functions that do it in llvm.global_ctors. Objects keep that list, linking joins the
 * lists, and an executable has one kernel that does all of it (SL_KERNEL_INITIALIZES).
 */
#ifndef SL_KERNELS_INITIALIZERS_H
#define SL_KERNELS_INITIALIZERS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Right behind clang: what it makes kernels of, and groups that linkers keep one of, go. Not 0: out
 * of memory. */
int sl_initializers_prepare(LLVMModuleRef);
/* Are there any? */
bool sl_initializers_exist(LLVMModuleRef);

#endif
