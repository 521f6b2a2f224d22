/* SPDX-License-Identifier: Apache-2.0 */
/* Remainder loops: the items of a row that fill no vector, and how the loops of a region join. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_REMAINDER_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_REMAINDER_H

#include "items/region_copy.h"

/* Code that is left out if a == b: the builder goes there; sl_vector_leave_to brings it behind it.
 */
LLVMBasicBlockRef sl_vector_enter_unless(struct sl_group_function *, LLVMValueRef a, LLVMValueRef b,
                                         const char *name);
void sl_vector_leave_to(struct sl_group_function *, LLVMBasicBlockRef end);

/* How the loops of a region that has several ended; the one that ran last decides. */
struct sl_vector_outcome {
    struct sl_group_function *g;
    LLVMValueRef next, *after; /* variables; after: per slot, NULL if not written, owned */
    bool masks_rest; /* items that fill no vector are one under a mask, whatever the machine */
};

void sl_vector_outcome_open(struct sl_vector_outcome *, struct sl_group_function *);
void sl_vector_outcome_note(struct sl_vector_outcome *, const struct sl_region *);
void sl_vector_outcome_recall(const struct sl_vector_outcome *, struct sl_region *);

/* The items of a row in full vectors, without a mask: those up to `end` that no part before them
 * has, a multiple of the lanes. The last one's is what sl_rows_in_vectors gives; the rest of
 * the row runs under a mask, or in turn. What they do is joined in the region given, which may be
 * that of the only part. */
struct sl_vector_part {
    uint32_t lanes;
    LLVMValueRef end;
    sl_item_body_fn body;
    void *data;
    struct sl_region *region; /* whose results are there behind the body */
    bool once;                /* it is one vector, or none */
};

void sl_vector_emit_parts(struct sl_region *, struct sl_vector_outcome *, const struct sl_rows *,
                          const struct sl_vector_part *parts, uint32_t count);
/* The items of a row from `done` on, if any: what fills no vector, of the narrowest ones. */
void sl_vector_emit_remainder(struct sl_vector_outcome *, struct sl_region *,
                              const struct sl_rows *, LLVMValueRef done, uint32_t narrowest);
void sl_vector_add_way(struct sl_region *, int32_t next);
void sl_vector_add_ways(struct sl_region *, const struct sl_region *part);

#endif
