/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes (ir/affine.h) of a region's values from lane to lane. Read-only but for
 * sl_vector_find_shapes.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H

#include "ir/affine.h"

struct sl_vector_facts;
void sl_vector_find_shapes(struct sl_vector_facts *);
struct sl_shape sl_vector_shape(const struct sl_vector_facts *, LLVMValueRef);
/* As a user in `block` sees it: values of loops that lanes leave at different times vary outside.
 */
struct sl_shape sl_vector_shape_at(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);

#endif
