/* SPDX-License-Identifier: Apache-2.0 */
/* What threads wait with: clock, pause, futex. No state; any thread. */
#ifndef SL_BASE_WAIT_H
#define SL_BASE_WAIT_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* CLOCK_MONOTONIC. */
static inline uint64_t sl_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

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
static inline void sl_futex_wait(void *word, uint32_t expected, uint64_t timeout_ns)
{
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                               .tv_nsec = (long)(timeout_ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout_ns ? &timeout : NULL, NULL, 0);
}

static inline void sl_futex_wake(void *word, unsigned count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#endif
