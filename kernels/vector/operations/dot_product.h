/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes that are packed in words (cl_khr_integer_dot_product). */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_DOT_PRODUCT_H
#define SL_KERNELS_VECTOR_OPERATIONS_DOT_PRODUCT_H

#include "vector/vector.h"

/* Per word of two registers of sixteen the sum of the four products of its bytes; `is_signed` says
 * which factors are (SL_DOT_A_SIGNED...). For machines with AVX-512. */
LLVMValueRef sl_vector_dot_product(struct sl_vector *, unsigned is_signed, LLVMValueRef a,
                                   LLVMValueRef b);

#endif
