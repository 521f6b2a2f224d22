/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a condition says about the ids of items that meet it: limits of a guard (guard.h), in the
 * order in which the condition asks about them, the last one first. All read the kernel as it is
 * split, and write the caller's guard alone; where they give false what is in it is of no use.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_GUARD_LIMITS_H
#define SL_KERNELS_VECTOR_ANALYSIS_GUARD_LIMITS_H

#include "vector/analysis/guard.h"

enum { SL_GUARD_DEEPEST = 8 }; /* operations between an id and the comparison */

/* One number for all items of the group, which guard_count.c can make in front of the row. */
bool sl_guard_is_same(const struct sl_split *, LLVMValueRef);
/* It grows by one from item to item of a row: as a signed or unsigned number, without ever
 * wrapping. */
bool sl_guard_counts(const struct sl_split *, LLVMValueRef, bool sign);
/* False: there is no room for more. */
bool sl_guard_add_limit(struct sl_vector_guard *, struct sl_vector_limit);
/* A comparison of an id by size: it holds, or not, for the items that run. */
bool sl_guard_read_order(const struct sl_split *, LLVMValueRef compare, bool runs_if,
                         struct sl_vector_guard *);
/* Comparisons joined by `and`, or by `or` where it does not hold; no deeper than that. */
bool sl_guard_read_condition(const struct sl_split *, LLVMValueRef, bool runs_if,
                             struct sl_vector_guard *, unsigned depth);
/* All that a conditional branch asks; begins a new guard. */
bool sl_guard_read_branch(const struct sl_split *, LLVMValueRef branch, bool runs_if,
                          struct sl_vector_guard *);

#endif
