/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of a kernel's operations on pipes happen so regularly that they can be followed before it
 * runs, whatever the others do. No shared state.
 */
#ifndef SL_KERNELS_TIMING_FOLLOW_H
#define SL_KERNELS_TIMING_FOLLOW_H

#include "timing/network.h"

enum sl_follow {
    SL_FOLLOW_UNKNOWN, /* nobody knows when, or how often */
    SL_FOLLOW_REGULAR, /* waits, and happens once in each iteration of regular loops */
    SL_FOLLOW_BEHIND   /* behind a loop whose length nobody knows */
};

struct sl_following {
    enum sl_follow **items; /* owned, as each of them: by kernel and item; ends as their loops */
    /* Owned; by pipe and by write: the kernel that is there, SL_NETWORK_NOBODY, or
     * SL_NETWORK_UNKNOWN: whose operations nobody can follow, or several. */
    int32_t (*ends)[2];
};

/* To be finished in any case. -1: no memory. */
int sl_follow(struct sl_following *, const struct sl_network *);
void sl_follow_finish(struct sl_following *, const struct sl_network *);

#endif
