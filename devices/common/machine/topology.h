/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this machine offers to this process: cores, caches, memory. Reading is cheap: a few files,
 * no library.
 */
#ifndef SL_DEVICES_TOPOLOGY_H
#define SL_DEVICES_TOPOLOGY_H

#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_topology {
    uint32_t units; /* threads worth running at once: affinity, cgroup CPU quota, num_threads */
    uint32_t cacheline_bytes, clock_mhz;
    uint64_t l2_bytes, last_cache_bytes;
    uint64_t memory_bytes; /* installed, or the cgroup's limit if lower */
};

/* A positive decimal number and nothing else, or 0. */
uint64_t sl_topology_threads(const char *text);

/* `num_threads` is SLUICE_NUM_THREADS or NULL. `root` goes before /proc and /sys; "" outside of
 * tests. */
void sl_topology_read(struct sl_topology *, const char *num_threads, const char *root);

SL_END_C

#endif
