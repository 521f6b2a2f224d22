/* SPDX-License-Identifier: Apache-2.0 */
/* Index-set splitting: the vectors of a row all of whose items take the same way at the branches on
 * their ids. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_INNER_PART_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_INNER_PART_H

#include "vector/control_flow/region.h"

/* Of the row of a region that is not split by barriers, owned by the caller. NULL: there is none,
 * or it is not worth its code. */
struct sl_vector_inner *sl_vector_inner_find(const struct sl_vector_region *);
void sl_vector_inner_emit(struct sl_vector_region *, const struct sl_rows *);
void sl_vector_inner_free(struct sl_vector_inner *);

#endif
