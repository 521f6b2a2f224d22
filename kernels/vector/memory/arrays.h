/* SPDX-License-Identifier: Apache-2.0 */
/* Private arrays laid out by lane (array of structures to structure of arrays). Found before shapes
 * are. */
#ifndef SL_KERNELS_VECTOR_MEMORY_ARRAYS_H
#define SL_KERNELS_VECTOR_MEMORY_ARRAYS_H

#include "ir/pass.h"
#include "vector/analysis/facts.h"

/* Bytes of a private variable. */
uint64_t sl_vector_array_bytes(const struct sl_pass *, LLVMValueRef variable);
void sl_vector_find_arrays(struct sl_vector_facts *);
uint64_t sl_vector_arrays_bytes(const struct sl_vector_facts *); /* of one item */
/* Fills and copies of such arrays become loads and stores of elements, in the kernel. */
void sl_vector_expand_copies(const struct sl_pass *, LLVMValueRef kernel);

#endif
