/* SPDX-License-Identifier: Apache-2.0 */
/* The access group of loads and stores that are independent between work-items. */
#ifndef SL_KERNELS_PARALLEL_ACCESS_H
#define SL_KERNELS_PARALLEL_ACCESS_H

#include <llvm-c/Core.h>

LLVMValueRef sl_parallel_group(LLVMContextRef, LLVMModuleRef);
void sl_mark_parallel(LLVMValueRef access, LLVMContextRef, LLVMModuleRef);

#endif
