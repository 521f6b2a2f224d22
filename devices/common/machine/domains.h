/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CPU is which compute unit, and which units share a memory or a cache. Only known when there
 * is a unit for each CPU that the process may use: fewer threads go wherever the system wants.
 */
#ifndef SL_DEVICES_DOMAINS_H
#define SL_DEVICES_DOMAINS_H

#include <stdbool.h>

#include "common/machine/place.h"
#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_machine_domains {
    struct sl_domains base; /* first */
    uint32_t units;         /* 0: nothing is known */
    uint32_t *cpu_of;       /* owned */
    uint32_t *numbers;      /* owned: SL_DOMAIN_COUNT rows of `units` */
};

/* `allowed` has SL_CPU_SET_BYTES; `root` goes before /sys. False, and all zero, when nothing can be
 * known, or memory or descriptors are short. */
bool sl_domains_find(struct sl_machine_domains *, const cpu_set_t *allowed, uint32_t units,
                     const char *root);
/* The same with what the calling thread may use. */
bool sl_domains_find_here(struct sl_machine_domains *, uint32_t units);
void sl_domains_finish(struct sl_machine_domains *);

SL_END_C

#endif
