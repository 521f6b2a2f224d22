/* SPDX-License-Identifier: Apache-2.0 */
/* Lane compaction: some lanes' values go into arrays, side by side. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_COMPACTION_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_COMPACTION_H

#include "vector/vector.h"

struct sl_vector_column {
    LLVMValueRef value; /* a vector of lanes */
    LLVMValueRef array; /* of its elements */
    uint32_t align;     /* of each */
};

/* The lanes of a mask go behind what is in the columns already. */
void sl_vector_compact_lanes(struct sl_vector *, LLVMValueRef mask,
                             const struct sl_vector_column *columns, uint32_t count);

#endif
