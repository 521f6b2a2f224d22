/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What items of a sub-group do together, where the sub-group is a vector and its items go in step:
 * operations on registers. Order of sums: halves of the sub-group first. Where items have parted,
 * those take part that are here.
 */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_SUB_GROUP_H
#define SL_KERNELS_VECTOR_OPERATIONS_SUB_GROUP_H

#include "items/sub_group_op.h"
#include "vector/vector.h"

void sl_vector_emit_sub_group(struct sl_vector *, LLVMValueRef call);
/* Of the lanes that run (items/lane_bound.h), sub-group or not. */
void sl_vector_emit_lane_bound(struct sl_vector *, LLVMValueRef call);
/* sub_group_permute.c: lane l of the result is lane from[l] of x; both have as many lanes as there
 * are, `from` is of 32 bits and in range. */
LLVMValueRef sl_vector_permute(struct sl_vector *, LLVMValueRef x, LLVMValueRef from);

#endif
