/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a program that are bound to wait for each other. No shared state. */
#ifndef SL_KERNELS_TIMING_DEADLOCK_H
#define SL_KERNELS_TIMING_DEADLOCK_H

#include "timing/network.h"

struct sl_deadlocks {
    char *warnings; /* owned: lines of the build log, of each place in the source one */
    char *json;     /* owned: the rows of an array, of each group of kernels that pipes join one */
    bool *stuck;    /* owned: by kernel of the network, whether its group comes to stand still */
};

/* Depths are those of the network. `copies`: only of groups with kernels that were copied for
 * compute units, which schedules know nothing of. To be finished in any case; all NULL: no memory,
 * or nothing is known of the network. */
void sl_deadlocks_find(struct sl_deadlocks *, const struct sl_network *, bool copies);
void sl_deadlocks_finish(struct sl_deadlocks *);

#endif
