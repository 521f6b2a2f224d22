/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins for rare arguments (builtins/rare.h) that have a version for these lanes. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_RARE_H
#define SL_KERNELS_VECTOR_OPERATIONS_RARE_H

#include "vector/vector.h"

bool sl_vector_is_rare(const struct sl_vector_facts *, LLVMValueRef call);
void sl_vector_emit_rare(struct sl_vector *, LLVMValueRef call);

#endif
