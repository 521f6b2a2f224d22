/* SPDX-License-Identifier: Apache-2.0 */
/* How many items of a row a guard leaves (analysis/guard.h), as code in front of the row's loop. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_GUARD_COUNT_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_GUARD_COUNT_H

#include "items/region_copy.h"
#include "vector/analysis/guard.h"
#include "vector/vector.h"

/* How many items of the row stay then (g->leave), an i64. */
LLVMValueRef sl_vector_stay_count(struct sl_group_function *, const struct sl_rows *);
/* How many items of the row run, an i64, and how many before them do not. */
LLVMValueRef sl_vector_guard_count(const struct sl_vector *, const struct sl_vector_guard *,
                                   const struct sl_region *, const struct sl_rows *,
                                   LLVMValueRef *first);
/* The same, also of limits that are asked for in the middle of the region. */
LLVMValueRef sl_vector_guard_run(const struct sl_vector *, const struct sl_vector_guard *,
                                 const struct sl_region *, const struct sl_rows *,
                                 LLVMValueRef *first);

#endif
