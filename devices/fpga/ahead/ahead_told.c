/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels tell of what they have done, ahead of their clock; see ahead.h. No lock: of the
 * thread that runs the cluster. */
#include <stdlib.h>
#include <string.h>

#include "fpga/ahead/ahead_data.h"
#include "fpga/ahead/ahead_journal.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"

void sl_ahead_moved(struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site)
{
    struct sl_profile *profile = fiber->design->profile;
    struct ahead *a = ahead_of(fiber);
    struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    if (sl_ahead_is_behind(fiber)) {
        sl_journal_add_move(fiber, ring, site);
        return;
    }
    if (sl_clock_ring_is_known(times, site->op) && !*ahead_of(fiber)->behind) {
        sl_ahead_move(profile, fiber, ring, site);
        return;
    }
    set_single(a, ring, site);
    list_ahead(ahead_of(fiber));
}

bool sl_ahead_is_same(const struct sl_pipe_rounds *a, const struct sl_pipe_rounds *b)
{
    bool same = a->count == b->count && a->told_count == b->told_count && a->told == b->told &&
                a->steps == b->steps && (!a->steps || a->sites == b->sites);
    for (uint32_t i = 0; i < a->count && same; i++)
        same = a->moves[i].ring == b->moves[i].ring && a->moves[i].site == b->moves[i].site;
    return same;
}

static void number_steps(struct ahead *a)
{
    uint8_t count[SL_PIPE_MOST_MOVES] = {0};
    for (uint32_t i = 0; i < a->what.step_count; i++)
        a->number[i] = ++count[a->what.steps[i]];
}

void sl_ahead_start(struct sl_profile *profile, struct sl_fiber *fiber,
                    const struct sl_pipe_rounds *what, uint64_t rounds)
{
    enum { FEW_STEPS = 24 };
    struct ahead *a = ahead_of(fiber);
    a->what = *what;
    a->part = a->told = 0;
    a->single = false;
    a->plain = rounds * what->step_count > FEW_STEPS &&
               (sl_clock_moves_find_again(fiber->clock, what, &a->moves) ||
                (sl_profile_find_rows(profile, what, a->rows) &&
                 sl_clock_moves_find(fiber->clock, what, &a->moves)));
    a->count = what->count;
    a->step_count = what->step_count;
    a->in_steps = what->steps != NULL;
    a->narrow = false;
    for (uint32_t i = 0; i < what->count; i++) {
        const struct sl_pipe_move *move = &what->moves[i];
        set_ahead_end(&a->ends[i], sl_ring_state(move->ring)->clock, move->site->op);
        a->narrow |= a->ends[i].times->depth <= SL_AHEAD_NARROW;
    }
    if (a->what.steps)
        number_steps(a);
    if (a->plain)
        set_user(fiber, true);
}

/* Behind those of rounds that are left. */
static void keep_trips(struct sl_fiber *fiber, const uint64_t *trips, size_t count)
{
    struct ahead *a = ahead_of(fiber);
    const size_t done = a->moves.trips ? (size_t)(a->moves.trips - a->trips) : 0;
    const size_t left = a->base.rounds ? a->trip_count - done : 0;
    if (a->base.rounds && !a->moves.trips)
        return; /* some are missing already */
    if (left + count > a->trip_room) {
        const size_t room = 2 * (left + count);
        uint64_t *more = malloc(room * sizeof *more);
        if (!more) {
            sl_clock_lose(fiber->clock->clock);
            a->moves.trips = NULL;
            return;
        }
        if (left)
            memcpy(more, a->trips + done, left * sizeof *more);
        free(a->trips);
        a->trips = more;
        a->trip_room = room;
    } else if (left && a->trip_count + count > a->trip_room) {
        memmove(a->trips, a->trips + done, left * sizeof *a->trips);
    } else if (left) { /* there is room behind them */
        memcpy(a->trips + a->trip_count, trips, count * sizeof *trips);
        a->trip_count += count;
        return;
    }
    memcpy(a->trips + left, trips, count * sizeof *trips);
    a->trip_count = left + count;
    a->moves.trips = a->trips;
}

void sl_ahead_rounds(struct sl_profile *profile, struct sl_fiber *fiber,
                     const struct sl_pipe_rounds *what, uint64_t rounds)
{
    struct ahead *a = ahead_of(fiber);
    if (sl_ahead_is_behind(fiber) &&
        (a->base.done != a->base.journal.next || a->single || !sl_ahead_is_same(&a->what, what))) {
        if (sl_journal_add_rounds(fiber, what, rounds))
            return;
        sl_ahead_wait(fiber);
    }
    if (!a->base.rounds)
        sl_ahead_start(profile, fiber, what, UINT32_MAX);
    const uint32_t varied = sl_pipe_varied(what);
    if (varied)
        keep_trips(fiber, what->trips, rounds * varied);
    a->base.rounds += rounds;
    list_ahead(ahead_of(fiber));
}

const struct sl_pipe_rounds *sl_ahead_last(const struct sl_fiber *fiber)
{
    const struct ahead *a = ahead_of(fiber);
    return a->single ? NULL : &a->what;
}

void sl_ahead_hold(struct sl_fiber *fiber)
{
    ahead_of(fiber)->waits = true;
}
