/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Visits: a thread of the application that moves many packets runs the kernels at the other end of
 * the pipe itself, since what it has written is in its own caches. Its cluster is lent to it
 * meanwhile (SL_CLUSTER_LENT); when it stays away the watch gives the cluster to a thread of the
 * machine. Until the kernel has kept pace with the host for a while, or has proved to be quick
 * whenever it ran and yet lets the host wait, everything is as without visits; also when its work
 * turns out to take longer than the way between two processors.
 */
#ifndef SL_FPGA_VISIT_H
#define SL_FPGA_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/machine.h"

struct sl_pipe_ring;

/* Of the host's end of a pipe, and of the thread that has its turn there. */
struct sl_visits {
    uint64_t due;          /* the host's index from which sl_visits_consider() is to be called */
    uint64_t index, since; /* where and when (ns) the host was when it was last called */
    uint64_t barred, bar;  /* no visits before (ns); how long the next time */
    uint64_t calm, rest;   /* likewise for visits that begin because the kernel does not come */
    /* in a row: times that the kernel kept pace; visits that moved nothing, that took too long */
    uint32_t proofs, idle, slow;
    uint32_t trial; /* packets still to move by visits that began before the kernel kept pace */
    bool on;
    enum sl_visit_mode mode;
};

void sl_visits_init(struct sl_visits *, enum sl_visit_mode);
/* The host has moved its index to `index`. `host_writes`: its end of the ring. */
void sl_visits_consider(struct sl_visits *, struct sl_cluster *, struct sl_pipe_ring *,
                        bool host_writes, uint64_t index);
/* It found no packet or no room, for the `misses`th time in a row. True: it should look again. */
bool sl_visits_missed(struct sl_visits *, struct sl_cluster *, struct sl_pipe_ring *,
                      bool host_writes, uint32_t misses);

#endif
