/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where worker threads go. By default they are kept in a part of the machine that shares a last
 * cache or a memory, if it has several such parts and all of it is ours, with one thread per CPU;
 * otherwise the system places them. The system's files say which CPUs belong together
 * (sharing.h); they are read when threads start.
 */
#ifndef SL_DEVICES_PLACE_H
#define SL_DEVICES_PLACE_H

#include "common/machine/sharing.h"
#include "sluice/base/linkage.h"

SL_BEGIN_C

enum sl_placing {
    SL_PLACING_AUTO,
    SL_PLACING_FREE,  /* wherever the system wants */
    SL_PLACING_CORES, /* each on a CPU of its own, one of each core before the second of any */
};

/* What a process may use. */
struct sl_place_limits {
    const cpu_set_t *allowed; /* SL_CPU_SET_BYTES */
    uint32_t online;          /* CPUs of the machine */
    uint32_t threads;         /* that will run at most */
};

struct sl_places {      /* zeroed: threads are not bound */
    uint32_t count;     /* of sets */
    uint32_t threads;   /* of set_of; thread i goes where thread i % threads goes */
    uint32_t *set_of;   /* owned */
    unsigned char *set; /* owned: count sets of SL_CPU_SET_BYTES */
};

/* SLUICE_PIN_THREADS. */
enum sl_placing sl_placing_from(const char *setting);
/* Leaves *places zeroed where threads shall not be bound. `root` goes before /sys; "" outside of
 * tests. */
void sl_places_find(struct sl_places *, enum sl_placing, const struct sl_place_limits *,
                    const char *root);
/* The same with the limits of the calling thread and this machine. */
void sl_places_find_here(struct sl_places *, enum sl_placing, uint32_t threads);
/* All threads in one set of CPUs (SL_CPU_SET_BYTES). Zeroed when memory is out. */
void sl_places_in(struct sl_places *, const cpu_set_t *cpus);
/* Binds the calling thread, the index-th of the pool. */
void sl_places_bind(const struct sl_places *, uint32_t index);
void sl_places_finish(struct sl_places *);

SL_END_C

#endif
