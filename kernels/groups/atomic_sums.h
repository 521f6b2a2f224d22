/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums in global memory that many items add to and none looks at: atomic_inc(&counters[x]) and its
 * kin, relaxed, without use of the old value. A thread adds them up in a table of its own while it
 * runs its work-groups, and only what the table has no room for, and what is left in the end, goes
 * to memory by atomics. The processor's lock costs as much as some twenty additions, and ten times
 * that when threads add to the same line.
 *
 * When that may be: nothing behind such an addition in its item may tell when it took place: no
 * barrier, fence or other atomic, no access to memory that could be the same. And nothing before it
 * may wait for somebody who sees it: no volatile access, no other atomic.
 */
#ifndef SL_KERNELS_ATOMIC_SUMS_H
#define SL_KERNELS_ATOMIC_SUMS_H

#include "groups/group_function.h"

/* Of this width; declared if need be, and defined by the first work-group function that has sums.
 */
LLVMValueRef sl_sum_function(const struct sl_emit *, LLVMModuleRef, LLVMTypeRef);

/* atomic_sums_few.c: up to which place from the argument on, in sums, the pointer may lead, and one
 * more; 0: too far. And the same place from the table on. */
uint32_t sl_sum_entries(LLVMModuleRef, LLVMValueRef pointer, LLVMTypeRef);
LLVMValueRef sl_sum_place(const struct sl_emit *, LLVMValueRef pointer, LLVMValueRef table);

/* In the work-group function, if the kernel has such sums: the table, empty, before all groups; and
 * what is in it goes to memory behind them. */
void sl_sums_open(struct sl_group_function *);
void sl_sums_close(struct sl_group_function *);

#endif
