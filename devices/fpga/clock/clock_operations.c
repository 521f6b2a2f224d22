/* SPDX-License-Identifier: Apache-2.0 */
/* What a run does at pipes, and asks of them: see clock_run.h. */
#include "fpga/clock/clock_run.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/cluster/segments.h"
#include "sluice/module.h"

/* ---- operations ------------------------------------------------------------------------------ */

/* The other end of a foreign pipe is the outside's. */
struct sl_clock_ring *sl_clock_times(const struct sl_clock *clock, struct sl_pipe_ring *ring,
                                     unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    if (state->clock)
        return state->clock;
    state->clock = sl_clock_ring_create(ring->depth, SL_CLOCK_BEHIND);
    if (state->clock && sl_ring_is_foreign(ring))
        sl_clock_ring_pace(state->clock, !op,
                           sl_clock_rate_find(clock->rates, ring, clock->schedule.clock_mhz));
    return state->clock;
}

void sl_clock_note_wait(struct sl_clock *clock, const struct sl_pipe_site *site, int32_t pipe,
                        uint64_t cycles)
{
    const struct sl_module_info *info = clock->info;
    if (site >= info->sites && site < info->sites + info->site_count)
        sl_clock_add(&clock->sites[site - info->sites], cycles);
    if (pipe >= 0 && (uint32_t)pipe < clock->pipe_count)
        sl_clock_add(&clock->pipes[pipe][site->op], cycles);
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
static void come_to(struct sl_clock_run *run, const struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site)
{
    if (run->asks)
        return;
    run->waited = 0;
    run->nominal = sl_clock_nominal(run, site);
    if (run->items)
        sl_clock_shift(run, sl_clock_items_use(run, ring, site->op));
    run->cycle = run->begin + run->nominal + sl_delays_at(&run->time, run->nominal);
}

static void wait_for(struct sl_clock_run *run, const struct sl_pipe_site *site, int32_t pipe,
                     uint64_t least)
{
    if (run->cycle >= least)
        return;
    sl_clock_delay(run, run->nominal, least - run->begin - run->nominal);
    sl_clock_note_wait(run->clock, site, pipe, least - run->cycle);
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
    sl_clock_reach(run, run->cycle + 1);
}

/* Of the next step of a loop, as it mostly is. */
static inline uint64_t nominal_of(struct sl_clock_run *run, const struct sl_pipe_site *site)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    if (!f->loop || !f->loop->pipelined || !f->iterations)
        return sl_clock_nominal(run, site);
    uint32_t step = sl_clock_find_step(f->loop->steps, f->loop->step_count, f->next, site);
    if (step == f->loop->step_count)
        return sl_clock_nominal(run, site);
    f->next = step + 1;
    return f->began + f->loop->steps[step].cycle;
}

/* Whole, since this is most of what a timed run takes. */
void sl_clock_move_simply(struct sl_clock_run *run, struct sl_clock_ring *times,
                          const struct sl_pipe_site *site, int32_t pipe)
{
    const unsigned op = site->op;
    uint64_t nominal = nominal_of(run, site);
    uint64_t cycle = run->begin + nominal + sl_delays_at(&run->time, nominal);
    uint64_t least = sl_clock_ring_allowed(times, op, times->count[op]);
    run->nominal = nominal;
    run->waited = 0;
    if (cycle < least) {
        sl_clock_delay(run, nominal, least - run->begin - nominal);
        run->waited = least - cycle;
        sl_clock_note_wait(run->clock, site, pipe, run->waited);
        cycle = least;
    }
    run->cycle = cycle;
    if (!sl_clock_ring_move(times, op, 1, cycle))
        sl_clock_guess(run, SL_CLOCK_TOO_EARLY);
    sl_clock_reach(run, cycle + 1);
}

void sl_clock_moved(struct sl_clock *clock, struct sl_clock_run *run, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, int32_t pipe)
{
    struct sl_clock_ring *times = run ? sl_clock_times(clock, ring, site->op) : NULL;
    if (!times) {
        sl_clock_lose(clock);
        return;
    }
    if (!ring->special && !run->asks && !run->items) {
        sl_clock_move_simply(run, times, site, pipe);
        sl_clock_note(run, (enum sl_clock_what)site->op, pipe, 1);
        return;
    }
    /* behind a reservation it counts when that is committed */
    uint64_t reserved = reserved_of(ring, site->op);
    uint64_t number = times->count[site->op] + (reserved ? reserved - 1 : 0);
    come_to(run, ring, site);
    supply(run, times, site->op, number);
    wait_for(run, site, pipe, sl_clock_ring_allowed(times, site->op, number));
    end_operation(run, times, site->op, reserved ? 0 : 1);
    sl_clock_note(run, (enum sl_clock_what)site->op, pipe, reserved ? 0 : 1);
}

void sl_clock_committed(struct sl_clock *clock, struct sl_clock_run *run, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, int32_t pipe, uint64_t packets)
{
    struct sl_clock_ring *times = run ? sl_clock_times(clock, ring, site->op) : NULL;
    if (!times) {
        sl_clock_lose(clock);
        return;
    }
    come_to(run, ring, site);
    wait_for(run, site, -1, times->next[site->op]);
    end_operation(run, times, site->op, packets);
    sl_clock_note(run, (enum sl_clock_what)site->op, pipe, packets);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool sl_clock_is_paced(const struct sl_clock_run *run, struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_clock_ring *times = sl_clock_times(run->clock, ring, op);
    return times && times->rate.packets;
}

uint64_t sl_clock_ask(struct sl_clock_run *run, struct sl_pipe_ring *ring,
                      const struct sl_pipe_site *site, bool moves)
{
    struct sl_clock_ring *times = sl_clock_times(run->clock, ring, site->op);
    if (!times) {
        sl_clock_lose(run->clock);
        return UINT64_MAX;
    }
    come_to(run, ring, site);
    run->asks = true;
    if (moves)
        wait_for(run, site, -1, times->next[site->op]);
    return run->cycle;
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
    struct sl_clock_ring *times = sl_clock_times(run->clock, ring, op);
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
    struct sl_clock_ring *times = sl_clock_times(run->clock, ring, site->op);
    if (moves && times)
        sl_clock_ring_move(times, site->op, 0, run->cycle);
    run->asks = false;
    sl_clock_reach(run, run->cycle + 1);
}

bool sl_clock_fill(struct sl_clock_run *run, struct sl_pipe_ring *ring, unsigned op,
                   const bool own[2], uint32_t *fill)
{
    struct sl_clock_ring *times = sl_clock_times(run->clock, ring, op);
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
    sl_clock_note(run, site->op == SL_PIPE_WRITE ? SL_CLOCK_WRITES_NOTHING : SL_CLOCK_READS_NOTHING,
                  pipe, 0);
}
