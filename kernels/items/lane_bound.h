/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least and the largest number that items have which go in step: calls of placeholder functions
 * "sl.bound.WHICH.SIGN.BITS" of each item's own number. Vectors of items
 * (vector/operations/sub_group.h) ask their lanes, an item alone has its own number. Code with such
 * calls is right for each item whatever they give, as long as it is not above the least or below
 * the largest one. Stateless.
 */
#ifndef SL_KERNELS_ITEMS_LANE_BOUND_H
#define SL_KERNELS_ITEMS_LANE_BOUND_H

#include "ir/emit.h"
#include "llvm/loops/rounds/rounds_in_step.h"

struct sl_lane_bound {
    enum sl_round_bound which;
    bool is_unsigned;
};

/* The function for numbers of that type, an integer's. */
LLVMValueRef sl_lane_bound_function(LLVMModuleRef, struct sl_lane_bound, LLVMTypeRef);
/* Is it a call of one? `bound` may be NULL. */
bool sl_lane_bound(LLVMValueRef value, struct sl_lane_bound *bound);
/* In the function each is the item's alone, and no round is a common one. Were there any? */
bool sl_lane_bounds_of_one(LLVMValueRef function);

#endif
