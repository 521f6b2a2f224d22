/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running the fibers of a cluster. No lock: fibers and lists belong to the thread that made the
 * cluster SL_CLUSTER_BUSY; others push onto `inbox`, raise `poked` and change `state`.
 */
#include "fpga/cluster.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "common/values.h"
#include "common/wait.h"
#include "fpga/barrier.h"
#include "fpga/hostpipe.h"
#include "fpga/launch.h"
#include "fpga/machine.h"
#include "fpga/profile.h"
#include "fpga/ring.h"

/* Switches between looks at the clock and at foreign ends. */
enum { BUDGET = 4096, BUDGET_OUTSIDE = 64, DOZE_LEAST_US = 20, DOZE_MOST_US = 1000 };
/* Polls in vain after which another thread may have the processor. */
enum { GIVE_UP_CORE = 1 };
/* A cluster that others wait behind gives up its thread after that. */
static const uint64_t slice_ns = 2000000;
/* How long a thread watches a cluster that has nothing to do. */
static const uint64_t spin_ns = 30000;

int sl_cluster_create(struct sl_machine *machine, uint32_t number, struct sl_cluster **out)
{
    struct sl_cluster *cluster = aligned_alloc(64, (sizeof(struct sl_cluster) + 63) / 64 * 64);
    if (!cluster)
        return SL_OUT_OF_HOST_MEMORY;
    *cluster = (struct sl_cluster){.machine = machine};
    if (machine->seed)
        cluster->random = machine->seed * 0x9e3779b97f4a7c15u + number + 1;
    atomic_init(&cluster->refs, 1);
    sl_machine_add(machine, cluster);
    *out = cluster;
    return 0;
}

void sl_cluster_hold(struct sl_cluster *cluster)
{
    atomic_fetch_add_explicit(&cluster->refs, 1, memory_order_relaxed);
}

void sl_cluster_drop(struct sl_cluster *cluster)
{
    if (!cluster || atomic_fetch_sub_explicit(&cluster->refs, 1, memory_order_acq_rel) != 1)
        return;
    sl_machine_remove(cluster->machine, cluster);
    free(cluster);
}

/* ---- from other threads -------------------------------------------------------------------- */

/* seq_cst: the news comes before the look at the state, the state before the look for news. */
static void wake(struct sl_cluster *cluster)
{
    int idle = SL_CLUSTER_IDLE;
    if (atomic_compare_exchange_strong_explicit(&cluster->state, &idle, SL_CLUSTER_QUEUED,
                                                memory_order_seq_cst, memory_order_seq_cst)) {
        sl_cluster_hold(cluster);
        sl_machine_enqueue(cluster->machine, cluster);
    } else if (atomic_load_explicit(&cluster->dozing, memory_order_seq_cst)) {
        atomic_fetch_add_explicit(&cluster->poked, 1, memory_order_seq_cst);
        sl_futex_wake(&cluster->poked, 1);
    }
}

void sl_cluster_post(struct sl_cluster *cluster, struct sl_news *news)
{
    news->next = atomic_load_explicit(&cluster->inbox, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&cluster->inbox, &news->next, news,
                                                  memory_order_seq_cst, memory_order_relaxed))
        ;
    wake(cluster);
}

void sl_cluster_poke(struct sl_cluster *cluster)
{
    atomic_fetch_add_explicit(&cluster->poked, 1, memory_order_seq_cst);
    wake(cluster);
}

bool sl_cluster_claim(struct sl_cluster *cluster, enum sl_cluster_state state)
{
    int expected = (int)state;
    return atomic_compare_exchange_strong_explicit(&cluster->state, &expected, SL_CLUSTER_BUSY,
                                                   memory_order_seq_cst, memory_order_seq_cst);
}

/* Something moved, or may have. */
static inline void stir(struct sl_cluster *cluster)
{
    cluster->fruitless = cluster->doze_us = 0;
}

/* ---- lists --------------------------------------------------------------------------------- */

void sl_cluster_add(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    fiber->cluster = cluster;
    fiber->prev_fiber = NULL;
    fiber->next_fiber = cluster->fibers;
    if (cluster->fibers)
        cluster->fibers->prev_fiber = fiber;
    cluster->fibers = fiber;
    cluster->fiber_count++;
    stir(cluster);
    sl_cluster_ready(cluster, fiber);
}

void sl_cluster_remove(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    *(fiber->prev_fiber ? &fiber->prev_fiber->next_fiber : &cluster->fibers) = fiber->next_fiber;
    if (fiber->next_fiber)
        fiber->next_fiber->prev_fiber = fiber->prev_fiber;
    cluster->fiber_count--;
}

static void unlink_from(struct sl_fiber **list, const struct sl_fiber *fiber,
                        struct sl_fiber **tail)
{
    struct sl_fiber *before = NULL, *at = *list;
    while (at != fiber) {
        before = at;
        at = at->next;
    }
    *(before ? &before->next : list) = fiber->next;
    if (tail && *tail == fiber)
        *tail = before;
}

