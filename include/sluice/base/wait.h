/* SPDX-License-Identifier: Apache-2.0 */
/* What threads wait with: clock, pause, futex. No state; any thread. */
#ifndef SL_BASE_WAIT_H
#define SL_BASE_WAIT_H

#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* CLOCK_MONOTONIC. */
uint64_t sl_clock_ns(void);

/* Once round a loop that waits for another thread's next store. */
static inline void sl_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

/*
 * Between the looks at what another thread is about to store, as it does within nanoseconds if only
 * it runs: nobody would wake a sleeper for that. `tries` counts the looks so far. It may need the
 * very processor we are on, also where we have a real-time priority and sched_yield() gives it to
 * nobody else: after some looks the thread sleeps for moments.
 */
void sl_let_others(unsigned tries);

/* Sleeps while the 32 bits of *word are `expected`; returns at a wake-up, after timeout_ns (0:
 * never) or for no reason. */
void sl_futex_wait(void *word, uint32_t expected, uint64_t timeout_ns);
void sl_futex_wake(void *word, unsigned count);

SL_END_C

#endif
