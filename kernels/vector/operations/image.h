/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes of images for all lanes at once (analysis/image_call.h). */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H
#define SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H

#include "vector/vector.h"

/* Of all lanes; *scalar: of one item. */
uint64_t sl_vector_image_cost(const struct sl_vector_facts *, LLVMValueRef call, uint64_t *scalar);
bool sl_vector_has_image_form(const struct sl_vector_facts *, LLVMValueRef call, uint32_t block);
void sl_vector_emit_image(struct sl_vector *, LLVMValueRef call);

#endif
