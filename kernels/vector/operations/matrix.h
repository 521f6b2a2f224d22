/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices whose rows the items of a sub-group share (llvm/matrix_product.h), where the
 * sub-group is a vector. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_MATRIX_H
#define SL_KERNELS_VECTOR_OPERATIONS_MATRIX_H

#include "items/sub_group_op.h"
#include "vector/vector.h"

void sl_vector_emit_matrix(struct sl_vector *, LLVMValueRef call, const struct sl_sub_group_op *);

#endif
