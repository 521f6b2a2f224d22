/* SPDX-License-Identifier: Apache-2.0 */
/* Serialised: what has no vector form, lane after lane. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_SERIAL_H
#define SL_KERNELS_VECTOR_OPERATIONS_SERIAL_H

#include "vector/vector.h"

/* Tells who asks for remarks how an instruction is run. */
void sl_vector_remark(struct sl_vector *, LLVMValueRef, const char *how);
void sl_vector_emit_serially(struct sl_vector *, LLVMValueRef);
/* An update of memory whose old value nobody wants, at a place of each lane's own: of a few lanes
 * one after the other without a loop. */
bool sl_vector_is_update(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);
/* A call of an intrinsic of LLVM. */
LLVMValueRef sl_vector_intrinsic(struct sl_vector *, const char *name, LLVMTypeRef *types,
                                 size_t type_count, LLVMValueRef *args, unsigned count);
/* The same by its number. */
LLVMValueRef sl_vector_intrinsic_of(struct sl_vector *, unsigned id, LLVMTypeRef *types,
                                    size_t type_count, LLVMValueRef *args, unsigned count);

#endif
