/* SPDX-License-Identifier: Apache-2.0 */
/* See spin_lock.h: what happens when two threads meet. */
#include "base/thread/spin_lock.h"

#include "sluice/base/wait.h"

void sl_spin_await(struct sl_spin_lock *lock)
{
    unsigned tries = 0;
    do
        sl_let_others(tries++);
    while (atomic_load_explicit(&lock->taken, memory_order_relaxed) ||
           atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire));
}
