/* SPDX-License-Identifier: Apache-2.0 */
/* What dataflow regions are made of: pipes of the program, operations on them and kernels that
 * start by themselves, as the front end would have written them. No locks: the module belongs to a
 * build. */
#ifndef SL_KERNELS_PROCESS_PIPE_H
#define SL_KERNELS_PROCESS_PIPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "ir/emit.h"

/* A pipe of that depth, whatever the build says of depths. `place`: an instruction. */
LLVMValueRef sl_process_pipe(LLVMModuleRef, const char *name, LLVMTypeRef packet, uint32_t depth,
                             LLVMValueRef place);

/* The operation, which waits, where the builder is. */
void sl_process_move(const struct sl_emit *, LLVMModuleRef, LLVMValueRef pipe, LLVMValueRef packet,
                     LLVMTypeRef type, bool write);
/* The same with a packet of a byte that says nothing. */
void sl_process_token(const struct sl_emit *, LLVMModuleRef, LLVMValueRef pipe, bool write);

/* What is made from here on stands in the source where the instruction does. Behind positioning. */
void sl_process_at(const struct sl_emit *, LLVMValueRef place);

/* Without a body, as `of` is compiled. */
LLVMValueRef sl_process_kernel(LLVMModuleRef, const char *name, LLVMValueRef of,
                               LLVMValueRef place);
/* Convention and attributes. */
void sl_process_copy_call(LLVMValueRef from, LLVMValueRef to);

#endif
