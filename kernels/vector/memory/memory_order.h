/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array of structures kept: what was loaded and meets other vectors only element by element is
 * stored as it lies in memory, without going to lanes and back.
 */
#ifndef SL_KERNELS_VECTOR_MEMORY_MEMORY_ORDER_H
#define SL_KERNELS_VECTOR_MEMORY_MEMORY_ORDER_H

#include "vector/vector.h"

/* Notes what was loaded, in memory's order; copied into a variable of the code. */
void sl_vector_keep_whole(struct sl_vector *, LLVMValueRef load, LLVMValueRef all);
/* What is to be stored, in memory's order. NULL: it is made from its parts. */
LLVMValueRef sl_vector_whole(struct sl_vector *, LLVMValueRef store);
/* What is read from an image is only stored, as memory has it, or meets others on its way there. */
bool sl_vector_wants_whole(const struct sl_vector *, LLVMValueRef read);

#endif
