/* SPDX-License-Identifier: Apache-2.0 */
/* See wait.h. */
#include "sluice/base/wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 100, YIELDS = 100 };

void sl_let_others(unsigned tries)
{
    const struct timespec moment = {.tv_nsec = 20000};
    if (tries < SPINS)
        sl_pause();
    else if (tries < SPINS + YIELDS)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

uint64_t sl_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sl_futex_wait(void *word, uint32_t expected, uint64_t timeout_ns)
{
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                               .tv_nsec = (long)(timeout_ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout_ns ? &timeout : NULL, NULL, 0);
}

void sl_futex_wake(void *word, unsigned count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
