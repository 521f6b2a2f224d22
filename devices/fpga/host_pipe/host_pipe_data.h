/* SPDX-License-Identifier: Apache-2.0 */
/* A pipe with an end outside of the cluster, for the files that make it up: host_pipe.c (the host's
 * end, life), transfer.c (transfers as work, and what the cluster does for them), pipe_watch.c (for
 * the watch), foreign_end.c (for threads that serve I/O pipes). */
#ifndef SL_FPGA_HOST_PIPE_DATA_H
#define SL_FPGA_HOST_PIPE_DATA_H

#include <pthread.h>

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/segments.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/host_pipe/slots.h"
#include "fpga/host_pipe/visit.h"

struct sl_pipe {
    struct sl_pipe_ring *ring; /* in the module, or owned */
    struct sl_slots slots;     /* of an owned ring, or one that is set apart */
    struct sl_machine *machine;
    struct sl_cluster *cluster; /* borrowed: of the program's or the machine's */
    struct sl_shm *shm;         /* owned: where the ring is; NULL: it is the module's, or `slots` */
    struct sl_segments taken;   /* mapped by the host */
    uint64_t index;             /* the host's: its line in the ring may be with the kernel's core */
    uint64_t peer;              /* the kernel's index, when last looked at */
    uint32_t misses;            /* calls in a row that found nothing; others only read it */
    struct sl_visits visits;
    /* touched when somebody sleeps */
    _Alignas(64) _Atomic uint32_t sleeping; /* kernels wait for the host's end to move */
    atomic_uint pending_count;
    pthread_mutex_t lock; /* guards `changed` and `pending` */
    void (*changed)(void *data);
    void *changed_data;
    pthread_mutex_t turn; /* of the thread that is at the foreign end now; guards the next two */
    bool (*poll)(void *data, bool moved);
    void *_Atomic poll_data; /* NULL: nobody is to be asked */
    _Atomic uint32_t polls;  /* that were tried */
    atomic_bool rests;       /* the thread of the foreign end leaves that to the cluster's */
    struct sl_work *pending, *pending_tail;
    struct sl_news news;
    atomic_bool told;              /* news is under way */
    atomic_uint holds;             /* of its memory: its owner's, and of news */
    atomic_bool at_end;            /* the foreign end will never move again */
    const char *_Atomic alone_at;  /* borrowed: where a peer is lacked; NULL */
    _Atomic uint64_t alone_since;  /* written before that */
    bool notified;                 /* in cluster->notified */
    struct sl_pipe *next_notified; /* of the cluster's thread, as is the one before */
    struct {                       /* of the watch: as in sl_fiber */
        uint32_t look, still;
        uint64_t progress;
        bool told;
        uint32_t misses, silent; /* looks without a further one */
    } seen;
    bool asked, asked_write; /* in machine->asked; guarded by machine->lock, as are these */
    struct sl_pipe *next_asked, *previous_asked;
    atomic_uint looked_at; /* by the watch, which must not lose it */
};

/* Calls in a row that found nothing. Any thread. */
static inline uint32_t sl_pipe_misses(const struct sl_pipe *pipe)
{
    return __atomic_load_n(&pipe->misses, __ATOMIC_RELAXED);
}

/* Packets or room behind what is mapped. Looks at the kernel's index only when it must. */
uint64_t sl_pipe_available(struct sl_pipe *, bool write, uint64_t at, uint64_t enough);
/* One packet at the host's end: 0, SL_PIPE_WOULD_WAIT or an error. */
int sl_pipe_move(struct sl_pipe *, bool write, void *packet);
/* Out of machine->asked. */
void sl_pipe_delist_asked_locked(struct sl_pipe *);
void sl_pipe_let_go(struct sl_pipe *); /* a hold of its memory */

/* Does what can be done, in order; returns those works, linked. */
struct sl_work *sl_pipe_complete_locked(struct sl_pipe *);
/* Works that are linked. */
void sl_pipe_end_works(struct sl_machine *, struct sl_work *, int status);

#endif