void sl_cluster_discard(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    if (!fiber->ring)
        unlink_from(&cluster->ready, fiber, &cluster->ready_tail);
    else if (sl_ring_is_foreign(fiber->ring))
        unlink_from(&cluster->outside, fiber, NULL);
    else
        sl_ring_forget(fiber);
    sl_cluster_remove(cluster, fiber);
}

/* ---- from fibers --------------------------------------------------------------------------- */

/* Puts the fiber behind all others. */
static void step_back(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    bool alone = !cluster->ready;
    sl_cluster_ready(cluster, self);
    if (alone)
        sl_context_switch(&self->context, &cluster->thread);
    else
        sl_cluster_switch(self);
}

void sl_cluster_step_out(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    self->next = cluster->ready;
    if (cluster->ready && !cluster->ready->next)
        cluster->ready_tail = cluster->ready;
    cluster->ready = self;
    sl_context_switch(&self->context, &cluster->thread);
}

void sl_cluster_yield(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    enum { PAUSE_AFTER = 1024 };
    stir(cluster);
    if (cluster->ready || cluster->outside ||
        atomic_load_explicit(&cluster->inbox, memory_order_relaxed) ||
        ++self->failures >= PAUSE_AFTER) {
        self->failures = 0;
        step_back(self);
    }
}

void sl_cluster_poll(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    uint64_t progress = sl_launch_progress(self);
    if (progress != self->progress)
        stir(cluster);
    else if (++cluster->fruitless > 64 + 2 * cluster->fiber_count)
        cluster->budget = 1; /* so that the thread has a look */
    self->progress = progress;
    step_back(self);
}

/* Within the cluster nothing changes until others run. The other end's line is left alone for a
 * moment: to ask at once, again and again, slows down whoever is about to change it. */
void sl_cluster_failed(struct sl_fiber *self, struct sl_pipe_ring *ring,
                       const struct sl_pipe_site *site)
{
    enum { PAUSES = 4, LOOK_AROUND = 32 };
    uint32_t failures = ++self->failures;
    bool foreign = sl_ring_is_foreign(ring);
    self->failed = true;
    self->polled = ring;
    self->site = site;
    if (failures % LOOK_AROUND == 0) {
        sl_cluster_poll(self);
    } else if (failures > 1) {
        for (int i = 0; foreign && i < PAUSES; i++)
            sl_pause();
        if (self->cluster->ready)
            step_back(self);
    }
}

_Noreturn void sl_cluster_end(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    cluster->ended = self;
    sl_context_end(&self->context, &cluster->thread);
    abort();
}

/* ---- the thread ---------------------------------------------------------------------------- */

