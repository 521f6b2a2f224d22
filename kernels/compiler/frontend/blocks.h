/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that clang makes of the blocks which a program enqueues. They are known by what they
 * lack: clang describes the arguments of every other kernel.
 */
#ifndef SL_KERNELS_BLOCKS_H
#define SL_KERNELS_BLOCKS_H

#include <llvm-c/Core.h>

/* Objects may have such kernels of the same name: clang calls them after the function around. */
void sl_blocks_make_internal(LLVMModuleRef);

#endif
