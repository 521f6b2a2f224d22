/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel instance of the dataflow machine: one stack on which its work-groups run in order. The
 * struct lies at the top of that stack, so that a fiber touches few pages and cache lines. What
 * happens at each pipe operation is in one line, the end of `launch` included.
 */
#ifndef SL_FPGA_FIBER_H
#define SL_FPGA_FIBER_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/memory/arena.h"
#include "fpga/base/context.h"
#include "fpga/base/stack.h"
#include "sluice/device.h"

struct sl_ahead;
struct sl_clock_run;
struct sl_cluster;
struct sl_design;
struct sl_fiber;
struct sl_trace_run;

/* A message to the thread that runs a cluster. */
struct sl_news {
    struct sl_news *next;
    void (*take)(struct sl_cluster *, struct sl_news *);
};

struct sl_fiber {
    struct sl_fiber *prev_fiber, *next_fiber; /* in cluster->fibers */
    struct sl_launch launch; /* its last words, runtime and owner, begin the hot line */
    struct sl_context context;
    struct sl_fiber *next;           /* ready, or waiting for the same end of the same ring */
    struct sl_cluster *cluster;      /* borrowed: the machine's, or held by design */
    struct sl_pipe_ring *ring;       /* waited for; NULL: running or ready */
    const struct sl_pipe_site *site; /* of ring, else of polled */
    void *packet;                    /* what is to be read or written at `ring` */
    /* the next line */
    uint32_t failures;           /* non-blocking operations in a row that moved nothing */
    bool failed;                 /* one of them since this was last cleared */
    bool watches;                /* it has looked whether memory has changed, likewise */
    bool doomed;                 /* part of a stall that ends its launches */
    bool spared;                 /* held, and launched after what its cluster's parts await */
    struct sl_pipe_ring *polled; /* where a non-blocking operation last failed */
    /* seldom used */
    struct sl_news news;
    const struct sl_kernel_info *kernel; /* of the design */
    const struct sl_kernel_info *code;   /* what it runs: the same, or other code of that kernel */
    struct sl_design *design;            /* held; NULL in unit tests of the parts */
    struct sl_trace_run *run;            /* of the design's trace; NULL: not traced */
    struct sl_clock_run *clock;          /* of the design's clock; NULL: not timed */
    struct sl_ahead *ahead; /* owned; what it did before its clock; NULL: nothing can be */
    struct sl_work *work;   /* the driver's; NULL: an autorun kernel */
    struct sl_work_queue *work_queue; /* counted, of work */
    const void *args;
    uint64_t groups;
    uint64_t progress; /* of its rings, when it last failed for long */
    uint64_t asks; /* what happens before the cycle in front of this one, see ask.h; 0: nothing */
    uint64_t settled;       /* what cluster->changes was when it last found that it cannot go on */
    uint64_t stalled_busy;  /* until then launches had gone on for so long (profile/busy.h) */
    uint64_t stalled_since; /* with a profile: what it waits for counts from then; 0: it does not */
    struct sl_pipe_ring *stalled_at; /* who goes to it counts that wait, there; NULL: it does so */
    bool stall_counted;              /* that wait was counted up to stalled_since */
    struct sl_arena arena;           /* kept with the stack */
    struct sl_stack stack;
    unsigned class;
    int status;
    struct {                             /* by the watch, stall.c */
        uint32_t episode;                /* in which it was last looked at; 0: none */
        uint32_t still;                  /* looks in which it was found where it had been */
        uint32_t watching;               /* looks before which it polled memory, likewise */
        uint64_t progress;               /* of its rings then */
        const struct sl_pipe_ring *ring; /* where it was stuck */
        bool told;                       /* reported as it stands */
        bool noted;                      /* that it waits for the outside */
        bool warned;                     /* it is the next to end */
        uint8_t far;                     /* looks since it was told with others' processes, or 0 */
    } seen;
};
static_assert(offsetof(struct sl_fiber, launch) + offsetof(struct sl_launch, runtime) == 128,
              "the hot line begins");

enum { SL_FIBER_CLASSES = 12 }; /* stacks of 128 KiB, each twice the one before */

/* Where it waits or polls in vain; NULL: neither. */
static inline struct sl_pipe_ring *sl_fiber_stuck_at(const struct sl_fiber *fiber)
{
    return fiber->ring ? fiber->ring : fiber->polled;
}

/* Fibers whose kernel has ended are kept for the next launch. */
struct sl_fiber_pool {
    void (*run)(void *fiber); /* what a fiber begins with; does not come back */
    pthread_mutex_t lock;     /* guards the rest */
    struct sl_fiber *unused[SL_FIBER_CLASSES];
    unsigned large; /* of these: with much memory */
    uint32_t serial;
};

void sl_fiber_pool_init(struct sl_fiber_pool *, void (*run)(void *fiber));
void sl_fiber_pool_finish(struct sl_fiber_pool *); /* all fibers were put back */
void sl_fiber_pool_trim(struct sl_fiber_pool *);   /* gives unused memory back */
/* There are unused fibers with much memory; with `now` that is given back. */
bool sl_fiber_pool_rest(struct sl_fiber_pool *, bool now);

/* A fiber for one run of `kernel`, with local memory and contexts; launch is filled in but for
 * runtime and pipes. 0 or an error. */
int sl_fiber_get(struct sl_fiber_pool *, const struct sl_kernel_info *,
                 const struct sl_launch_args *, struct sl_fiber **);
void sl_fiber_put(struct sl_fiber_pool *, struct sl_fiber *);

/* The room a kernel's stack needs beside its private memory: slow paths, printf. */
enum { SL_FIBER_SPARE_STACK = 64 << 10 };

#endif
