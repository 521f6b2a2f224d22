/* SPDX-License-Identifier: Apache-2.0 */
/* Both forms of an access with a speculative stride, and the question between them. */
#ifndef SL_KERNELS_VECTOR_MEMORY_SPECULATIVE_ACCESS_H
#define SL_KERNELS_VECTOR_MEMORY_SPECULATIVE_ACCESS_H

#include "vector/vector.h"

bool sl_vector_speculation_pays(const struct sl_vector_facts *, LLVMValueRef access,
                                uint32_t block);
/* False: not made. */
bool sl_vector_load_speculatively(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);
bool sl_vector_store_speculatively(struct sl_vector *, LLVMValueRef store, LLVMValueRef *parts);

#endif
