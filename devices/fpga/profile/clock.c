/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: a kernel's counters are written by the thread that runs its cluster. */
#include "fpga/profile/clock.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/cluster/fiber.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/cluster/segments.h"
#include "fpga/profile/clock_data.h"
#include "fpga/profile/clock_events.h"
#include "sluice/base/delays.h"
#include "sluice/module.h"

enum { MOST_FRAMES = 32, NONE = -1 };

struct frame { /* a loop that the run is in */
    uint32_t line, column;
    int32_t row;  /* of its kernel's schedule; NONE: it vanished in the one around it */
    int32_t last; /* the loop inside that was last entered */
    uint64_t began, iterations; /* the nominal cycle in which this iteration began */
    uint32_t next;              /* step: the one behind the last operation */
    bool ahead;                 /* operations told of this iteration before its mark */
};

struct sl_clock_run {
    struct sl_clock *clock;
    struct sl_clock_kernel_row *kernel;
    struct sl_delays time;
    uint64_t begin, last;                 /* cycles; last: the one behind all that has happened */
    uint64_t late;                        /* the largest delay */
    uint64_t at;                          /* nominal: where what is in no pipelined loop goes on */
    uint64_t nominal, cycle;              /* of the operation that it is at */
    uint64_t waited;                      /* cycles before that */
    bool asks;                            /* that one does not wait, and has no answer so far */
    uint32_t depth, above;                /* frames; loops that are deeper */
    struct frame frames[MOST_FRAMES + 1]; /* the first stands for the kernel */
};

/* ---- life ------------------------------------------------------------------------------------ */

static void add(sl_clock_count *count, uint64_t n)
{
    uint64_t value = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, value + n, memory_order_relaxed);
}

static void set(sl_clock_count *count, uint64_t value)
{
    atomic_store_explicit(count, value, memory_order_relaxed);
}

/* How many loops all rows have together. */
static uint32_t join_kernels(struct sl_clock *clock)
{
    uint32_t loops = 0;
    for (uint32_t k = 0; k < clock->info->kernel_count; k++) {
        struct sl_clock_kernel_row *row = &clock->kernels[k];
        row->schedule = sl_clock_schedule_find(&clock->schedule, clock->info->kernels[k].name);
        row->first_loop = loops;
        set(&row->begin, UINT64_MAX);
        loops += row->schedule ? row->schedule->loop_count : 0;
    }
    return loops;
}

struct sl_clock *sl_clock_create(const struct sl_module_info *info, uint32_t pipe_rows,
                                 const char *rates)
{
    struct sl_clock *clock = calloc(1, sizeof *clock);
    if (!clock)
        return NULL;
    clock->info = info;
    clock->rates = strdup(rates ? rates : "");
    clock->pipe_count = pipe_rows;
    clock->kernels = calloc(info->kernel_count + (size_t)1, sizeof *clock->kernels);
    clock->sites = calloc(info->site_count + (size_t)1, sizeof *clock->sites);
    clock->pipes = calloc(pipe_rows + (size_t)1, sizeof *clock->pipes);
    if (!sl_clock_schedule_read(&clock->schedule, info->timing) && clock->kernels)
        clock->loops = calloc(join_kernels(clock) + (size_t)1, sizeof *clock->loops);
    if (clock->loops && clock->sites && clock->pipes && clock->rates)
        return clock;
    sl_clock_destroy(clock);
    return NULL;
}

void sl_clock_destroy(struct sl_clock *clock)
{
    if (!clock)
        return;
    sl_clock_schedule_finish(&clock->schedule);
    sl_clock_events_destroy(clock->events);
    free(clock->rates);
    free(clock->kernels);
    free(clock->loops);
    free(clock->sites);
    free(clock->pipes);
    free(clock);
}

void sl_clock_lose(struct sl_clock *clock)
{
    atomic_store_explicit(&clock->lost, true, memory_order_relaxed);
}

bool sl_clock_keep_events(struct sl_clock *clock)
{
    clock->events = sl_clock_events_create();
    return clock->events != NULL;
}

