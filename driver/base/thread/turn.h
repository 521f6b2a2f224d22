/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread's turn at something that takes nanoseconds: a lock for the ends of pipes, where a
 * packet moves in less time than a mutex takes. Never held over anything that may wait.
 */
#ifndef SL_DRIVER_BASE_TURN_H
#define SL_DRIVER_BASE_TURN_H

#include <stdatomic.h>
#include <stdbool.h>

struct sl_turn {
    atomic_uint taken; /* zeroed: nobody's turn */
};

void sl_turn_await(struct sl_turn *); /* somebody else has it */

static inline void sl_turn_take(struct sl_turn *turn)
{
    if (atomic_exchange_explicit(&turn->taken, 1, memory_order_acquire))
        sl_turn_await(turn);
}

static inline bool sl_turn_try(struct sl_turn *turn)
{
    return !atomic_exchange_explicit(&turn->taken, 1, memory_order_acquire);
}

static inline void sl_turn_give(struct sl_turn *turn)
{
    atomic_store_explicit(&turn->taken, 0, memory_order_release);
}

#endif
