/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One build for all that want it at the same time: builds that are going on in this process, by
 * key: who wants what another thread is already compiling waits for it instead of compiling it
 * again. Any thread.
 *
 * sl_flight_board() makes the caller pilot or passenger. A pilot does the build and lands, exactly
 * once; a passenger waits for that, exactly once, and does the build itself if nothing was brought.
 */
#ifndef SL_DRIVER_PROGRAM_COMPILER_SINGLE_FLIGHT_H
#define SL_DRIVER_PROGRAM_COMPILER_SINGLE_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/hash.h"

struct sl_flight;

/* NULL when memory is out or the process was forked: then everybody builds for himself. */
struct sl_flight *sl_flight_board(struct sl_hash key, bool *pilot);
/* `container` is copied if somebody waits; NULL: nothing that others could use. */
void sl_flight_land(struct sl_flight *, const unsigned char *container, size_t bytes);
/* An owned copy of what the pilot brought, or NULL. */
unsigned char *sl_flight_wait(struct sl_flight *, size_t *bytes);

#endif
