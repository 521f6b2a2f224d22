/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The LLVM operations that the work-group passes need and the LLVM-C interface lacks. Stateless;
 * each touches only the module it is given, and a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_PASS_SUPPORT_H
#define SL_KERNELS_LLVM_PASS_SUPPORT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every pointer type of the module gets address space 0; address-space casts vanish. Functions and
 * globals whose type changes are replaced: references to them go stale, while their names,
 * attributes and metadata go to the replacement. */
void sl_llvm_flatten_address_spaces(LLVMModuleRef module);

/* `before` becomes the first instruction of the new second block, which is returned. */
LLVMBasicBlockRef sl_llvm_split_block(LLVMValueRef before, const char *name);

/* A new block on the way from one block to another. */
LLVMBasicBlockRef sl_llvm_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/* Constant expressions that use `global` become instructions, inside all functions. */
void sl_llvm_expand_constant_users(LLVMValueRef global);

/* Can run where the program did not run it: no trap, no side effect, no memory access. */
bool sl_llvm_is_speculatable(LLVMValueRef instruction);

/* Marks the loop whose back edge `branch` is with the given property nodes. */
void sl_llvm_set_loop_properties(LLVMValueRef branch, LLVMMetadataRef *properties, size_t count);

/* A node that is equal to no other one. */
LLVMMetadataRef sl_llvm_distinct_node(LLVMContextRef context);

/* Makes a declaration of `function`, which keeps its other metadata; returns its debug subprogram.
 */
LLVMMetadataRef sl_llvm_delete_body(LLVMValueRef function);

/* The number has no bits but those of the mask, whatever the kernel is launched with. */
bool sl_llvm_has_only_bits(LLVMValueRef number, uint64_t mask);

/* What `pointer` was made of, without casts and constant offsets, which are added to *offset. */
LLVMValueRef sl_llvm_strip_offset(LLVMValueRef pointer, int64_t *offset);

/* Code for how many bytes the address computation moves its pointer. */
LLVMValueRef sl_llvm_emit_gep_offset(LLVMBuilderRef builder, LLVMValueRef gep);

/* The first place behind `instruction` where another one may stand. */
LLVMValueRef sl_llvm_behind(LLVMValueRef instruction);

/* A copy of the function under another name, metadata and attributes included. */
LLVMValueRef sl_llvm_clone_function(LLVMValueRef function, const char *name);

/* What `from` promises of its result (wrapping, fast math) and of memory (aliasing), as far as it
 * makes sense for `to`. */
void sl_llvm_copy_flags(LLVMValueRef from, LLVMValueRef to);

/* The instruction may be executed with other operands than the program would. */
void sl_llvm_drop_promises(LLVMValueRef instruction);

/* Memory that others see may differ behind it. */
bool sl_llvm_may_write(LLVMValueRef instruction);

/* Of the pointer, or of each pointer in a vector, that the call gets as this argument. */
void sl_llvm_set_argument_alignment(LLVMValueRef call, unsigned argument, uint32_t align);

/* Blocks that nothing reaches vanish, phi entries included. */
void sl_llvm_remove_unreachable_blocks(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
