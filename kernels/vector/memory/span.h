/* SPDX-License-Identifier: Apache-2.0 */
/* Loads whose bytes lie side by side in each item while the items are anywhere, made together. */
#ifndef SL_KERNELS_VECTOR_MEMORY_SPAN_H
#define SL_KERNELS_VECTOR_MEMORY_SPAN_H

#include "vector/vector.h"

/* What lanes would gather, in words or less. */
bool sl_vector_is_gathered(const struct sl_vector_facts *, LLVMValueRef load, uint32_t block);
/* Nothing in it is stored. */
bool sl_vector_is_quiet_block(LLVMBasicBlockRef);
/* Loads whose bytes lie side by side in each item, together. False: made by itself. */
bool sl_vector_load_span(struct sl_vector *, LLVMValueRef load);
bool sl_vector_is_in_span(const struct sl_vector_facts *, LLVMValueRef load, uint32_t block);

#endif