static void note(const struct sl_clock_run *run, enum sl_clock_what what, int32_t pipe,
                 uint64_t packets)
{
    const struct sl_clock *clock = run->clock;
    const struct sl_clock_event event = {
        .cycle = run->cycle,
        .kernel = (uint32_t)(run->kernel - clock->kernels),
        .what = what,
        .pipe = pipe,
        .count = packets,
        .waited = run->waited,
    };
    if (clock->events)
        sl_clock_events_add(clock->events, &event);
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct sl_clock_run *sl_clock_begin(struct sl_clock *clock, uint32_t kernel, uint64_t cycle)
{
    struct sl_clock_run *run = calloc(1, sizeof *run);
    if (!run) {
        sl_clock_lose(clock);
        return NULL;
    }
    run->clock = clock;
    run->kernel = &clock->kernels[kernel];
    run->begin = run->last = cycle;
    run->cycle = cycle;
    run->frames[0].row = run->frames[0].last = NONE;
    note(run, SL_CLOCK_BEGINS, -1, 0);
    add(&run->kernel->runs, 1);
    if (cycle < sl_clock_get(&run->kernel->begin))
        set(&run->kernel->begin, cycle);
    return run;
}

/* Something happens, and is over before this cycle. */
static void reach(struct sl_clock_run *run, uint64_t cycle)
{
    if (cycle <= run->last)
        return;
    add(&run->kernel->busy, cycle - run->last);
    run->last = cycle;
    if (cycle > sl_clock_get(&run->kernel->end))
        set(&run->kernel->end, cycle);
}

uint64_t sl_clock_end(struct sl_clock *clock, struct sl_clock_run *run)
{
    (void)clock;
    if (!run)
        return 0;
    uint64_t end = run->begin + run->at + sl_delays_at(&run->time, run->at);
    reach(run, end);
    run->cycle = end = run->last;
    run->waited = 0;
    note(run, SL_CLOCK_ENDS, -1, 0);
    sl_delays_finish(&run->time);
    free(run);
    return end;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static const struct sl_clock_loop *loop_of(const struct sl_clock_run *run, const struct frame *f)
{
    return f->row == NONE ? NULL : &run->kernel->schedule->loops[f->row];
}

static struct sl_clock_loop_row *counts_of(const struct sl_clock_run *run, const struct frame *f)
{
    return &run->clock->loops[run->kernel->first_loop + (uint32_t)f->row];
}

static bool is_at(const struct frame *f, uint32_t line, uint32_t column)
{
    return f->line == line && f->column == column;
}

/* The innermost one that the schedule has; the kernel itself if there is none. */
static struct frame *scheduled_frame(struct sl_clock_run *run)
{
    uint32_t depth = run->depth;
    while (depth && run->frames[depth].row == NONE)
        depth--;
    return &run->frames[depth];
}

/* The loop at this place inside of the one that the run is in. Copies of one follow each other. */
static int32_t find_loop(const struct sl_clock_run *run, const struct frame *around, uint32_t line,
                         uint32_t column)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    uint32_t count = schedule ? schedule->loop_count : 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t row = (uint32_t)(around->last + 1) + n;
        const struct sl_clock_loop *loop = &schedule->loops[row < count ? row : row - count];
        if (loop->parent == around->row && loop->line == line && loop->column == column)
            return (int32_t)(loop - schedule->loops);
    }
    return NONE;
}

/* A loop has run dry before anything behind it begins. */
static void leave_loop(struct sl_clock_run *run)
{
    const struct frame *f = &run->frames[run->depth--];
    const struct sl_clock_loop *loop = loop_of(run, f);
    if (!loop || !loop->pipelined || !f->iterations)
        return;
    run->at = f->began + loop->depth;
    sl_delays_advance(&run->time, run->at);
    reach(run, run->begin + run->at + sl_delays_at(&run->time, run->at));
}

