/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of a cluster: news, foreign ends, the next fiber; naps while all poll in vain; rest.
 * No lock: the fibers and lists are this thread's while the cluster is SL_CLUSTER_BUSY.
 */
#include "fpga/cluster/cluster_run.h"

#include <sched.h>
#include <time.h>

#include "fpga/base/barrier.h"
#include "fpga/cluster/cut_ring.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/cluster/watch.h"
#include "sluice/base/wait.h"

/* Switches between looks at the clock and at foreign ends. */
enum {
    BUDGET = 4096,
    BUDGET_VISIT = 1024,
    BUDGET_OUTSIDE = 64,
    DOZE_LEAST_US = 20,
    DOZE_MOST_US = 1000
};
/* Polls in vain after which another thread may have the processor. */
enum { GIVE_UP_CORE = 1 };
/* A cluster that others wait behind gives up its thread after that. */
static const uint64_t slice_ns = 2000000;
/* How long a thread watches a cluster that has nothing to do. Longer where it polls the other end
 * of a pipe by itself and something came so soon after the last rest had begun that to wake up took
 * most of the time: two that answer each other would both sleep at each turn. */
static const uint64_t spin_ns = 30000, spin_polling_ns = 200000;

/* ---- the thread ------------------------------------------------------------------------------ */

