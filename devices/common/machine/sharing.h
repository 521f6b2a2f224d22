/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CPUs share a core, a cache or a memory, as the system's files say. No library is asked:
 * those that know more end the process when memory is short.
 */
#ifndef SL_DEVICES_SHARING_H
#define SL_DEVICES_SHARING_H

#include <sched.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

enum { SL_MOST_CPUS = 8192, SL_CPU_SET_BYTES = SL_MOST_CPUS / 8 };

enum sl_shared {
    SL_SHARED_CORE,
    SL_SHARED_L1,
    SL_SHARED_L2,
    SL_SHARED_L3,
    SL_SHARED_L4,
    SL_SHARED_MEMORY,
};

/* Groups are numbered in the order of their first CPUs, memories in their own order. */
struct sl_groups {
    uint32_t count;
    uint32_t *of; /* owned: a number for each of SL_MOST_CPUS; what was not asked for has any */
};

/*
 * `cpus` has SL_CPU_SET_BYTES; `root` goes before /sys, "" outside of tests. Where the system tells
 * of no memories there is one. SL_INVALID_OPERATION: it is not known for each of the CPUs;
 * SL_OUT_OF_HOST_MEMORY: memory or descriptors are short; *out is zeroed then. Any thread.
 */
int sl_groups_find(struct sl_groups *out, enum sl_shared, const cpu_set_t *cpus, const char *root);
void sl_groups_finish(struct sl_groups *);

/* "0-3,8", as these files have it; errors as above, with an empty set. */
int sl_cpu_list_read(const char *path, cpu_set_t *cpus);

SL_END_C

#endif
