/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels may run ahead of their clock, and how that begins and ends; see ahead.h. */
#include <stdlib.h>

#include "fpga/ahead/ahead_journal.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile_data.h"

/* ---- who may --------------------------------------------------------------------------------- */

static uint32_t component_of(const struct sl_design *design, uint32_t pipe)
{
    const struct sl_pipe_info *info = &design->info->pipes[pipe];
    int32_t kernel = info->reader >= 0 ? info->reader : info->writer;
    return kernel < 0 ? UINT32_MAX : design->info->kernels[kernel].component;
}

/* Nothing outside has a part in what the kernels of the component do. */
static bool is_closed(const struct sl_design *design, uint32_t component)
{
    bool closed = true;
    for (uint32_t i = 0; i < design->info->pipe_count && closed; i++)
        closed = component_of(design, i) != component ||
                 !(design->info->pipes[i].flags & SL_PIPE_FOREIGN);
    return closed;
}

/* All room of the ring may be used. */
static void deepen(struct sl_pipe_ring *ring)
{
    struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    times->ahead = true;
    ring->depth = (uint32_t)ring->mask + 1;
    set_within(ring, times, SL_PIPE_READ);
    set_within(ring, times, SL_PIPE_WRITE);
}

/* False: no memory. */
static bool make_clocks(const struct sl_design *design, uint32_t component)
{
    bool room = true;
    for (uint32_t i = 0; i < design->info->pipe_count && room; i++) {
        struct sl_pipe_ring *ring = design->info->pipes[i].ring;
        if (component_of(design, i) != component)
            continue;
        sl_ring_state(ring)->clock = sl_clock_ring_create(ring->depth, SL_CLOCK_LEAST_BEHIND);
        room = sl_ring_state(ring)->clock != NULL;
    }
    return room;
}

static void prepare_component(struct sl_profile *profile, uint32_t component)
{
    const struct sl_design *design = profile->design;
    const struct sl_module_info *info = design->info;
    if (!design->clusters[component] || !sl_parts_is_determinate(design, component) ||
        !is_closed(design, component))
        return;
    struct sl_ahead_group *group = calloc(1, sizeof *group);
    if (!group || !make_clocks(design, component)) {
        free(group);
        return;
    }
    group->next = profile->groups;
    profile->groups = group;
    for (uint32_t i = 0; i < info->pipe_count; i++)
        if (component_of(design, i) == component)
            deepen(info->pipes[i].ring);
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (info->kernels[i].component == component)
            profile->kernels[i].group = group;
}

void sl_ahead_prepare(struct sl_profile *profile)
{
    const struct sl_design *design = profile->design;
    if (!profile->clock || profile->trace || design->machine->seed)
        return;
    for (uint32_t i = 0; i < design->cluster_count; i++)
        prepare_component(profile, i);
}

void sl_ahead_finish(struct sl_profile *profile)
{
    for (struct sl_ahead_group *group = profile->groups, *next; group; group = next) {
        next = group->next;
        sl_ahead_jump_free(group->jump);
        free(group);
    }
}

void sl_ahead_begin(struct sl_profile *profile, struct sl_fiber *fiber)
{
    struct sl_profile_kernel *kernel =
        &profile->kernels[fiber->kernel - fiber->design->info->kernels];
    if (!kernel->group)
        return;
    struct ahead *ahead = fiber->clock ? aligned_alloc(alignof(struct ahead), sizeof *ahead) : NULL;
    if (!ahead)
        return;
    *ahead = (struct ahead){.fiber = fiber, .group = kernel->group, .behind = &kernel->behind};
    fiber->ahead = &ahead->base;
    ahead->next_live = kernel->group->live;
    kernel->group->live = fiber;
    sl_ahead_look_at_memory(profile, kernel->group);
}

bool sl_ahead_is_starved(const struct sl_fiber *fiber)
{
    const struct sl_design *design = fiber->design;
    return design && design->profile && !fiber->ahead &&
           design->profile->kernels[fiber->kernel - design->info->kernels].group;
}

