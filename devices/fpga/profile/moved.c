/* SPDX-License-Identifier: Apache-2.0 */
/* What the profile counts of packets: each one, or rounds of a loop at once, of which the clock
 * hears as well. No lock: of the thread that runs the cluster. */
#include "fpga/ahead/ahead.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"
#include "fpga/profile/trace.h"
#include "sluice/module.h"

static struct sl_profile *profile_of(const struct sl_fiber *fiber)
{
    return fiber->design ? fiber->design->profile : NULL;
}

static uint64_t fill_now(const struct sl_pipe_ring *ring)
{
    return __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
           __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
}

/* Sites of other tables are those of unit tests. */
static void trace(struct sl_profile *profile, const struct sl_fiber *fiber,
                  const struct sl_pipe_site *site, int32_t row, enum sl_trace_what what)
{
    const struct sl_module_info *info = fiber->design->info;
    bool known = site >= info->sites && site < info->sites + info->site_count && row >= 0;
    uint64_t nominal = fiber->clock ? sl_clock_present(fiber->clock) : SL_TRACE_NO_CYCLE;
    if (known)
        sl_trace_add(profile->trace, fiber->run, (uint32_t)(site - info->sites), (uint32_t)row,
                     what, nominal);
    else
        sl_trace_lose(profile->trace);
}

/* `fill`: packets in the pipe behind each of them, together; `most`: and at most. */
static inline void count(struct sl_profile_pipe *pipe, const struct sl_fiber *fiber,
                         const struct sl_pipe_ring *ring, unsigned op, uint64_t packets,
                         uint64_t fill, uint64_t most)
{
    sl_profile_add(pipe, op, packets, fill, most);
    atomic_int *end = op == SL_PIPE_WRITE ? &pipe->writer : &pipe->reader;
    bool contested = ring->flags & (uint32_t)SL_PIPE_CONTESTED << op;
    if (__builtin_expect(!ring->info || contested, 0) &&
        atomic_load_explicit(end, memory_order_relaxed) < 0)
        atomic_store_explicit(end, (int)(fiber->kernel - fiber->design->info->kernels),
                              memory_order_relaxed);
}

/* ---- one packet ------------------------------------------------------------------------------ */

void sl_profile_move(struct sl_profile *profile, const struct sl_fiber *fiber,
                     struct sl_pipe_ring *ring, const struct sl_pipe_site *site, uint64_t fill)
{
    int32_t row = sl_profile_pipe_row(profile, ring, site);
    if (profile->clock)
        sl_clock_moved(profile->clock, fiber->clock, ring, site, row);
    if (profile->trace) /* behind the clock, which knows the cycle now */
        trace(profile, fiber, site, row, SL_TRACE_MOVES);
    if (row >= 0)
        count(&profile->pipes[row], fiber, ring, site->op, 1, fill, fill);
}

void sl_profile_moved(struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                      const struct sl_pipe_site *site)
{
    struct sl_profile *profile = profile_of(fiber);
    if (fiber->ahead)
        sl_ahead_moved(fiber, ring, site);
    else if (profile)
        sl_profile_move(profile, fiber, ring, site, fill_now(ring));
}

void sl_profile_pipe_moved(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                           const struct sl_pipe_site *site)
{
    struct sl_fiber *fiber = launch->owner;
    fiber->cluster->changes++;
    sl_profile_moved(fiber, ring, site);
}

