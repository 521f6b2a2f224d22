/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spin lock, for the ends of pipes: a packet moves in less time than a mutex takes. Never held
 * over anything that may wait; who meets another sleeps in the end (sl_let_others).
 */
#ifndef SL_DRIVER_BASE_SPIN_LOCK_H
#define SL_DRIVER_BASE_SPIN_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

struct sl_spin_lock {
    atomic_uint taken; /* zeroed: nobody has it */
};

void sl_spin_await(struct sl_spin_lock *); /* somebody else has it */

static inline void sl_spin_take(struct sl_spin_lock *lock)
{
    if (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire))
        sl_spin_await(lock);
}

static inline bool sl_spin_try(struct sl_spin_lock *lock)
{
    return !atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire);
}

static inline void sl_spin_give(struct sl_spin_lock *lock)
{
    atomic_store_explicit(&lock->taken, 0, memory_order_release);
}

#endif
