/* SPDX-License-Identifier: Apache-2.0 */
/* Private arrays laid out by lane (array of structures to structure of arrays). Found before shapes
 * are. */
#ifndef SL_KERNELS_VECTOR_MEMORY_ARRAYS_H
#define SL_KERNELS_VECTOR_MEMORY_ARRAYS_H

#include "ir/pass.h"
#include "vector/analysis/facts.h"

/* A private array laid out by lane. */
struct sl_vector_array {
    LLVMValueRef variable; /* the kernel's */
    uint32_t element;      /* bytes */
    uint64_t bytes;        /* of one item */
};

void sl_vector_find_arrays(struct sl_vector_facts *);
uint64_t sl_vector_arrays_bytes(const struct sl_vector_facts *); /* of one item */
const struct sl_vector_array *sl_vector_array(const struct sl_vector_facts *, LLVMValueRef pointer);
/* Fills and copies of such arrays become loads and stores of elements, in the kernel. */
void sl_vector_expand_copies(const struct sl_pass *, LLVMValueRef kernel);

#endif