/* Out of the loop at this place, and all that are inside of it. False: the run is not in it. */
static bool leave_to(struct sl_clock_run *run, uint32_t line, uint32_t column, bool itself)
{
    uint32_t at = run->depth;
    while (at && !is_at(&run->frames[at], line, column))
        at--;
    while (at && run->depth > at)
        leave_loop(run);
    if (at && itself)
        leave_loop(run);
    return at > 0;
}

static void enter_loop(struct sl_clock_run *run, uint32_t line, uint32_t column)
{
    leave_to(run, line, column, true);
    struct frame *around = scheduled_frame(run);
    int32_t row = find_loop(run, around, line, column);
    if (row != NONE)
        around->last = row;
    if (run->depth == MOST_FRAMES)
        return;
    struct frame *f = &run->frames[++run->depth];
    *f = (struct frame){.line = line, .column = column, .row = row, .last = NONE, .began = run->at};
    if (row != NONE)
        add(&counts_of(run, f)->entries, 1);
}

static void iterate(struct sl_clock_run *run, struct frame *f)
{
    const struct sl_clock_loop *loop = loop_of(run, f);
    f->began = f->iterations ? f->began + loop->interval : run->at;
    f->iterations++;
    f->next = 0;
    sl_delays_advance(&run->time, f->began);
    add(&counts_of(run, f)->iterations, 1);
}

static void begin_iteration(struct sl_clock_run *run, uint32_t line, uint32_t column)
{
    if (!leave_to(run, line, column, false))
        return;
    struct frame *f = &run->frames[run->depth];
    const struct sl_clock_loop *loop = loop_of(run, f);
    if (loop && loop->pipelined && !f->ahead)
        iterate(run, f);
    else if (loop && !loop->pipelined)
        add(&counts_of(run, f)->iterations, 1);
    f->ahead = false;
}

