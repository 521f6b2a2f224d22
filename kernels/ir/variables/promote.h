/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables become values, in time that grows with how long each of them lives. LLVM's mem2reg
 * looks at all blocks that a store dominates, for each variable: the square of the number of
 * blocks, where each block has variables of its own.
 */
#ifndef SL_KERNELS_IR_PROMOTE_H
#define SL_KERNELS_IR_PROMOTE_H

#include <llvm-c/Core.h>

/* Variables of the entry block that are only loaded and stored as a whole; others stay. */
void sl_promote(LLVMValueRef function);

#endif
