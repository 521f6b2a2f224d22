/* SPDX-License-Identifier: Apache-2.0 */
/* Where addresses in a kernel's own local variables lie in pieces of that memory. Read-only. */
#ifndef SL_KERNELS_VECTOR_MEMORY_LOCAL_PLACE_H
#define SL_KERNELS_VECTOR_MEMORY_LOCAL_PLACE_H

#include "vector/vector.h"

/* The group's local memory in pieces of so many bytes, a power of two up to 64, from its beginning
 * on: `place` is the byte of one that the address has in all lanes. True only for __local variables
 * of the kernel, and if their memory is whole pieces: then an access of any byte of a piece says
 * that all of it is memory which no other thread sees. False too: nobody knows. */
bool sl_vector_local_place(const struct sl_vector_facts *, LLVMValueRef pointer, uint64_t piece,
                           uint64_t *place);

#endif