void sl_clock_mark(const struct sl_launch *launch, uint32_t what, uint32_t line, uint32_t column)
{
    const struct sl_fiber *fiber = launch->owner;
    if (!fiber->clock)
        return;
    switch ((enum sl_loop_mark)what) {
    case SL_LOOP_BEGINS:
        enter_loop(fiber->clock, line, column);
        break;
    case SL_LOOP_ITERATES:
        begin_iteration(fiber->clock, line, column);
        break;
    case SL_LOOP_ENDS:
        leave_to(fiber->clock, line, column, true);
        break;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static uint32_t find_step(const struct sl_clock_loop *loop, uint32_t from,
                          const struct sl_pipe_site *site)
{
    while (from < loop->step_count &&
           (loop->steps[from].line != site->line || loop->steps[from].column != site->column ||
            loop->steps[from].write != (site->op == SL_PIPE_WRITE)))
        from++;
    return from;
}

/* In which nominal cycle the run does it. */
static uint64_t nominal_cycle(struct sl_clock_run *run, const struct sl_pipe_site *site)
{
    struct frame *f = scheduled_frame(run);
    const struct sl_clock_loop *loop = loop_of(run, f);
    if (!loop || !loop->pipelined || !f->iterations) {
        sl_delays_advance(&run->time, run->at);
        return run->at++;
    }
    uint32_t step = find_step(loop, f->next, site);
    if (step == loop->step_count && (step = find_step(loop, 0, site)) < loop->step_count) {
        iterate(run, f); /* it stands in front of the mark */
        f->ahead = true;
    }
    if (step == loop->step_count)
        return f->began;
    f->next = step + 1;
    return f->began + loop->steps[step].cycle;
}

/* `op`: at which end the kernel is. The other one of a foreign pipe is the outside's. */
static struct sl_clock_ring *ring_of(const struct sl_clock *clock, struct sl_pipe_ring *ring,
                                     unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    if (state->clock)
        return state->clock;
    state->clock = sl_clock_ring_create(ring->depth);
    if (state->clock && sl_ring_is_foreign(ring))
        sl_clock_ring_pace(state->clock, !op,
                           sl_clock_rate_find(clock->rates, ring, clock->schedule.clock_mhz));
    return state->clock;
}

static void wait_until(struct sl_clock_run *run, uint64_t nominal, uint64_t delay)
{
    if (!sl_delays_hold(&run->time, nominal, delay))
        sl_clock_lose(run->clock);
    if (delay > run->late) {
        add(&run->kernel->stalled, delay - run->late);
        run->late = delay;
    }
}

static void note_wait(struct sl_clock *clock, const struct sl_pipe_site *site, int32_t pipe,
                      uint64_t cycles)
{
    const struct sl_module_info *info = clock->info;
    if (site >= info->sites && site < info->sites + info->site_count)
        add(&clock->sites[site - info->sites], cycles);
    if (pipe >= 0 && (uint32_t)pipe < clock->pipe_count)
        add(&clock->pipes[pipe][site->op], cycles);
}

/* Packets of that end that are reserved: no peer sees them moved so far. */
static uint64_t reserved_of(struct sl_pipe_ring *ring, unsigned op)
{
    uint64_t index = *sl_ring_index(ring, op);
    return sl_segments_end(sl_ring_state(ring)->reserved[op], index) - index;
}

/* The outside has moved what packet `number` of the kernel needs, as far as its rate goes. */
static void supply(struct sl_clock_run *run, struct sl_clock_ring *times, unsigned op,
                   uint64_t number)
{
    uint64_t behind = op == SL_PIPE_WRITE ? times->depth : 0;
    if (times->rate.packets && number >= behind &&
        !sl_clock_ring_supply(times, !op, number - behind + 1))
        sl_clock_guess(run, SL_CLOCK_OUTSIDE);
}

/* When the run would do it if nobody kept it waiting. */
static void come_to(struct sl_clock_run *run, const struct sl_pipe_site *site)
{
    if (run->asks)
        return;
    run->waited = 0;
    run->nominal = nominal_cycle(run, site);
    run->cycle = run->begin + run->nominal + sl_delays_at(&run->time, run->nominal);
}

static void wait_for(struct sl_clock_run *run, const struct sl_pipe_site *site, int32_t pipe,
                     uint64_t least)
{
    if (run->cycle >= least)
        return;
    wait_until(run, run->nominal, least - run->begin - run->nominal);
    note_wait(run->clock, site, pipe, least - run->cycle);
    run->waited += least - run->cycle;
    run->cycle = least;
}

/* The operation has been done, or given up. */
static void end_operation(struct sl_clock_run *run, struct sl_clock_ring *times, unsigned op,
                          uint64_t packets)
{
    if (!sl_clock_ring_move(times, op, packets, run->cycle))
        sl_clock_guess(run, SL_CLOCK_TOO_EARLY);
    run->asks = false;
    reach(run, run->cycle + 1);
}

void sl_clock_moved(struct sl_clock *clock, struct sl_clock_run *run, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, int32_t pipe)
{
    struct sl_clock_ring *times = run ? ring_of(clock, ring, site->op) : NULL;
    if (!times) {
        sl_clock_lose(clock);
        return;
    }
    /* behind a reservation it counts when that is committed */
    uint64_t reserved = reserved_of(ring, site->op);
    uint64_t number = times->count[site->op] + (reserved ? reserved - 1 : 0);
    come_to(run, site);
    supply(run, times, site->op, number);
    wait_for(run, site, pipe, sl_clock_ring_allowed(times, site->op, number));
    end_operation(run, times, site->op, reserved ? 0 : 1);
    note(run, (enum sl_clock_what)site->op, pipe, reserved ? 0 : 1);
}

void sl_clock_committed(struct sl_clock *clock, struct sl_clock_run *run, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, int32_t pipe, uint64_t packets)
{
    struct sl_clock_ring *times = run ? ring_of(clock, ring, site->op) : NULL;
    if (!times) {
        sl_clock_lose(clock);
        return;
    }
    come_to(run, site);
    wait_for(run, site, -1, times->next[site->op]);
    end_operation(run, times, site->op, packets);
    note(run, (enum sl_clock_what)site->op, pipe, packets);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool sl_clock_is_paced(const struct sl_clock_run *run, struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_clock_ring *times = ring_of(run->clock, ring, op);
    return times && times->rate.packets;
}

uint64_t sl_clock_ask(struct sl_clock_run *run, struct sl_pipe_ring *ring,
                      const struct sl_pipe_site *site, bool moves)
{
    struct sl_clock_ring *times = ring_of(run->clock, ring, site->op);
    if (!times) {
        sl_clock_lose(run->clock);
        return UINT64_MAX;
    }
    come_to(run, site);
    run->asks = true;
    if (moves)
        wait_for(run, site, -1, times->next[site->op]);
    return run->cycle;
}

/* Later iterations begin later, what is behind a loop comes later still, and delays only grow. */
uint64_t sl_clock_least(struct sl_clock_run *run)
{
    const struct frame *f = scheduled_frame(run);
    const struct sl_clock_loop *loop = loop_of(run, f);
    uint64_t nominal = loop && loop->pipelined && f->iterations ? f->began : run->at;
    return run->begin + nominal + sl_delays_at(&run->time, nominal);
}

/* Of the outside, packets that are there. Where it reads its rate alone says what has gone. */
static void supply_there(struct sl_clock_run *run, struct sl_pipe_ring *ring,
                         struct sl_clock_ring *times, unsigned op, uint64_t number)
{
    uint64_t there = times->count[op] + reserved_of(ring, op) + sl_ring_available(ring, op);
    if (op == SL_PIPE_WRITE || number < there)
        supply(run, times, op, number);
    else if (there)
        supply(run, times, op, there - 1);
}

enum sl_clock_answer sl_clock_possible(struct sl_clock_run *run, struct sl_pipe_ring *ring,
                                       unsigned op, uint32_t packets)
{
    struct sl_clock_ring *times = ring_of(run->clock, ring, op);
    if (packets > ring->depth)
        return SL_CLOCK_NO;
    uint64_t number = times->count[op] + reserved_of(ring, op) + packets - 1;
    supply_there(run, ring, times, op, number);
    return sl_clock_ring_ask(times, op, number, run->cycle);
}

void sl_clock_deny(const struct sl_clock_run *run, struct sl_pipe_ring *ring, unsigned op)
{
    sl_clock_ring_deny(sl_ring_state(ring)->clock, op, run->cycle);
}

void sl_clock_answered(struct sl_clock_run *run, struct sl_pipe_ring *ring,
                       const struct sl_pipe_site *site, bool moves)
{
    struct sl_clock_ring *times = ring_of(run->clock, ring, site->op);
    if (moves && times)
        sl_clock_ring_move(times, site->op, 0, run->cycle);
    run->asks = false;
    reach(run, run->cycle + 1);
}

bool sl_clock_fill(struct sl_clock_run *run, struct sl_pipe_ring *ring, unsigned op,
                   const bool own[2], uint32_t *fill)
{
    struct sl_clock_ring *times = ring_of(run->clock, ring, op);
    uint64_t packets;
    supply_there(run, ring, times, op, times->count[op] + ring->depth);
    if (!sl_clock_ring_fill(times, run->cycle, &packets))
        sl_clock_guess(run, SL_CLOCK_TOO_EARLY);
    *fill = (uint32_t)(packets > ring->taken ? packets - ring->taken : 0);
    return (own[SL_PIPE_READ] || sl_clock_ring_knows(times, SL_PIPE_READ, run->cycle)) &&
           (own[SL_PIPE_WRITE] || sl_clock_ring_knows(times, SL_PIPE_WRITE, run->cycle));
}

void sl_clock_failed(const struct sl_clock_run *run, const struct sl_pipe_site *site, int32_t pipe)
{
    note(run, site->op == SL_PIPE_WRITE ? SL_CLOCK_WRITES_NOTHING : SL_CLOCK_READS_NOTHING, pipe,
         0);
}

void sl_clock_guess(struct sl_clock_run *run, enum sl_clock_doubt why)
{
    if (run)
        atomic_fetch_or_explicit(&run->clock->doubts, 1u << why, memory_order_relaxed);
}
