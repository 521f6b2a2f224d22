/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The few LLVM operations that the LLVM-C interface lacks, as C functions. Stateless; each touches
 * only the module it is given, so modules of different contexts may be worked on at once.
 */
#ifndef SL_KERNELS_LLVM_EXTRA_H
#define SL_KERNELS_LLVM_EXTRA_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rewrites every pointer type of the module to address space 0; address-space casts vanish.
 * Functions and globals whose type changes are replaced: LLVMValueRefs to them go stale, names,
 * attributes and metadata stay. */
void sl_llvm_flatten_address_spaces(LLVMModuleRef module);

/* Splits the block of `before`; `before` becomes the first instruction of the new second block. */
LLVMBasicBlockRef sl_llvm_split_block(LLVMValueRef before, const char *name);

/* Turns constant expressions that use `global` into instructions, inside all functions. */
void sl_llvm_expand_constant_users(LLVMValueRef global);

/* May run where the program would not have run it: no trap, no side effect, no memory read. */
bool sl_llvm_is_speculatable(LLVMValueRef instruction);

/* Appends `suffix` to the list of a loop's `llvm.loop` node: branch is the latch's terminator. */
void sl_llvm_set_loop_metadata(LLVMValueRef branch, LLVMMetadataRef *properties, size_t count);

/* A node that is different from every other one. */
LLVMMetadataRef sl_llvm_distinct_node(LLVMContextRef context);

/* `function` has no body afterwards, but keeps its metadata. */
void sl_llvm_delete_body(LLVMValueRef function);

/* The store size of a value of this type without tail padding rules of C: as the data layout says.
 */
bool sl_llvm_only_reads(LLVMValueRef pointer_argument);

#ifdef __cplusplus
}
#endif
#endif