void sl_cluster_take_news(struct sl_cluster *cluster, struct sl_news *newest)
{
    struct sl_news *oldest = NULL;
    while (newest) {
        struct sl_news *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    while (oldest) {
        struct sl_news *next = oldest->next; /* gone once taken */
        oldest->take(cluster, oldest);
        oldest = next;
    }
}

static void take_all_news(struct sl_cluster *cluster)
{
    sl_cluster_take_news(cluster,
                         atomic_exchange_explicit(&cluster->inbox, NULL, memory_order_acquire));
}

bool sl_cluster_look_outside(struct sl_cluster *cluster)
{
    struct sl_fiber **at = &cluster->outside, *fiber;
    bool any = false;
    while ((fiber = *at)) {
        bool moved = sl_ring_is_cut(fiber->ring)
                         ? sl_cut_ring_operate(fiber, fiber->ring, fiber->site->op, fiber->packet)
                         : sl_ring_available(fiber->ring, fiber->site->op) != 0;
        if (!moved) {
            at = &fiber->next;
            continue;
        }
        *at = fiber->next;
        fiber->ring = NULL;
        sl_cluster_ready(cluster, fiber);
        sl_cluster_stir(cluster);
        any = true;
    }
    if (any) {
        cluster->changes++;
        cluster->heard_ns = cluster->machine->profile ? sl_clock_ns() : 0;
    }
    return any;
}

struct sl_fiber *sl_cluster_pick(struct sl_cluster *cluster)
{
    struct sl_fiber *fiber = cluster->ready;
    if (fiber && cluster->random) {
        uint32_t count = 0;
        for (struct sl_fiber *at = fiber; at; at = at->next)
            count++;
        for (uint32_t n = sl_cluster_draw(cluster, count); n; n--)
            fiber = fiber->next;
        sl_cluster_unlink(&cluster->ready, fiber, &cluster->ready_tail);
        return fiber;
    }
    if (fiber)
        cluster->ready = fiber->next;
    return fiber;
}

static void set_budget(struct sl_cluster *cluster)
{
    cluster->turns = cluster->random        ? 1
                     : cluster->visit_until ? BUDGET_VISIT
                     : cluster->outside     ? BUDGET_OUTSIDE
                                            : BUDGET;
    if (cluster->parts && cluster->turns > cluster->load.size)
        cluster->turns = cluster->load.size;
    cluster->budget = cluster->machine->profile ? 1 : cluster->turns;
}

/* ---- naps ------------------------------------------------------------------------------------ */

/* Something has moved that a ready fiber can reach, since it asked or since the last call. */
static bool has_moved(struct sl_cluster *cluster)
{
    bool moved = false;
    for (struct sl_fiber *fiber = cluster->ready; fiber; fiber = fiber->next) {
        uint64_t progress = sl_reach_progress(fiber);
        moved |= progress != fiber->progress;
        fiber->progress = progress;
    }
    return moved;
}

/* All foreign ends that somebody here waits for will poke the cluster when they move. */
static void announce(struct sl_cluster *cluster, bool polled)
{
    for (struct sl_fiber *fiber = cluster->outside; fiber; fiber = fiber->next) {
        if (sl_ring_is_cut(fiber->ring))
            sl_cut_ring_announce(fiber->ring, fiber->site->op);
        else
            cluster->machine->ops->announce(fiber->ring);
    }
    for (struct sl_fiber *fiber = polled ? cluster->ready : NULL; fiber; fiber = fiber->next) {
        struct sl_reach reach;
        sl_reach_of(fiber, &reach);
        for (uint32_t i = 0; i < reach.count; i++) {
            struct sl_pipe_ring *ring = sl_reach_ring(&reach, i);
            if (sl_ring_is_foreign(ring) && ring->owner)
                cluster->machine->ops->announce(ring);
        }
    }
    (void)sl_barrier(); /* without it the other side pays, see sl_barrier_light() */
}

/* Whoever has claimed it looks at it for microseconds and tells nobody. */
static void wake_from_nap(struct sl_cluster *cluster)
{
    const struct timespec moment = {.tv_nsec = 50000};
    while (!sl_cluster_claim(cluster, SL_CLUSTER_NAPPING))
        nanosleep(&moment, NULL);
}

/* While the thread sleeps the watch may have a look, see stall.c, or the host come for a visit. */
static void nap(struct sl_cluster *cluster, uint32_t poked)
{
    uint32_t moment_us = cluster->doze_us; /* a visitor may change it meanwhile */
    atomic_store_explicit(&cluster->state, SL_CLUSTER_NAPPING, memory_order_seq_cst);
    sl_futex_wait(&cluster->poked, poked, moment_us * 1000u);
    wake_from_nap(cluster);
}

/* The watch looks at the machine: it may claim the cluster until it is through. */
static void hold_still(struct sl_cluster *cluster)
{
    struct sl_machine *machine = cluster->machine;
    enum { LOOKING = 1, MOST_NS = 1000000 };
    uint32_t look = atomic_load_explicit(&machine->looking, memory_order_seq_cst);
    if (!(look & LOOKING))
        return;
    cluster->parked_ns = 0;
    atomic_store_explicit(&cluster->state, SL_CLUSTER_NAPPING, memory_order_seq_cst);
    while (atomic_load_explicit(&machine->looking, memory_order_seq_cst) == look)
        sl_futex_wait(&machine->looking, look, MOST_NS);
    wake_from_nap(cluster);
}

/* All ready fibers ask again and again for what does not come. */
static void doze(struct sl_cluster *cluster)
{
    uint32_t poked = atomic_load_explicit(&cluster->poked, memory_order_seq_cst);
    if (!cluster->doze_us)
        cluster->doze_us = DOZE_LEAST_US;
    else if (cluster->doze_us < DOZE_MOST_US)
        cluster->doze_us *= 2;
    if (cluster->resting != sl_cluster_launched(cluster)) /* since it began, or since it gave way */
        sl_machine_rests(cluster->machine, cluster);
    announce(cluster, true);
    atomic_store_explicit(&cluster->dozing, true, memory_order_seq_cst);
    if (has_moved(cluster))
        sl_cluster_stir(cluster);
    else if (!sl_cluster_look_outside(cluster) &&
             !atomic_load_explicit(&cluster->inbox, memory_order_seq_cst))
        nap(cluster, poked);
    atomic_store_explicit(&cluster->dozing, false, memory_order_seq_cst);
    cluster->awake_since = sl_clock_ns();
}

/* A kernel may ask in vain and do other work, which must not take for ever: four parts of sleep
 * for one of work. */
static bool is_tired(const struct sl_cluster *cluster)
{
    enum { SHARE = 4 };
    return cluster->fruitless > 64 + 2 * cluster->fiber_count &&
           sl_clock_ns() - cluster->awake_since > cluster->doze_us * 1000u / SHARE;
}

/* ---- running --------------------------------------------------------------------------------- */

void sl_cluster_switch_to(struct sl_cluster *cluster, struct sl_fiber *next)
{
    const bool profiled = cluster->machine->profile;
    const struct sl_kernel_info *kernel = next->kernel;
    set_budget(cluster);
    if (profiled)
        cluster->resumed_ns = cluster->parked_ns ? cluster->parked_ns : sl_clock_ns();
    cluster->parked_ns = 0;
    cluster->running = next;
    if (next->stalled_at)
        cluster->machine->ops->went_on(next, cluster->resumed_ns);
    if (cluster->parts)
        sl_parts_go(cluster);
    sl_context_switch(&cluster->thread, &next->context);
    if (cluster->parts)
        sl_parts_went(cluster, kernel);
    next = cluster->running;
    if (profiled && next->design)
        cluster->machine->ops->ran(next->design, next->kernel, cluster->resumed_ns,
                                   cluster->parked_ns ? cluster->parked_ns : sl_clock_ns());
}

void sl_cluster_report(struct sl_cluster *cluster)
{
    if (cluster->ended) {
        struct sl_fiber *fiber = cluster->ended;
        cluster->ended = NULL;
        sl_cluster_remove(cluster, fiber);
        cluster->machine->ops->ended(fiber);
    }
    while (cluster->notified)
        cluster->machine->ops->serve(cluster);
}

static void run_fibers(struct sl_cluster *cluster, struct sl_fiber *next)
{
    struct sl_machine *machine = cluster->machine;
    if (machine->visits == SL_VISIT_AUTO && cluster->hosted)
        cluster->since = sl_clock_ns();
    sl_cluster_switch_to(cluster, next);
    if (cluster->since && !cluster->fruitless)
        sl_cluster_note_quick(cluster);
    cluster->since = 0;
    sl_cluster_report(cluster);
    if (cluster->fruitless)
        cluster->parked_ns = 0;
    if (is_tired(cluster))
        doze(cluster);
    else if (cluster->fruitless > GIVE_UP_CORE)
        sched_yield(); /* to the very thread that is waited for, perhaps */
    if (cluster->resting && !cluster->doze_us)
        sl_machine_resumes(machine, cluster);
}

static bool is_wanted(const struct sl_cluster *cluster)
{
    return atomic_load_explicit(&cluster->wanted, memory_order_relaxed);
}

/* Foreign ends that are waited for move what they can. False: there is none that does. */
static bool poll_outside(const struct sl_cluster *cluster)
{
    bool any = false;
    for (struct sl_fiber *fiber = cluster->outside; fiber; fiber = fiber->next)
        if (!sl_ring_is_cut(fiber->ring))
            any |= cluster->machine->ops->poll(fiber->ring);
    return any;
}

/* What a rest that is over says of the next one. */
static void learn_spin(struct sl_cluster *cluster)
{
    if (cluster->rested_ns)
        cluster->rests_briefly = sl_clock_ns() - cluster->rested_ns < spin_polling_ns;
    cluster->rested_ns = 0;
}

/* While the next packet is written, or the last one read: at 4 GB/s, half a millisecond at most. */
static uint64_t packet_ns(const struct sl_cluster *cluster)
{
    enum { MOST_BYTES = 2 << 20, BYTES_PER_NS = 4 };
    uint32_t bytes = 0;
    for (const struct sl_fiber *fiber = cluster->outside; fiber; fiber = fiber->next)
        if (fiber->ring->packet_bytes > bytes)
            bytes = fiber->ring->packet_bytes;
    return (bytes < MOST_BYTES ? bytes : MOST_BYTES) / BYTES_PER_NS;
}

/* False: it is to rest. Beyond the usual time another thread may have the processor. */
static bool spins_on(const struct sl_cluster *cluster, uint64_t start, bool polls)
{
    uint64_t ns = sl_clock_ns() - start;
    if (atomic_load_explicit(&cluster->machine->queued, memory_order_seq_cst))
        return false;
    if (ns < spin_ns || ns < spin_ns + packet_ns(cluster))
        return true;
    bool on = polls && cluster->rests_briefly && ns < spin_polling_ns;
    if (on)
        sched_yield();
    return on;
}

static bool spin(struct sl_cluster *cluster, uint32_t poked)
{
    struct sl_machine *machine = cluster->machine;
    if (machine->units < 2)
        return sl_cluster_has_news(cluster, poked);
    uint64_t start = sl_clock_ns();
    bool found = false, polls = false;
    atomic_fetch_add_explicit(&machine->spinning, 1, memory_order_seq_cst);
    while (!found && spins_on(cluster, start, polls)) {
        polls = poll_outside(cluster);
        for (int i = polls ? 4 : 0; i < 4; i++)
            sl_pause();
        found = sl_cluster_has_news(cluster, poked) || sl_cluster_look_outside(cluster) ||
                is_wanted(cluster);
    }
    atomic_fetch_sub_explicit(&machine->spinning, 1, memory_order_seq_cst);
    return found;
}

/* Nothing was ready. True if something is after all; else the cluster is no longer ours. */
static bool settle(struct sl_cluster *cluster, uint32_t poked)
{
    if (spin(cluster, poked))
        return true;
    if (cluster->outside) {
        announce(cluster, false);
        if (sl_cluster_look_outside(cluster))
            return true;
        cluster->rested_ns = sl_clock_ns();
    }
    sl_machine_rests(cluster->machine, cluster);
    cluster->poked_seen = poked;
    atomic_store_explicit(&cluster->state, SL_CLUSTER_IDLE, memory_order_seq_cst);
    if (!sl_cluster_has_news(cluster, poked) || !sl_cluster_claim(cluster, SL_CLUSTER_IDLE))
        return false;
    sl_machine_resumes(cluster->machine, cluster);
    return true;
}

/* A thread that watched and goes on with its own cluster leaves to others what was queued since:
 * nobody was woken for that. */
static bool rest(struct sl_cluster *cluster, uint32_t poked)
{
    cluster->parked_ns = 0;
    struct sl_machine *machine = cluster->machine;
    bool more = settle(cluster, poked);
    if (more && atomic_load_explicit(&machine->queued, memory_order_seq_cst))
        sl_machine_kick(machine);
    return more;
}

static bool give_way(struct sl_cluster *cluster, uint64_t start)
{
    struct sl_machine *machine = cluster->machine;
    if (!atomic_load_explicit(&machine->queued, memory_order_relaxed) ||
        sl_clock_ns() - start < slice_ns)
        return false;
    sl_machine_rests(machine, cluster); /* run() will take that back */
    atomic_store_explicit(&cluster->state, SL_CLUSTER_QUEUED, memory_order_seq_cst);
    sl_cluster_hold(cluster);
    sl_machine_enqueue(machine, cluster);
    return true;
}

/* The cluster is no longer ours, unless messages came that nobody else was told of. */
static bool lend(struct sl_cluster *cluster)
{
    atomic_store_explicit(&cluster->wanted, false, memory_order_relaxed);
    atomic_store_explicit(&cluster->state, SL_CLUSTER_LENT, memory_order_seq_cst);
    if (atomic_load_explicit(&cluster->inbox, memory_order_seq_cst) &&
        sl_cluster_claim(cluster, SL_CLUSTER_LENT))
        return false;
    sl_watch_lent(cluster->machine->watch);
    return true;
}

void sl_cluster_run(struct sl_cluster *cluster)
{
    uint64_t start = sl_clock_ns();
    cluster->parked_ns = 0;
    learn_spin(cluster);
    for (;;) {
        uint32_t poked = atomic_load_explicit(&cluster->poked, memory_order_seq_cst);
        sl_cluster_report(cluster); /* what a visitor has left */
        take_all_news(cluster);
        if (is_wanted(cluster) && lend(cluster))
            return;
        if (cluster->load.due && cluster->fibers)
            sl_parts_act(cluster);
        if (cluster->outside)
            sl_cluster_look_outside(cluster);
        struct sl_fiber *next = sl_cluster_pick(cluster);
        if (next) {
            /* each time: while this thread rested another may have run the cluster */
            sl_shadow_thread(&cluster->thread.shadow);
            run_fibers(cluster, next);
            if (atomic_load_explicit(&cluster->machine->looking, memory_order_relaxed) & 1)
                hold_still(cluster);
            if (give_way(cluster, start))
                return;
        } else if (!rest(cluster, poked)) {
            return;
        }
    }
}
