/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a kernel with a clock, for the files that make it up: clock.c (begin, end, counters),
 * clock_loops.c (where it is in its loops), clock_operations.c (what it does at pipes). All of the
 * thread that runs the cluster. */
#ifndef SL_FPGA_CLOCK_RUN_H
#define SL_FPGA_CLOCK_RUN_H

#include "fpga/clock/clock.h"
#include "fpga/clock/clock_data.h"
#include "fpga/clock/clock_events.h"
#include "sluice/base/delays.h"

enum { SL_CLOCK_FRAMES = 32, SL_CLOCK_NO_ROW = -1 };

struct sl_clock_frame { /* a loop that the run is in */
    uint32_t line, column;
    const struct sl_clock_loop *loop; /* NULL: it has no row */
    struct sl_clock_loop_row *counts; /* the same */
    int32_t row;  /* of its kernel's schedule; SL_CLOCK_NO_ROW: it vanished in the one around it */
    int32_t last; /* the loop inside that was last entered */
    uint64_t began, iterations; /* the nominal cycle in which this iteration began */
    uint32_t next;              /* step: the one behind the last operation */
    bool merged;                /* its iterations are those of the loop around it */
    bool ahead;                 /* operations told of this iteration before its mark */
};

struct sl_clock_items;  /* see clock_items.c */
struct sl_clock_marked; /* clock_marked.h */
struct sl_clock_moves;  /* clock_rounds.h */
struct sl_nest_row;

struct sl_clock_run {
    struct sl_clock *clock;
    struct sl_clock_items *items; /* owned; NULL: work-items follow each other, or are iterations */
    bool beside; /* several of them are side by side: their loops are counted as they leave them */
    struct sl_clock_kernel_row *kernel;
    struct sl_delays time;
    _Atomic uint64_t *through;      /* borrowed; NULL: nobody wants to know */
    uint64_t begin, last;           /* cycles; last: the one behind all that has happened */
    uint64_t late;                  /* the largest delay */
    uint64_t at;                    /* nominal: where what is in no pipelined loop goes on */
    uint64_t nominal, cycle;        /* of the operation that it is at */
    uint64_t waited;                /* cycles before that */
    bool asks;                      /* that one does not wait, and has no answer so far */
    struct sl_clock_marked *marked; /* owned; NULL: none so far */
    struct sl_clock_moves *moves;   /* likewise: of rounds that are gone through at once */
    uint32_t depth, above;          /* frames; loops that are deeper */
    struct sl_clock_frame frames[SL_CLOCK_FRAMES + 1]; /* the first stands for the kernel */
};

static inline void sl_clock_add(sl_clock_count *count, uint64_t n)
{
    uint64_t value = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, value + n, memory_order_relaxed);
}

static inline void sl_clock_set(sl_clock_count *count, uint64_t value)
{
    atomic_store_explicit(count, value, memory_order_relaxed);
}

/* Nothing before this nominal cycle will be asked for, if work-items do not overlap. */
static inline void sl_clock_pass(struct sl_clock_run *run, uint64_t nominal)
{
    if (!run->items)
        sl_delays_advance(&run->time, nominal);
}

/* Work-items on their way one behind the other. NULL: no memory. */
struct sl_clock_items *sl_clock_items_create(const struct sl_clock_kernel *);
void sl_clock_items_destroy(struct sl_clock_items *); /* NULL is a no-op */
/* One of them begins, or goes on behind the place where those of its group have met; `number`: in
 * it. */
void sl_clock_items_begin(struct sl_clock_run *, uint32_t line, uint32_t column, uint64_t number);
/* It comes to an operation at that end, and so many cycles later than it would by itself. */
uint64_t sl_clock_items_use(struct sl_clock_run *, const struct sl_pipe_ring *, unsigned op);
/* It has left a loop, behind so many iterations. How much more iterations, and how many times more
 * the loop was entered, than by others beside it. */
struct sl_clock_lead {
    uint64_t entries, iterations;
};
struct sl_clock_lead sl_clock_items_leave(struct sl_clock_run *, const struct sl_clock_loop *,
                                          uint64_t iterations);
/* The last of them has ended. */
void sl_clock_items_end(struct sl_clock_run *);
/* The next one begins no earlier. */
uint64_t sl_clock_items_next(const struct sl_clock_run *);

