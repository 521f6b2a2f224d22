/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that runs ahead of its clock comes to a loop whose pipes have packets or room for few
 * rounds. To move these one by one costs calls for each, and until its clock has caught up; who is
 * ready to run at the other ends may well make it hundreds. So others run first, if there are any,
 * as long as they get on. The kernel stays ready, so nobody can wait for it in a ring; where that
 * is in vain it is tried less and less. No lock: of the thread that runs the cluster.
 */
#include "fpga/ring/ring.h"

#include "fpga/ahead/ahead.h"
#include "fpga/cluster/cluster.h"
#include "fpga/profile/profile.h"
#include "sluice/module.h"
#include "sluice/unshared.h"

enum {
    MOST_TURNS = 8,
    MOST_PAUSE = 256, /* tries that are left out */
};

/* Packets that a round moves there. */
static uint64_t each_of(const struct sl_pipe_rounds *r, uint32_t move)
{
    uint64_t each = 0;
    for (uint32_t i = 0; i < r->step_count; i++)
        each += r->steps[i] == move;
    return each;
}

static bool stops(const struct sl_pipe_ring *ring, unsigned op, uint32_t within)
{
    const uint32_t flag = (uint32_t)SL_PIPE_UNSHARED << op;
    return within == SL_PIPE_STOPS || (within == SL_PIPE_STOPS_IF_SHARED &&
                                       !(__atomic_load_n(&ring->flags, __ATOMIC_RELAXED) & flag));
}

static uint64_t packets_at(struct sl_pipe_ring *ring, unsigned op, uint32_t within)
{
    const uint64_t there = sl_ring_available(ring, op);
    if (!stops(ring, op, within))
        return there;
    const uint64_t end = ~(op == SL_PIPE_READ ? ring->read_within : ring->write_within);
    const uint64_t index = *sl_ring_index(ring, op), left = end > index ? end - index : 0;
    return there < left ? there : left;
}

/* The move that has fewest, for so many rounds at least; r->count: all have. */
static uint32_t find_short(const struct sl_pipe_rounds *r, uint64_t most, uint32_t within)
{
    uint32_t i = 0;
    for (; i < r->count; i++) {
        struct sl_pipe_ring *ring = r->moves[i].ring;
        uint64_t half = (ring->mask + 1) / 2;
        uint64_t rounds = packets_at(ring, r->moves[i].site->op, within);
        if (r->steps) {
            const uint64_t each = each_of(r, i);
            half /= each;
            rounds /= each;
        }
        if (rounds < (most < half ? most : half))
            break;
    }
    return i;
}

/* It is waiting there, as far as the profile is concerned. */
static void let_others_run(struct sl_fiber *self, const struct sl_pipe_move *at)
{
    sl_ahead_settle(self, false);
    sl_profile_stalls(self);
    self->stalled_at = at->ring;
    self->site = at->site;
    sl_cluster_ready(self->cluster, self);
    sl_context_switch(&self->context, sl_profile_next(self));
}

/* The others are in vain as well: who waits for his clock may be what they wait for. Then the clock
 * of this kernel has to catch up before what comes next, if that is not possible now: here rather
 * than at that operation, which would wait in the ring, and for its clock with each packet that it
 * is given, while all others go on without it. False: nobody can go on. */
static bool catch_up(struct sl_fiber *self, const struct sl_pipe_rounds *r)
{
    const struct sl_pipe_move *first = &r->moves[r->steps ? r->steps[0] : 0];
    const bool any = sl_ahead_settle(self, true);
    if (!sl_ahead_is_behind(self) || sl_ring_available(first->ring, first->site->op))
        return any;
    sl_ahead_wait(self);
    return true;
}

static bool await(struct sl_fiber *self, const struct sl_pipe_rounds *r, uint64_t most,
                  uint32_t within)
{
    uint32_t at = find_short(r, most, within);
    for (uint32_t turn = 0; at < r->count && turn < MOST_TURNS; turn++) {
        const uint64_t changes = self->cluster->changes;
        if (self->cluster->ready)
            let_others_run(self, &r->moves[at]);
        if (self->cluster->changes == changes && !catch_up(self, r))
            return false;
        at = find_short(r, most, within);
    }
    return at == r->count;
}

void sl_ring_await(const struct sl_launch *launch, const struct sl_pipe_rounds *r, uint64_t most,
                   uint32_t within)
{
    struct sl_fiber *self = launch->owner;
    struct sl_ahead *ahead = self->ahead;
    if (!ahead || (ahead->skip && ahead->skip--))
        return;
    if (await(self, r, most, within)) {
        ahead->pause = 0;
    } else {
        ahead->pause = !ahead->pause               ? 1
                       : ahead->pause < MOST_PAUSE ? 2 * ahead->pause
                                                   : MOST_PAUSE;
        ahead->skip = ahead->pause;
    }
    sl_ring_set_limits(self, r);
}
