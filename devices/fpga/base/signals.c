/* SPDX-License-Identifier: Apache-2.0 */
/* See signals.h. What is known is atomics; two threads that ask at once do no harm. */
#include "fpga/base/signals.h"

#include <signal.h>
#include <stdatomic.h>

/* Some ten microseconds of system calls for so many calls, and not again for so long: programs
 * catch their signals before they are busy with pipes. */
enum { CALLS = 64 };
static const uint64_t known_for_ns = 10000000;

static struct {
    _Atomic uint64_t until;
    atomic_uint calls; /* that found nothing known */
    atomic_bool caught;
} known = {.caught = true};

static bool catches(int signal)
{
    struct sigaction action;
    return !sigaction(signal, NULL, &action) &&
           (action.sa_flags & SA_SIGINFO ||
            (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN));
}

static bool catches_any(void)
{
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        if (catches(signal))
            return true;
    return false;
}

bool sl_signals_caught(uint64_t now_ns)
{
    if (now_ns >= atomic_load_explicit(&known.until, memory_order_relaxed)) {
        if (atomic_fetch_add_explicit(&known.calls, 1, memory_order_relaxed) < CALLS)
            return true;
        atomic_store_explicit(&known.calls, 0, memory_order_relaxed);
        atomic_store_explicit(&known.caught, catches_any(), memory_order_relaxed);
        atomic_store_explicit(&known.until, now_ns + known_for_ns, memory_order_relaxed);
    }
    return atomic_load_explicit(&known.caught, memory_order_relaxed);
}
