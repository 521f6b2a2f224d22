/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fences. A work-group runs on one thread, so what a fence must order is this thread against
 * others that work on the same buffers; barriers are cut out by the work-group passes.
 */
#include "table.h"

SL_OVERLOAD void mem_fence(cl_mem_fence_flags flags)
{
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}

SL_OVERLOAD void read_mem_fence(cl_mem_fence_flags flags)
{
    __c11_atomic_thread_fence(__ATOMIC_ACQUIRE);
}

SL_OVERLOAD void write_mem_fence(cl_mem_fence_flags flags)
{
    __c11_atomic_thread_fence(__ATOMIC_RELEASE);
}

SL_OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                        memory_scope scope)
{
    if (order == memory_order_seq_cst)
        __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    else if (order != memory_order_relaxed)
        __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/* cl_intel_split_work_group_barrier: nobody has to be early, and who waits does what arriving is
 * for: all that the items wrote before either is seen by all behind it. */
SL_OVERLOAD void intel_work_group_barrier_arrive(cl_mem_fence_flags flags)
{
}

SL_OVERLOAD void intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope)
{
}

SL_OVERLOAD void intel_work_group_barrier_wait(cl_mem_fence_flags flags)
{
    work_group_barrier(flags);
}

SL_OVERLOAD void intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope)
{
    work_group_barrier(flags, scope);
}