/* The run does something in its present cycle. */
void sl_clock_note(const struct sl_clock_run *, enum sl_clock_what, int32_t pipe, uint64_t packets);
/* Something happens, and is over before this cycle. */
static inline void sl_clock_reach(struct sl_clock_run *run, uint64_t cycle)
{
    if (cycle <= run->last)
        return;
    sl_clock_add(&run->kernel->busy, cycle - run->last);
    run->last = cycle;
    if (cycle > sl_clock_get(&run->kernel->end))
        sl_clock_set(&run->kernel->end, cycle);
}
/* All that was before `at` is over. */
static inline void sl_clock_come_through(struct sl_clock_run *run)
{
    sl_clock_reach(run, run->begin + run->at + sl_delays_at(&run->time, run->at));
    if (run->through && run->at > atomic_load_explicit(run->through, memory_order_relaxed))
        atomic_store_explicit(run->through, run->at, memory_order_relaxed);
}
/* The clock of a pipe, made if there is none; `op`: at which end the kernel is. NULL: no memory. */
struct sl_clock_ring *sl_clock_times(const struct sl_clock *, struct sl_pipe_ring *, unsigned op);
/* The run is in a pipelined loop at that place, whose next mark begins an iteration. */
static inline bool sl_clock_goes_round(const struct sl_clock_run *run, uint32_t line,
                                       uint32_t column)
{
    const struct sl_clock_frame *f = &run->frames[run->depth];
    return f->loop && f->loop->pipelined && f->line == line && f->column == column && !f->ahead;
}
/* An iteration ends in which the loop's steps were done before f->next. Those of one place are
 * taken in their order, so that with one passed by others may have had its cycle. */
static inline void sl_clock_end_iteration(struct sl_clock_run *run, const struct sl_clock_frame *f)
{
    if (f->loop->alike && f->next &&
        sl_clock_are_alike(f->loop->steps, f->loop->step_count, f->next))
        sl_clock_guess(run, SL_CLOCK_ALIKE);
}
/* The next iteration of the loop begins. */
static inline void sl_clock_iterate(struct sl_clock_run *run, struct sl_clock_frame *f)
{
    sl_clock_end_iteration(run, f);
    f->began = f->iterations ? f->began + f->loop->interval : run->at;
    f->iterations++;
    f->next = 0;
    sl_clock_pass(run, f->began);
}
/* The operation of that place among the steps, from this one on; count: there is none. */
static inline uint32_t sl_clock_find_step(const struct sl_clock_step *steps, uint32_t count,
                                          uint32_t from, const struct sl_pipe_site *site)
{
    while (from < count && (steps[from].line != site->line || steps[from].column != site->column ||
                            steps[from].write != (site->op == SL_PIPE_WRITE)))
        from++;
    return from;
}

/* It waits at this nominal cycle: by so much it is late from there on. */
static inline void sl_clock_delay(struct sl_clock_run *run, uint64_t nominal, uint64_t delay)
{
    if (!sl_delays_hold(&run->time, nominal, delay))
        sl_clock_lose(run->clock);
    if (delay > run->late) {
        sl_clock_add(&run->kernel->stalled, delay - run->late);
        run->late = delay;
    }
}
/* A packet has moved at a pipe with nothing reserved and no outside, by a run whose work-items do
 * not overlap, and that asks nothing. */
void sl_clock_move_simply(struct sl_clock_run *, struct sl_clock_ring *,
                          const struct sl_pipe_site *, int32_t pipe);
/* The innermost loop that it is in and the schedule has; the kernel itself if there is none. */
struct sl_clock_frame *sl_clock_scheduled_frame(struct sl_clock_run *);
/* The loop at this place inside of the one that the run is in. Copies of one follow each other. */
int32_t sl_clock_find_loop(const struct sl_clock_run *, const struct sl_clock_frame *around,
                           uint32_t line, uint32_t column);
/* The same, of a loop that the run begins. The schedule may have it elsewhere only, if the compiler
 * has found that this way is never gone: then nobody knows how long it takes here, and the result
 * is not exact. */
int32_t sl_clock_begun_loop(struct sl_clock_run *, const struct sl_clock_frame *around,
                            uint32_t line, uint32_t column);
/* The next iteration of a pipelined loop begins, and is counted. */
void sl_clock_iterate_counted(struct sl_clock_run *, struct sl_clock_frame *);
/* SL_LOOPS_ARE_THROUGH, of a run whose work-items follow each other; see clock_nests.c. */
void sl_clock_nest_is_through(struct sl_clock_run *, const struct sl_nest_row *, uint32_t count);
/* So many cycles, at that place. */
void sl_clock_note_wait(struct sl_clock *, const struct sl_pipe_site *, int32_t pipe,
                        uint64_t cycles);
/* What it is at, and all behind that, comes later, by the schedule. */
void sl_clock_shift(struct sl_clock_run *, uint64_t cycles);
/* In which nominal cycle the run does what is at that place; it goes on behind it. */
uint64_t sl_clock_nominal(struct sl_clock_run *, const struct sl_pipe_site *);

#endif
