/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of single lanes, in as few instructions as there may be. */
#ifndef SL_KERNELS_VECTOR_MEMORY_LANE_ADDRESS_H
#define SL_KERNELS_VECTOR_MEMORY_LANE_ADDRESS_H

#include "vector/vector.h"

/* `each`: one per lane. */
void sl_vector_lane_addresses(struct sl_vector *, LLVMValueRef addresses, LLVMValueRef mask,
                              LLVMValueRef *each);

/* How far lanes are from lane `first`; nothing in particular where that one does not run. */
struct sl_vector_distances {
    LLVMValueRef base;    /* that lane's address */
    LLVMValueRef numbers; /* of each lane, integers without a sign */
    uint64_t scale;       /* bytes that one of them stands for */
    LLVMValueRef sure;    /* i1: numbers up to `most` are right; NULL: they are */
};

void sl_vector_lane_distances(struct sl_vector *, LLVMValueRef addresses, uint32_t first,
                              uint64_t most, struct sl_vector_distances *);

#endif
