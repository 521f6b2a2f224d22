/* SPDX-License-Identifier: Apache-2.0 */
/* The loops that a region in vector form runs in: full vectors, masked ones, parts of rows, rows in
 * step, compacted items. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_REGION_LOOPS_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_REGION_LOOPS_H

#include "vector/control_flow/region.h"

/* Notes in the rows which of them are done together. */
void sl_vector_region_emit(struct sl_vector_region *, struct sl_region *, struct sl_rows *);
/* Of a plan for items in turn: those that its guard leaves. */
void sl_vector_region_emit_turns(struct sl_vector_region *, struct sl_region *,
                                 const struct sl_rows *);
/* Of a region whose items are compacted; the rows are these. */
void sl_vector_region_emit_compacted(struct sl_vector_region *, struct sl_region *,
                                     const struct sl_rows *);
/* The region once more, planned anew, with a mask. */
void sl_vector_region_emit_masked(struct sl_region *, const struct sl_rows *);
/* Does the region, loops and all, have no more instructions? */
bool sl_vector_region_is_short(const struct sl_vector_region *, uint32_t most);

#endif
