/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction for all lanes. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_INSTRUCTION_H
#define SL_KERNELS_VECTOR_OPERATIONS_INSTRUCTION_H

#include "vector/vector.h"

/* One that is no phi and no terminator, under the current mask. */
void sl_vector_emit_instruction(struct sl_vector *, LLVMValueRef);
/* Nothing is done for it. */
bool sl_vector_is_idle(LLVMValueRef);
/* Must not run when no lane is active. */
bool sl_vector_needs_lanes(const struct sl_vector_facts *, LLVMValueRef);

#endif
