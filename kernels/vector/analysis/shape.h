/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes (ir/affine/affine.h) of a region's values from lane to lane: the same where they are for
 * the whole group (ir/control_flow/uniformity.h), else what lanes that run together can tell.
 * Read-only but for sl_vector_find_shapes.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H

#include "ir/affine/affine.h"

struct sl_vector_facts;
void sl_vector_find_shapes(struct sl_vector_facts *);
/* Is it the same for all items of the group, each of which computes it? */
bool sl_vector_is_one_for_group(const struct sl_vector_facts *, LLVMValueRef);
struct sl_shape sl_vector_shape(const struct sl_vector_facts *, LLVMValueRef);
/* As a user in `block` sees it: values of loops that lanes leave at different times vary outside.
 */
struct sl_shape sl_vector_shape_at(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);

#endif