void sl_profile_failed(const struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                       const struct sl_pipe_site *site)
{
    struct sl_profile *profile = profile_of(fiber);
    if (!profile || !fiber->clock)
        return;
    int32_t row = sl_profile_pipe_row(profile, ring, site);
    sl_clock_failed(fiber->clock, site, row);
    if (profile->trace)
        trace(profile, fiber, site, row, SL_TRACE_FAILS);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Packets in the pipe behind that step, with so many rounds to come, of which the ring has the
 * indices already. */
static uint64_t fill_behind(const struct sl_pipe_rounds *r, uint32_t step, uint64_t rounds)
{
    const struct sl_pipe_ring *ring = r->moves[sl_pipe_step(r, step)].ring;
    uint64_t fill = fill_now(ring);
    for (uint32_t i = 0; i < r->step_count; i++) {
        const struct sl_pipe_move *move = &r->moves[sl_pipe_step(r, i)];
        uint64_t later = rounds + (i > step);
        if (move->ring == ring)
            fill += move->site->op == SL_PIPE_WRITE ? 0 - later : later;
    }
    return fill;
}

static void move_each(struct sl_profile *profile, const struct sl_launch *launch,
                      const struct sl_pipe_rounds *r, uint64_t rounds)
{
    const uint64_t *trips = r->trips;
    while (rounds--)
        for (uint32_t i = 0, n = 0; i <= r->step_count; i++) {
            for (; n < r->told_count && r->told[n].before == i; n++)
                sl_clock_mark(launch, r->told[n].what, r->told[n].line, r->told[n].column,
                              sl_pipe_varies(&r->told[n]) ? *trips++ : r->told[n].iterations);
            if (i == r->step_count)
                break;
            sl_profile_move(profile, launch->owner, r->moves[sl_pipe_step(r, i)].ring,
                            sl_pipe_site_of(r, i), fill_behind(r, i, rounds));
        }
}

static bool is_alone(const struct sl_pipe_rounds *r, uint32_t index)
{
    bool alone = true;
    for (uint32_t i = 0; i < index; i++)
        alone &= r->moves[i].ring != r->moves[index].ring;
    return alone;
}

/* The pipes are different ones that have rows. */
bool sl_profile_find_rows(struct sl_profile *profile, const struct sl_pipe_rounds *r, int32_t *rows)
{
    bool found = !profile->trace && profile->clock;
    for (uint32_t i = 0; i < r->count && found; i++) {
        rows[i] = sl_profile_pipe_row(profile, r->moves[i].ring, r->moves[i].site);
        found = rows[i] >= 0 && is_alone(r, i);
    }
    return found;
}

/* Steps that are this move. */
static uint64_t times_in(const struct sl_pipe_rounds *r, uint32_t move)
{
    uint64_t times = !r->steps;
    for (uint32_t i = 0; r->steps && i < r->step_count; i++)
        times += r->steps[i] == move;
    return times;
}

/* So many packets of that move, one behind the other. */
static void count_rounds(struct sl_profile *profile, const struct sl_fiber *fiber, int32_t row,
                         const struct sl_pipe_move *move, uint64_t rounds)
{
    uint64_t fill = fill_now(move->ring), between = rounds * (rounds - 1) / 2, most = fill;
    uint64_t sum = rounds * fill;
    if (move->site->op == SL_PIPE_WRITE) {
        sum -= between;
    } else {
        sum += between;
        most += rounds - 1;
    }
    count(&profile->pipes[row], fiber, move->ring, move->site->op, rounds, sum, most);
}

void sl_profile_pipe_rounds(const struct sl_launch *launch, const struct sl_pipe_rounds *r,
                            uint64_t rounds)
{
    struct sl_fiber *fiber = launch->owner;
    struct sl_profile *profile = profile_of(fiber);
    int32_t rows[SL_PIPE_MOST_MOVES];
    fiber->cluster->changes++;
    if (!profile || !rounds)
        return;
    if (fiber->ahead) {
        sl_ahead_rounds(profile, fiber, r, rounds);
        return;
    }
    if (!sl_profile_find_rows(profile, r, rows) ||
        !sl_clock_rounds(fiber->clock, r, rows, rounds)) {
        move_each(profile, launch, r, rounds);
        return;
    }
    for (uint32_t i = 0; i < r->count; i++)
        count_rounds(profile, fiber, rows[i], &r->moves[i], rounds * times_in(r, i));
}
