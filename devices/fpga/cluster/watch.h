/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that looks after the machine when something takes long: gives a cluster that waits
 * behind endless kernels a thread of its own, and finds out that nothing can move. It sleeps
 * without a time limit unless one of the two may be the case.
 */
#ifndef SL_FPGA_WATCH_H
#define SL_FPGA_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/thread.h"

struct sl_machine;

enum { SL_WISH_LATE = 1, SL_WISH_STALL = 2, SL_WISH_END = 4, SL_WISH_LENT = 8 };

struct sl_watch {
    struct sl_machine *machine; /* borrowed */
    struct sl_thread thread;    /* runs machine->ops->watch(watch) until SL_WISH_END */
    _Atomic uint32_t wishes;    /* what was asked for since the last look; the futex to sleep on */
};

struct sl_watch *sl_watch_create(struct sl_machine *); /* NULL: not possible */
void sl_watch_destroy(struct sl_watch *);              /* joins; NULL is a no-op */

/* A cluster is queued and no thread is free. */
void sl_watch_late(struct sl_watch *);
/* A cluster is lent to the host, which may never come back. */
void sl_watch_lent(struct sl_watch *);
/* One was, and may be. */
bool sl_watch_has_lent(struct sl_watch *);
/* All may stand still while the host waits. */
void sl_watch_stall(struct sl_watch *);

#endif
