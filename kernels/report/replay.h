/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run of a design once more, with other depths of its pipes: of a trace is known in which order
 * each run of a kernel did which operations, not what was in the packets. A write needs room and a
 * read a packet; nothing else makes a kernel wait. Numbers only; no shared state.
 */
#ifndef SL_KERNELS_REPORT_REPLAY_H
#define SL_KERNELS_REPORT_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_replay_site { /* an operation on a pipe, as the source has it */
    uint32_t pipe;
    bool write;
    bool fails; /* it does not wait, and moved nothing */
};

struct sl_replay_event {
    uint32_t site;
    int32_t later; /* nominal cycles since the one in front of it; of the first one, since -1 */
};

#define SL_REPLAY_NO_RUN UINT32_MAX

struct sl_replay_run {              /* one run of a kernel */
    struct sl_replay_event *events; /* owned by the trace; in the order of the program */
    size_t event_count;
    uint64_t through;      /* a nominal cycle: it has come until then, whatever it does */
    uint32_t starts_after; /* so many runs had ended when it started: */
    uint32_t end_rank;     /* those with a smaller rank. UINT32_MAX: it did not end */
    uint32_t kernel;
    /* Of a trace with cycles: it begins when this run, one of those, has ended, and so many cycles
     * later; else there. */
    uint32_t behind; /* NO_RUN: nobody knows one */
    uint64_t since, begin;
};

struct sl_replay_pipe {
    bool outside_writes, outside_reads; /* that end never makes a kernel wait */
};

struct sl_replay_trace {
    struct sl_replay_site *sites;
    struct sl_replay_run *runs;
    struct sl_replay_pipe *pipes;
    uint32_t site_count, run_count, pipe_count;
    bool timed; /* by a clock; else a run begins when those that it starts after have ended */
};

/* What happened one after the other: for all depths that are no less, an order in which everything
 * comes behind what it waits for. */
enum sl_replay_kind {
    SL_REPLAY_BEGINS,
    SL_REPLAY_MOVES, /* a packet, or none */
    SL_REPLAY_FINISHES,
    SL_REPLAY_RANKED, /* all runs up to `run`, in the order of their ends, are through */
};

struct sl_replay_row {
    enum sl_replay_kind kind;
    uint32_t run, site; /* site: of what moves */
};

struct sl_replay_log {
    struct sl_replay_row *rows; /* owned */
    size_t count, room;
    bool no_memory;
};

struct sl_replay_result {
    bool complete;             /* every event has happened */
    uint64_t cycles;           /* if so: when the last run is through */
    uint32_t *fill;            /* the most packets that a pipe had at a time, by time; or NULL */
    struct sl_replay_log *log; /* or NULL: not wanted */
};

#define SL_UNLIMITED UINT32_MAX

struct sl_replay_state; /* memory for replays of one trace */
/* NULL: no memory. The trace is borrowed. */
struct sl_replay_state *sl_replay_state_create(const struct sl_replay_trace *);
void sl_replay_state_destroy(struct sl_replay_state *);

/* Runs the trace with these depths, each at least 1. */
void sl_replay_run(struct sl_replay_state *, const uint32_t *depths, struct sl_replay_result *);

/*
 * Runs it, without a clock, and makes pipes deeper, up to `most`, whenever runs stand still:
 * `depths` become enough. `proven`, 0 at first: what a pipe needs whatever depths the others have.
 * False: it stands still with `most`.
 */
bool sl_replay_grow(struct sl_replay_state *, uint32_t *depths, const uint32_t *most,
                    uint32_t *proven);
/* With the depths of the others, which are enough, as is its own: the least depth of this pipe. */
uint32_t sl_replay_least(struct sl_replay_state *, const uint32_t *depths, uint32_t pipe);

#endif
