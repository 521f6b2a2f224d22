/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic of all lanes at one address, as one. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_COMBINED_ATOMICS_H
#define SL_KERNELS_VECTOR_OPERATIONS_COMBINED_ATOMICS_H

#include "vector/vector.h"

bool sl_vector_can_combine(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);
/* False: not made. */
bool sl_vector_emit_combined(struct sl_vector *, LLVMValueRef); /* false: not made */

#endif
