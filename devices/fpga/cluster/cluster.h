/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster: the kernels that can reach one another through pipes. One thread at a time runs its
 * fibers, so they share rings without atomic operations and the order they run in depends on
 * nothing but the order of launches (and the seed). Other threads send news and wake the cluster.
 *
 * A fiber that parks switches straight to the next ready one; the thread's own context (the loop of
 * sl_cluster_run) is entered only when there is news, something to report, or nothing ready. The
 * thread may also be one of the application's that visits the cluster.
 */
#ifndef SL_FPGA_CLUSTER_H
#define SL_FPGA_CLUSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/fiber.h"

struct sl_machine;
struct sl_parts;
struct sl_pipe;

enum sl_cluster_state {
    SL_CLUSTER_IDLE,
    SL_CLUSTER_QUEUED,
    SL_CLUSTER_BUSY,
    SL_CLUSTER_NAPPING, /* its thread sleeps for a moment: all ready fibers poll in vain */
    SL_CLUSTER_LENT,    /* to the host between two visits, see visit.h; there may be news */
};

/* What the thread of a cluster that may be divided knows of its own work. */
struct sl_load {
    uint64_t since, cpu;    /* when the thread went to a fiber; its own time then, if measured */
    uint64_t busy, crossed; /* in fibers; operations at cut rings meanwhile */
    uint32_t size, given;   /* the most that the budget may be; what it was */
    bool due;               /* it is to be divided, or joined again */
};

/* Of a cluster whose thread does not come to be looked at: by the watch, stall/stall_busy.c. */
struct sl_silence {
    uint32_t look, still; /* the last one; so many in a row */
    uint64_t progress;    /* of its pipes */
    bool told;
};

struct sl_cluster {
    /* of the thread that runs it */
    struct sl_fiber *ready, *ready_tail; /* tail: valid while there are two */
    uint32_t budget;                     /* switches until the thread's context has a look */
    uint32_t fruitless;                  /* polls in a row by which nothing moved */
    struct sl_context thread;
    struct sl_fiber *ended;   /* just now; or NULL */
    struct sl_pipe *notified; /* pipes whose host waits for a change that has come */
    struct sl_fiber *outside; /* parked on foreign ends */
    struct sl_fiber *fibers;  /* all */
    uint32_t fiber_count, doze_us;
    _Atomic uint32_t launched; /* fibers that are not autorun kernels; others only read it */
    uint32_t resting;          /* of them, when the cluster last fell idle or took a nap */
    uint64_t awake_since;      /* the last nap */
    uint64_t random;           /* state; 0: the fixed order */
    uint64_t visit_until;      /* of a visit: who works for longer gives way; 0: no visit */
    uint32_t visit_looks;      /* questions whether it is over since the clock was last read */
    uint64_t changes;          /* of what questions about cycles depend on, see ask.h */
    uint64_t heard_ns;         /* when the outside last launched or moved something */
    uint32_t poked_seen;       /* what `poked` was when it last fell idle */
    uint64_t rested_ns;        /* when its thread went and fibers waited outside; 0: not so */
    bool rests_briefly;        /* the last such rest */
    bool hosted;               /* pipes of the host end here: it may visit. Set with machine->lock,
                                * before it runs */
    uint64_t since;            /* when the thread went to a fiber; 0: nobody wants to know */
    /* With a profile one look at the clock tells when a fiber parked and the next one went on. */
    uint64_t parked_ns, resumed_ns; /* parked_ns: 0: something else has been done since */
    struct sl_fiber *running;       /* who went on then */
    uint32_t turns;                 /* as budget, of fibers that park */
    struct sl_machine *machine;     /* borrowed: outlives its clusters */
    /* of everyone */
    _Alignas(64) _Atomic(struct sl_news *) inbox; /* newest first */
    atomic_int state;                             /* enum sl_cluster_state */
    _Atomic uint32_t poked; /* a foreign end changed; futex of the thread that dozes */
    atomic_bool dozing;
    atomic_bool wanted;  /* the host would run it: its thread leaves */
    atomic_bool strange; /* see sl_cluster_is_strange() */
    _Atomic uint32_t visits;
    _Atomic uint32_t
        quick; /* times in a row that fibers were through with what was there at once */
    atomic_uint refs;
    struct sl_cluster *queued; /* guarded by machine->lock, as is the next */
    struct sl_cluster *prev_cluster, *next_cluster;
    uint32_t visits_seen;    /* when it was last looked whether the host still comes */
    struct sl_cluster *home; /* itself; of a part: of what it is a part, held */
    bool left;               /* it did not, then; guarded as well */
    struct sl_silence silence;
    struct sl_parts *parts; /* borrowed: the design's; NULL: it is never divided. parts.h */
    _Alignas(64) struct sl_load load; /* of the thread that runs it, where it may be divided */
};

int sl_cluster_create(struct sl_machine *, uint32_t number, struct sl_cluster **);
int sl_cluster_create_part(struct sl_cluster *home, struct sl_cluster **);
void sl_cluster_hold(struct sl_cluster *);
void sl_cluster_drop(struct sl_cluster *); /* NULL is a no-op */

/* From any thread. */
void sl_cluster_post(struct sl_cluster *, struct sl_news *);
void sl_cluster_poke(struct sl_cluster *); /* look at the foreign ends; its parts too */
void sl_cluster_poke_one(struct sl_cluster *);

/* The calling thread gets the cluster for itself if that is in `state`, idle or napping. */
bool sl_cluster_claim(struct sl_cluster *, enum sl_cluster_state);
/* Back to that state; `poked`: what cluster->poked was before the claim. */
void sl_cluster_release(struct sl_cluster *, enum sl_cluster_state, uint32_t poked);