static bool take_news(struct sl_cluster *cluster)
{
    struct sl_news *newest = atomic_exchange_explicit(&cluster->inbox, NULL, memory_order_acquire);
    struct sl_news *oldest = NULL;
    while (newest) {
        struct sl_news *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    bool any = oldest != NULL;
    while (oldest) {
        struct sl_news *next = oldest->next; /* gone once taken */
        oldest->take(cluster, oldest);
        oldest = next;
    }
    return any;
}

/* Fibers whose foreign end has moved become ready. */
static bool look_outside(struct sl_cluster *cluster)
{
    struct sl_fiber **at = &cluster->outside, *fiber;
    bool any = false;
    while ((fiber = *at)) {
        if (!sl_ring_available(fiber->ring, fiber->site->op)) {
            at = &fiber->next;
            continue;
        }
        *at = fiber->next;
        fiber->ring = NULL;
        sl_cluster_ready(cluster, fiber);
        stir(cluster);
        any = true;
    }
    return any;
}

uint32_t sl_cluster_draw(struct sl_cluster *cluster, uint32_t below)
{
    uint64_t x = cluster->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    cluster->random = x;
    return (uint32_t)((x >> 32) * below >> 32);
}

static struct sl_fiber *pick(struct sl_cluster *cluster)
{
    struct sl_fiber *fiber = cluster->ready;
    if (fiber && cluster->random) {
        uint32_t count = 0;
        for (struct sl_fiber *at = fiber; at; at = at->next)
            count++;
        for (uint32_t n = sl_cluster_draw(cluster, count); n; n--)
            fiber = fiber->next;
        unlink_from(&cluster->ready, fiber, &cluster->ready_tail);
        return fiber;
    }
    if (fiber)
        cluster->ready = fiber->next;
    return fiber;
}

static void set_budget(struct sl_cluster *cluster)
{
    cluster->budget = cluster->random || cluster->machine->profile ? 1
                      : cluster->outside                           ? BUDGET_OUTSIDE
                                                                   : BUDGET;
}

/* ---- naps ---------------------------------------------------------------------------------- */

/* Something has moved that a ready fiber can reach, since it asked or since the last call. */
static bool has_moved(struct sl_cluster *cluster)
{
    bool moved = false;
    for (struct sl_fiber *fiber = cluster->ready; fiber; fiber = fiber->next) {
        uint64_t progress = sl_launch_progress(fiber);
        moved |= progress != fiber->progress;
        fiber->progress = progress;
    }
    return moved;
}

/* All foreign ends that somebody here waits for will poke the cluster when they move. */
static void announce(struct sl_cluster *cluster, bool polled)
{
    for (struct sl_fiber *fiber = cluster->outside; fiber; fiber = fiber->next)
        sl_pipe_announce(fiber->ring);
    for (struct sl_fiber *fiber = polled ? cluster->ready : NULL; fiber; fiber = fiber->next) {
        struct sl_reach reach;
        sl_launch_reach(fiber, &reach);
        for (uint32_t i = 0; i < reach.count; i++) {
            struct sl_pipe_ring *ring = sl_reach_ring(&reach, i);
            if (sl_ring_is_foreign(ring) && ring->owner)
                sl_pipe_announce(ring);
        }
    }
    (void)sl_barrier(); /* without it the other side pays, see sl_barrier_light() */
}

static void wake_from_nap(struct sl_cluster *cluster)
{
    const struct timespec moment = {.tv_nsec = 50000};
    while (!sl_cluster_claim(cluster, SL_CLUSTER_NAPPING))
        nanosleep(&moment, NULL);
}

/* While the thread sleeps the watch may have a look, see stall.c. */
static void nap(struct sl_cluster *cluster, uint32_t poked)
{
    atomic_store_explicit(&cluster->state, SL_CLUSTER_NAPPING, memory_order_seq_cst);
    sl_futex_wait(&cluster->poked, poked, cluster->doze_us * 1000u);
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
        stir(cluster);
    else if (!look_outside(cluster) && !atomic_load_explicit(&cluster->inbox, memory_order_seq_cst))
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

/* ---- running ------------------------------------------------------------------------------- */

static void run_fibers(struct sl_cluster *cluster, struct sl_fiber *next)
{
    struct sl_design *design = cluster->machine->profile ? next->design : NULL;
    const struct sl_kernel_info *kernel = next->kernel;
    uint64_t since = design ? sl_profile_clock() : 0;
    set_budget(cluster);
    sl_context_switch(&cluster->thread, &next->context);
    if (design)
        sl_profile_ran(design, kernel, since);
    if (cluster->ended) {
        struct sl_fiber *fiber = cluster->ended;
        cluster->ended = NULL;
        sl_launch_ended(fiber);
    }
    while (cluster->notified)
        sl_pipe_serve(cluster);
    if (is_tired(cluster))
        doze(cluster);
    else if (cluster->fruitless > GIVE_UP_CORE)
        sched_yield(); /* to the very thread that is waited for, perhaps */
    if (cluster->resting && !cluster->doze_us)
        sl_machine_resumes(cluster->machine, cluster);
}

static bool has_news(struct sl_cluster *cluster, uint32_t poked)
{
    return atomic_load_explicit(&cluster->inbox, memory_order_seq_cst) ||
           atomic_load_explicit(&cluster->poked, memory_order_seq_cst) != poked;
}

static bool spin(struct sl_cluster *cluster, uint32_t poked)
{
    struct sl_machine *machine = cluster->machine;
    if (machine->units < 2)
        return has_news(cluster, poked);
    uint64_t start = sl_clock_ns();
    bool found = false;
    atomic_fetch_add_explicit(&machine->spinning, 1, memory_order_seq_cst);
    while (!found && sl_clock_ns() - start < spin_ns &&
           !atomic_load_explicit(&machine->queued, memory_order_seq_cst)) {
        for (int i = 0; i < 4; i++)
            sl_pause();
        found = has_news(cluster, poked) || look_outside(cluster);
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
        if (look_outside(cluster))
            return true;
    }
    sl_machine_rests(cluster->machine, cluster);
    atomic_store_explicit(&cluster->state, SL_CLUSTER_IDLE, memory_order_seq_cst);
    if (!has_news(cluster, poked) || !sl_cluster_claim(cluster, SL_CLUSTER_IDLE))
        return false;
    sl_machine_resumes(cluster->machine, cluster);
    return true;
}

/* A thread that watched and goes on with its own cluster leaves to others what was queued since:
 * nobody was woken for that. */
static bool rest(struct sl_cluster *cluster, uint32_t poked)
{
    struct sl_machine *machine = cluster->machine;
    bool more = settle(cluster, poked);
    if (more && atomic_load_explicit(&machine->queued, memory_order_seq_cst))
        sl_machine_kick(machine);
    return more;
}

void sl_cluster_release(struct sl_cluster *cluster, enum sl_cluster_state state, uint32_t poked)
{
    atomic_store_explicit(&cluster->state, (int)state, memory_order_seq_cst);
    if (has_news(cluster, poked))
        wake(cluster);
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

void sl_cluster_run(struct sl_cluster *cluster)
{
    uint64_t start = sl_clock_ns();
    for (;;) {
        uint32_t poked = atomic_load_explicit(&cluster->poked, memory_order_seq_cst);
        take_news(cluster);
        if (cluster->outside)
            look_outside(cluster);
        struct sl_fiber *next = pick(cluster);
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
