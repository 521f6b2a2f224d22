/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What there is of code on demand, and how the compiler or the cache come to add to it. demand.c
 * decides what is to be made and by whom. Any thread; no lock may be held.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_DEMAND_MAKE_H
#define SL_DRIVER_PROGRAM_OBJECT_DEMAND_MAKE_H

#include <pthread.h>
#include <stdatomic.h>

#include "program/object/program.h"

/* Of a kernel's code: whatever the compiler makes at first, and what runs any launch. */
enum sl_forms { SL_FORMS_USUAL, SL_FORMS_ALL, SL_FORMS };

struct sl_demand_slot { /* of a kernel */
    /* By enum sl_forms. `whole`, which is counted once, or owned: a module of this kernel alone;
     * NULL: none yet */
    struct sl_code_ref *_Atomic code[SL_FORMS];
    /* What launches with quick code took, as far as one can tell, and how often better code could
     * not be made; of kernels that are `joined` the first one's are all kernels'. */
    _Atomic uint64_t quick_ns;
    atomic_uint failures;
    atomic_uint launches; /* counted if it `swings` */
    atomic_bool looked;   /* the cache does not have it */
    bool busy;            /* under the lock: somebody makes it */
};

struct sl_demand {
    const struct sl_device_caps *caps; /* borrowed from the device */
    unsigned char *rest;               /* owned */
    size_t rest_bytes;
    uint32_t kernel_count;
    bool has_best;     /* none has: what there is of all is the best, if not for all launches */
    bool always_quick; /* SLUICE_BUILD=quick */
    bool swings;       /* SLUICE_BUILD=swing, of a program with pipes */
    bool joined;       /* pipes join kernels: only together are they made */
    struct sl_code_ref *_Atomic whole; /* owned: code of all kernels */
    pthread_mutex_t lock;
    pthread_cond_t change;
    unsigned char *container; /* owned: of `whole` */
    size_t container_bytes;
    bool whole_busy;
    bool whole_failed; /* one kernel may be to blame: the others are tried by themselves */
    uint32_t made;     /* kernels that have code of their own */
    uint64_t least_ns; /* one of them took */
    struct sl_demand_slot slots[];
};

/* The code of a kernel, or of all; the caller has marked it as busy. The context's callback is told
 * when it cannot be made. */
cl_int sl_demand_make(struct sl_code_ref *, uint32_t kernel, enum sl_forms, bool all, cl_context)
    __attribute__((warn_unused_result));
/* Is there code of it in the cache? The caller has marked it as busy, and there is none of these
 * forms yet: what a slot has stays there. */
void sl_demand_look(struct sl_code_ref *, uint32_t kernel, enum sl_forms);

#endif
