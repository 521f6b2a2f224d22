/* SPDX-License-Identifier: Apache-2.0 */
/* See wait.h. */
#include "sluice/base/wait.h"

#include <sched.h>

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
