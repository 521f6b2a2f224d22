/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of this process that are the application's and could act: all but the driver's and
 * its devices' own, which are known by their names, and those that are known to be idle. One caller
 * at a time.
 */
#ifndef SL_DRIVER_COMMANDS_ACTORS_H
#define SL_DRIVER_COMMANDS_ACTORS_H

#include <stdbool.h>
#include <stdint.h>

enum { SL_IDLE_MOST = 64 };
struct sl_idle {
    unsigned count;
    int threads[SL_IDLE_MOST];
};
/* Those that are too many count as able to act. */
void sl_idle_add(struct sl_idle *, int thread);

enum sl_actors {
    SL_ACTORS_NONE,
    SL_ACTORS_QUIET, /* there are some, or it cannot be known */
    SL_ACTORS_BUSY,  /* one has used its processor since the last look */
};
/* `callbacks`: the thread that runs the application's callbacks is at one. */
enum sl_actors sl_actors_look(const struct sl_idle *, bool callbacks, uint64_t now_ns);

#endif