void sl_ahead_shown(struct sl_pipe_ring *ring, uint64_t *packets, uint32_t *depth)
{
    const struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    *depth = ring->depth;
    *packets = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
               __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
    if (!times || !times->ahead)
        return;
    *depth = times->depth;
    *packets = fill_of(times);
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* It is not among those that are through: who lets go of them goes through all before any kernel
 * runs or ends. */
static void unlist(const struct sl_fiber *fiber)
{
    const struct ahead *a = ahead_of(fiber);
    struct sl_fiber **at = &a->group->live;
    while (*at != fiber)
        at = &ahead_of(*at)->next_live;
    *at = a->next_live;
    at = &a->group->first;
    while (*at && *at != fiber)
        at = &ahead_of(*at)->next;
    if (*at)
        *at = a->next;
    at = &a->group->partial;
    while (*at && *at != fiber)
        at = &ahead_of(*at)->next_partial;
    if (*at)
        *at = a->next_partial;
    at = &a->group->touched;
    while (*at && *at != fiber)
        at = &ahead_of(*at)->next_touched;
    if (*at)
        *at = a->next_touched;
}

/* Packets that were written ahead and nobody has read are not there any more, or a pipe would have
 * more of them than its depth. Those of other runs of the kernel may be among them: then they stay.
 * How many. */
static uint64_t take_back(struct sl_pipe_ring *ring, const struct sl_clock_ring *times,
                          uint64_t written)
{
    const uint64_t unread = ring->tail - ring->head;
    if (ring->tail - times->count[SL_PIPE_WRITE] != written)
        return 0;
    const uint64_t back = written < unread ? written : unread;
    ring->tail -= back;
    if (ring->read_limit > ring->tail)
        ring->read_limit = ring->tail;
    return back;
}

/* Of a run that ends before its time, with all packets of it that its clock does not know of. */
struct last {
    struct sl_fiber *fiber;
    enum { COUNT, TAKE_BACK, MOVE } what;
};

/* Who is at the other end may be ahead as well, and is first heard of if that is where this end has
 * to wait. */
static void go_at_last(void *data, struct sl_pipe_ring *ring, const struct sl_pipe_site *site)
{
    const struct last *last = data;
    struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    const unsigned op = site->op, writes = op == SL_PIPE_WRITE;
    if (last->what == COUNT)
        times->left += writes;
    else if (last->what == TAKE_BACK && writes)
        times->left -= take_back(ring, times, times->left);
    if (last->what != MOVE || (writes && !times->left))
        return;
    times->left -= writes;
    if (!sl_clock_ring_is_known(times, op))
        sl_ahead_settle(last->fiber, true);
    sl_clock_ring_move(times, op, 1, times->next[op]);
    set_within(ring, times, !op);
    tell_peer(times, op);
}

/* All else that it has moved was moved, whoever it had to wait for. */
static void give_up(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    const struct sl_pipe_rounds *r = &a->what;
    const uint64_t rounds = a->base.rounds, *from = a->base.done, *end = a->base.journal.next;
    struct last last = {.fiber = fiber};
    a->base.rounds = 0;
    a->base.done = a->base.journal.next;
    for (last.what = COUNT; last.what <= MOVE; last.what++) {
        for (uint64_t round = 0; round < rounds; round++)
            for (uint32_t step = round ? 0 : a->part; step < r->step_count; step++)
                go_at_last(&last, r->moves[sl_pipe_step(r, step)].ring, sl_pipe_site_of(r, step));
        sl_journal_each(fiber, from, end, go_at_last, &last);
    }
    struct sl_fiber **at = ahead_of(fiber)->behind;
    while (*at && *at != fiber)
        at = &ahead_of(*at)->follower;
    if (!*at)
        return;
    *at = a->follower;
    if (a->follower)
        list_ahead(ahead_of(a->follower));
}

void sl_ahead_end(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (!a)
        return;
    sl_ahead_count(fiber->design->profile, fiber);
    unlist(fiber);
    for (uint32_t i = 0; a->base.rounds && i < a->what.count; i++)
        for (unsigned op = 0; op < 2; op++)
            if (a->ends[i].times->waiting[op] == a)
                a->ends[i].times->waiting[op] = NULL;
    if (a->plain && a->base.rounds) {
        sl_clock_moves_end(fiber->clock, &a->moves);
        set_user(fiber, false);
    }
    if (sl_ahead_is_behind(fiber))
        give_up(fiber);
    fiber->ahead = NULL;
    sl_journal_free(a);
    free(a->trips);
    free(a);
}
