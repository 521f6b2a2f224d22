/* SPDX-License-Identifier: Apache-2.0 */
/* What the affine analysis (ir/affine/affine.h) wants to know of work-items: their ids. */
#ifndef SL_KERNELS_ITEMS_ITEM_SHAPE_H
#define SL_KERNELS_ITEMS_ITEM_SHAPE_H

#include "ir/affine/affine.h"

/* A placeholder's shape along the analysis' dimension; false: the value is none. */
bool sl_item_shape(const struct sl_affine *, LLVMValueRef, struct sl_shape *);
/* sl_affine.multiple, where `items` that are looked at are a whole sub-group: these lie side by
 * side from the first item of a row on. */
uint64_t sl_item_multiple(struct sl_affine *, LLVMValueRef);

#endif
