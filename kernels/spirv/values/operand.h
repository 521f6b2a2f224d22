/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of instructions, looked at before LLVM sees them: its builder takes on trust that types
 * fit. NULL: failed.
 */
#ifndef SL_KERNELS_SPIRV_OPERAND_H
#define SL_KERNELS_SPIRV_OPERAND_H

#include "spirv/module/translate.h"

/* The value of the operand at `index`. */
LLVMValueRef sl_spirv_operand(struct sl_spirv *, const struct sl_spirv_instruction *,
                              unsigned index);
/* The same, which must be of this type of LLVM's. */
LLVMValueRef sl_spirv_operand_of(struct sl_spirv *, const struct sl_spirv_instruction *,
                                 unsigned index, LLVMTypeRef);
/* The same, which must be a pointer. */
LLVMValueRef sl_spirv_pointer_operand(struct sl_spirv *, const struct sl_spirv_instruction *,
                                      unsigned index);
/* A literal; 0 where there is none. */
uint32_t sl_spirv_literal(const struct sl_spirv_instruction *, unsigned index);

/* An alignment that is a power of two, or 0 where nothing is said (0 or no number). -1: failed. */
int sl_spirv_take_alignment(struct sl_spirv *, const struct sl_spirv_instruction *, uint32_t given,
                            unsigned *out);

/* What a scalar, or each lane of a vector, is. */
enum sl_spirv_type_kind sl_spirv_lane_kind(struct sl_spirv *, const struct sl_spirv_type *);
bool sl_spirv_is_kind(LLVMTypeRef, LLVMTypeKind scalar_or_lane);
unsigned sl_spirv_lanes(LLVMTypeRef); /* 1 of a scalar */
/* A scalar, or as many lanes as the other type has. */
LLVMTypeRef sl_spirv_with_lanes(LLVMTypeRef scalar, LLVMTypeRef like);

/* Booleans between what they are as values and in memory; all else is the same. */
LLVMValueRef sl_spirv_to_memory(struct sl_spirv *, const struct sl_spirv_type *, LLVMValueRef);
LLVMValueRef sl_spirv_from_memory(struct sl_spirv *, const struct sl_spirv_type *, LLVMValueRef);

#endif
