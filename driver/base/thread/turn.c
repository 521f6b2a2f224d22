/* SPDX-License-Identifier: Apache-2.0 */
/* See turn.h: what happens when two threads meet. */
#include "base/thread/turn.h"

#include "sluice/base/wait.h"

void sl_turn_await(struct sl_turn *turn)
{
    unsigned tries = 0;
    do
        sl_let_others(tries++);
    while (atomic_load_explicit(&turn->taken, memory_order_relaxed) ||
           atomic_exchange_explicit(&turn->taken, 1, memory_order_acquire));
}
