/* SPDX-License-Identifier: Apache-2.0 */
/* membarrier(2). The answer whether there is one is atomic, written once. */
#include "fpga/base/barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fpga/base/shadow.h"

atomic_bool sl_barrier_asymmetric;

void sl_barrier_init(void)
{
#ifndef SL_SHADOW_THREAD /* it does not know of barriers paid for elsewhere */
    if (!syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
        atomic_store_explicit(&sl_barrier_asymmetric, true, memory_order_relaxed);
#endif
}

void sl_barrier_full(void)
{
#ifdef SL_SHADOW_THREAD /* nor of fences */
    static atomic_int word;
    atomic_fetch_add_explicit(&word, 1, memory_order_seq_cst);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

bool sl_barrier(void)
{
    sl_barrier_full();
    return atomic_load_explicit(&sl_barrier_asymmetric, memory_order_relaxed) &&
           !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}
