/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile consists of: counted by profile.c, written by profile_text.c. Counters are
 * relaxed: a reader may see one launch's numbers half added. */
#ifndef SL_FPGA_PROFILE_DATA_H
#define SL_FPGA_PROFILE_DATA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "fpga/cluster/design_data.h"
#include "fpga/profile/busy.h"
#include "fpga/profile/profile.h"

enum { SL_PROFILE_ARGUMENTS = 64, SL_PROFILE_SPANS = 10000 };

typedef _Atomic uint64_t sl_count;

/* Added up by one thread alone, that of the kernel's cluster, with plain additions: who clears it
 * notes where it is. */
typedef struct sl_tally {
    sl_count sum, cleared;
} sl_tally;

static inline void sl_tally_add(sl_tally *tally, uint64_t n)
{
    uint64_t sum = atomic_load_explicit(&tally->sum, memory_order_relaxed);
    atomic_store_explicit(&tally->sum, sum + n, memory_order_relaxed);
}

static inline uint64_t sl_tally_get(const sl_tally *tally)
{
    return atomic_load_explicit(&tally->sum, memory_order_relaxed) -
           atomic_load_explicit(&tally->cleared, memory_order_relaxed);
}

static inline void sl_tally_clear(sl_tally *tally)
{
    uint64_t sum = atomic_load_explicit(&tally->sum, memory_order_relaxed);
    atomic_store_explicit(&tally->cleared, sum, memory_order_relaxed);
}

struct sl_ahead_group;
struct sl_pipe_move;
struct sl_pipe_rounds;

struct sl_profile_kernel {
    struct sl_ahead_group *group; /* borrowed; NULL: it does not run ahead of its clock */
    struct sl_fiber *behind;      /* the run that does so now; of the cluster's thread */
    sl_count launches, ended;     /* ended: by themselves */
    sl_tally run_ns, stall_ns;
};

struct sl_profile_pipe {
    _Atomic(struct sl_pipe_ring *) ring; /* identity only; of an argument's row */
    const struct sl_pipe_site *site;     /* of an argument: who used it first; the program's */
    uint32_t packet_bytes, depth, flags; /* flags: enum sl_pipe_flags; these three of an argument */
    atomic_int writer, reader;           /* rows of kernels, -1: not seen */
    /* by enum sl_pipe_op; fill: packets in the pipe behind each one that has moved, together */
    sl_tally moved[2], fill[2], stalled_ns[2], held_ns[2]; /* held: while launches went on */
    sl_count high_water;
};

struct sl_profile_site {
    sl_tally stalls, stall_ns;
};

enum sl_span_state { SL_SPAN_RUN, SL_SPAN_FULL, SL_SPAN_EMPTY };
struct sl_profile_span {
    uint64_t start_ns, end_ns;
    uint32_t kernel;
    int32_t pipe; /* row, -1 */
    enum sl_span_state state;
};

struct sl_profile_still { /* an end of a pipe where somebody waited in a stall, or a kernel */
    int32_t pipe;         /* row; -1: the kernel */
    unsigned op;          /* enum sl_pipe_op, or the kernel's row */
    uint64_t moved;       /* there, until then; or launches that have ended */
};

struct sl_profile_stall {           /* that was reported */
    char *json;                     /* owned; members of its row */
    bool ends;                      /* launches end by it */
    bool silent;                    /* it lasts until something moves at any of these: */
    struct sl_profile_still *still; /* owned */
    uint32_t count;
};

struct sl_profile {
    struct sl_profile *next;  /* guarded by the list's lock */
    struct sl_design *design; /* borrowed: owns it */
    char *path;               /* owned */
    struct timespec started;  /* by the clock that files go by; 0: it has been written */
    unsigned number;          /* of its file; 0: not written yet. Guarded by the list's lock */
    _Atomic uint64_t start_ns;
    struct sl_busy busy;
    struct sl_profile_kernel *kernels; /* owned; as in the module */
    struct sl_profile_pipe *pipes;     /* owned; as in the module, then those of arguments */
    struct sl_profile_site *sites;     /* owned; as in the module */
    struct sl_trace *trace;            /* owned; NULL: not traced */
    struct sl_clock *clock;            /* owned; NULL: not timed */
    struct sl_ahead_group *groups;     /* owned; see ahead.c */
    atomic_bool full;                  /* there is no room for another span */
    pthread_mutex_t lock;              /* guards the rest */
    struct sl_profile_span *spans;     /* owned */
    uint32_t span_count;
    struct sl_profile_stall *stalls; /* owned */
    uint32_t stall_count;
};

/* ---- profile_stall.c: the profile's lock is held --------------------------------------------- */

void sl_profile_forget_stalls(struct sl_profile *);
/* Nothing has moved since where somebody waited, or launches were ended. */
bool sl_profile_stall_lasts(const struct sl_profile *, const struct sl_profile_stall *);

/* Argument rows are taken by the shared cluster's thread alone. */
int32_t sl_profile_argument_row(struct sl_profile *, struct sl_pipe_ring *,
                                const struct sl_pipe_site *);

/* ---- moved.c: of the thread that runs the kernel --------------------------------------------- */

static inline void sl_profile_add(struct sl_profile_pipe *pipe, unsigned op, uint64_t packets,
                                  uint64_t fill, uint64_t most)
{
    sl_tally_add(&pipe->moved[op], packets);
    sl_tally_add(&pipe->fill[op], fill);
    if (most > atomic_load_explicit(&pipe->high_water, memory_order_relaxed))
        atomic_store_explicit(&pipe->high_water, most, memory_order_relaxed);
}
/* A packet has moved; `fill`: in the pipe, behind that, as in what follows. */
void sl_profile_move(struct sl_profile *, const struct sl_fiber *, struct sl_pipe_ring *,
                     const struct sl_pipe_site *, uint64_t fill);
/* Of the moves; false: they are not all at different pipes that have some. */
bool sl_profile_find_rows(struct sl_profile *, const struct sl_pipe_rounds *, int32_t *rows);

/* The row of a pipe, -1: it has none. Of the thread that runs the kernel. */
static inline int32_t sl_profile_pipe_row(struct sl_profile *profile, struct sl_pipe_ring *ring,
                                          const struct sl_pipe_site *site)
{
    return ring->info ? (int32_t)(ring->info - profile->design->info->pipes)
                      : sl_profile_argument_row(profile, ring, site);
}

/* profile_path.c: of what SLUICE_FPGA_PROFILE says, owned by the caller, with what keeps a file
 * from being there in the end, or NULL. NULL: no memory. */
char *sl_profile_path(const char *setting, const char **why);

#endif
