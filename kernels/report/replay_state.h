/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the replay share; see replay.h for who may use it. No shared state. */
#ifndef SL_KERNELS_REPORT_REPLAY_STATE_H
#define SL_KERNELS_REPORT_REPLAY_STATE_H

#include "report/replay.h"
#include "sluice/base/delays.h"

enum sl_replay_end { SL_REPLAY_READ, SL_REPLAY_WRITE, SL_REPLAY_ENDS };
#define SL_REPLAY_NOBODY UINT32_MAX

struct sl_replay_run_state {
    size_t at;           /* the next event */
    uint64_t nominal;    /* the cycle behind that of the last one, as if it never waited */
    uint64_t begin, end; /* cycles: when it started; the one behind all that it has done */
    uint64_t *horizons;  /* in `memory`; of each event: nothing behind it has an earlier nominal */
    struct sl_delays delays; /* of nominal cycles */
    uint32_t next;           /* in a list of those that wait, or are ready */
    bool started, waits;
    bool passed; /* by the search for a cycle */
};

struct sl_replay_user { /* a run that uses an end of a pipe */
    uint32_t run;
    size_t last; /* its last event there */
};

struct sl_replay_pipe_state {
    uint64_t *times[SL_REPLAY_ENDS]; /* of each packet: its cycle */
    uint64_t next[SL_REPLAY_ENDS];   /* the cycle behind the last operation */
    uint32_t count[SL_REPLAY_ENDS], room[SL_REPLAY_ENDS];
    uint32_t waiting[SL_REPLAY_ENDS]; /* first run in line */
    /* Rows of `users`, in the order of runs; `user`: the first that may have something ahead. */
    uint32_t first_user[SL_REPLAY_ENDS], user_count[SL_REPLAY_ENDS], user[SL_REPLAY_ENDS];
};

struct sl_replay_state {
    const struct sl_replay_trace *trace;
    struct sl_replay_run_state *runs;
    struct sl_replay_pipe_state *pipes;
    struct sl_replay_user *users; /* owned */
    uint64_t *memory;             /* owned: all times and horizons */
    uint32_t *by_rank;            /* owned: runs that ended, in the order of their ends */
    uint32_t ready, ended; /* runs that could go on; how many ends in a row, by rank, are over */
    uint32_t rank_count;
    uint64_t *end_time; /* owned; of all runs up to this rank: when the last of them ended */
    const uint32_t *depths;
    struct sl_replay_log *log; /* NULL: none is kept */
    uint64_t cycles;
    bool timed;
    struct sl_replay_order *order; /* owned */
};

/* ---- replay_clock.c -------------------------------------------------------------------------- */

/* The event, which is possible, happens; its cycle. */
uint64_t sl_replay_time(struct sl_replay_state *, uint32_t run, const struct sl_replay_site *);
/* The run is through. */
void sl_replay_finish_run(struct sl_replay_state *, uint32_t run);
void sl_replay_note(struct sl_replay_state *, enum sl_replay_kind, uint32_t run, uint32_t site);

/* ---- replay_order.c -------------------------------------------------------------------------- */

/* What sl_replay_least keeps. NULL: no memory. The trace is borrowed. */
struct sl_replay_order *sl_replay_order_create(const struct sl_replay_trace *);
void sl_replay_order_destroy(struct sl_replay_order *); /* NULL is a no-op */

/* ---- replay_cycle.c -------------------------------------------------------------------------- */

/* 0, or -1: no memory. */
int sl_replay_find_users(struct sl_replay_state *);
/*
 * Runs stand still. Pipes that are full and on a cycle of runs that wait for each other, or the one
 * that nobody will read, are put in `full`, which has room for all; how many.
 */
uint32_t sl_replay_find_cycle(struct sl_replay_state *, uint32_t *full);

#endif