static inline uint32_t sl_cluster_launched(const struct sl_cluster *cluster)
{
    return atomic_load_explicit(&cluster->launched, memory_order_relaxed);
}

/* By the thread that runs it. */
static inline void sl_cluster_count_launch(struct sl_cluster *cluster, int change)
{
    atomic_store_explicit(&cluster->launched, sl_cluster_launched(cluster) + (uint32_t)change,
                          memory_order_relaxed);
}

/* Something for its thread, `poked` being what cluster->poked was before. */
static inline bool sl_cluster_has_news(struct sl_cluster *cluster, uint32_t poked)
{
    return atomic_load_explicit(&cluster->inbox, memory_order_seq_cst) ||
           atomic_load_explicit(&cluster->poked, memory_order_seq_cst) != poked;
}

/* Runs a cluster that is SL_CLUSTER_BUSY by this thread until it has nothing to do, others have
 * waited long enough or the host wants it. */
void sl_cluster_run(struct sl_cluster *);
/* Runs it by a thread of the application until it has nothing to do or `until`; calls nothing of
 * the driver's. `index`: what its kernel moves. False: another thread is at it, and was told to
 * leave. */
bool sl_cluster_visit(struct sl_cluster *, const uint64_t *index, uint64_t now, uint64_t until);
/* The same of one that has just been taken out of the queue, for a moment, by a thread that waits
 * with no lock of the driver's: it also hears of launches and tells what has ended. */
void sl_cluster_help(struct sl_cluster *);
/* No thread of the application has tried one of its kernels, or it was at it for long. */
static inline bool sl_cluster_is_strange(const struct sl_cluster *cluster)
{
    return atomic_load_explicit(&cluster->strange, memory_order_relaxed);
}
/* A thread of the machine gets it if it is lent. */
void sl_cluster_take_back(struct sl_cluster *);
/* The machine stops: nobody will visit the cluster, and it has nothing that a thread could run. */
void sl_cluster_end_loan(struct sl_cluster *);

/* ---- for the thread that runs it ------------------------------------------------------------- */

void sl_cluster_add(struct sl_cluster *, struct sl_fiber *); /* a new fiber, ready */
/* A thread of the application has run its kernel, and was soon through. */
bool sl_cluster_knows(const struct sl_fiber *);
/* One that was another cluster's, and is in no list but a ring's own. */
void sl_cluster_enlist(struct sl_cluster *, struct sl_fiber *);
void sl_cluster_remove(struct sl_cluster *, struct sl_fiber *);
/* Ends a parked or ready fiber from outside. */
void sl_cluster_discard(struct sl_fiber *, int status);

/* Behind those who wait at the same place; fiber->ring is outside. */
void sl_cluster_wait_outside(struct sl_cluster *, struct sl_fiber *);
/* Out of the list that it is in as it stands, but for a ring's own. */
void sl_cluster_withdraw(struct sl_cluster *, struct sl_fiber *);

/* Takes a fiber out of a list; `tail` may be NULL. */
void sl_cluster_unlink(struct sl_fiber **list, const struct sl_fiber *, struct sl_fiber **tail);

/* Asked at each operation of a visit, most of which take less time than the clock does to read. */
bool sl_cluster_visit_over(struct sl_cluster *);

/* A fiber has done all it could since the thread went to it. */
void sl_cluster_note_quick(struct sl_cluster *);

/* Something moved, or may have. */
static inline void sl_cluster_stir(struct sl_cluster *cluster)
{
    cluster->fruitless = cluster->doze_us = 0;
}

/* fiber->next is NULL. */
static inline void sl_cluster_append(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    struct sl_fiber *first = cluster->ready;
    if (first) {
        struct sl_fiber *last = first->next ? cluster->ready_tail : first;
        last->next = fiber;
        cluster->ready_tail = fiber;
    } else {
        cluster->ready = fiber;
    }
}

static inline void sl_cluster_ready(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    fiber->next = NULL;
    sl_cluster_append(cluster, fiber);
}

/* Who has the thread when the calling fiber parks: the next ready one, or the loop of the thread
 * when there is none, there is news, or it is time to look around. */
static inline struct sl_context *sl_cluster_next(struct sl_cluster *cluster)
{
    struct sl_fiber *next = cluster->ready;
    if (__builtin_expect(next && --cluster->budget &&
                             !atomic_load_explicit(&cluster->inbox, memory_order_relaxed),
                         1)) {
        cluster->ready = next->next;
        return &next->context;
    }
    return &cluster->thread;
}

static inline void sl_cluster_switch(struct sl_fiber *self)
{
    sl_context_switch(&self->context, sl_cluster_next(self->cluster));
}

/* The calling fiber goes behind all others. */
void sl_cluster_step_back(struct sl_fiber *);
/* It lets others run. Whether it could go on itself its caller knows (fiber->settled): answers to
 * others depend on that (ahead/ask.h). */
void sl_cluster_yield(struct sl_fiber *);
/* The same, after operations that moved nothing. */
void sl_cluster_poll(struct sl_fiber *);
/* A non-blocking operation moved nothing. */
void sl_cluster_failed(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *);
/* The thread has a look first, then the calling fiber goes on. */
void sl_cluster_step_out(struct sl_fiber *);
/* A good moment to give the cluster to whoever wants it, or the thread back to its owner. */
void sl_cluster_give_way(struct sl_fiber *);
/* The calling fiber never runs again. */
_Noreturn void sl_cluster_end(struct sl_fiber *);

/* A random number, where there is a seed. */
uint32_t sl_cluster_draw(struct sl_cluster *, uint32_t below);

#endif
