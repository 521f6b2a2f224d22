/* SPDX-License-Identifier: Apache-2.0 */
/* Unroll and jam: how many rows of dimension 1 a region takes in step. */
#ifndef SL_KERNELS_VECTOR_COST_UNROLL_ROWS_H
#define SL_KERNELS_VECTOR_COST_UNROLL_ROWS_H

#include "vector/analysis/facts.h"

/* How many rows of dimension 1 the region takes in step: 1, or a power of two. */
uint32_t sl_vector_rows_in_step(struct sl_vector_facts *);
/* Not more registers per value than that several rows have room, if they ever do. */
uint32_t sl_vector_leave_room_for_rows(struct sl_vector_facts *, uint32_t times);

#endif
