/* SPDX-License-Identifier: Apache-2.0 */
/* membarrier(2). The answer whether there is one is atomic, written once. */
#include "fpga/barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_bool sl_barrier_asymmetric;

void sl_barrier_init(void)
{
#ifndef __SANITIZE_THREAD__ /* which does not know of barriers paid for elsewhere */
    if (!syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
        atomic_store_explicit(&sl_barrier_asymmetric, true, memory_order_relaxed);
#endif
}

bool sl_barrier(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(&sl_barrier_asymmetric, memory_order_relaxed) &&
           !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}
