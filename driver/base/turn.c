/* SPDX-License-Identifier: Apache-2.0 */
/* See turn.h: what happens when two threads meet. */
#include "base/turn.h"

#include <sched.h>
#include <time.h>

#include "base/thread.h"

enum { SPINS = 100, YIELDS = 100 };

/* Sleeping is for a holder that cannot run because we do: a thread of higher priority on its core.
 */
static void let_others(unsigned tries)
{
    const struct timespec moment = {.tv_nsec = 20000};
    if (tries < SPINS)
        sl_pause();
    else if (tries < SPINS + YIELDS)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

void sl_turn_await(struct sl_turn *turn)
{
    unsigned tries = 0;
    do
        let_others(tries++);
    while (atomic_load_explicit(&turn->taken, memory_order_relaxed) ||
           atomic_exchange_explicit(&turn->taken, 1, memory_order_acquire));
}
