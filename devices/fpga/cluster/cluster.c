/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters for everyone but the thread that runs one (cluster_run.c): other threads' messages, and
 * what fibers ask for. No lock: fibers and lists belong to the thread that made the cluster
 * SL_CLUSTER_BUSY; others push onto `inbox`, raise `poked` and change `state`.
 */
#include "fpga/cluster/cluster.h"

#include <stdlib.h>

#include "common/base/values.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "sluice/base/wait.h"

static int create(struct sl_machine *machine, uint32_t number, struct sl_cluster *home,
                  struct sl_cluster **out)
{
    struct sl_cluster *cluster = aligned_alloc(64, (sizeof(struct sl_cluster) + 63) / 64 * 64);
    if (!cluster)
        return SL_OUT_OF_HOST_MEMORY;
    *cluster = (struct sl_cluster){.machine = machine, .home = home ? home : cluster};
    if (machine->seed)
        cluster->random = machine->seed * 0x9e3779b97f4a7c15u + number + 1;
    atomic_init(&cluster->refs, 1);
    atomic_init(&cluster->strange, true);
    sl_machine_add(machine, cluster);
    *out = cluster;
    return 0;
}

int sl_cluster_create(struct sl_machine *machine, uint32_t number, struct sl_cluster **out)
{
    return create(machine, number, NULL, out);
}

int sl_cluster_create_part(struct sl_cluster *home, struct sl_cluster **out)
{
    int rc = create(home->machine, 0, home, out);
    if (!rc)
        sl_cluster_hold(home);
    return rc;
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
    if (cluster->home != cluster)
        sl_cluster_drop(cluster->home);
    free(cluster);
}

/* ---- from other threads ---------------------------------------------------------------------- */

static void enqueue(struct sl_cluster *cluster)
{
    sl_cluster_hold(cluster);
    sl_machine_enqueue(cluster->machine, cluster);
}

void sl_cluster_take_back(struct sl_cluster *cluster)
{
    int lent = SL_CLUSTER_LENT;
    atomic_store_explicit(&cluster->wanted, false, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&cluster->state, &lent, SL_CLUSTER_QUEUED,
                                                memory_order_seq_cst, memory_order_seq_cst))
        enqueue(cluster);
}

void sl_cluster_end_loan(struct sl_cluster *cluster)
{
    int lent = SL_CLUSTER_LENT;
    atomic_compare_exchange_strong_explicit(&cluster->state, &lent, SL_CLUSTER_IDLE,
                                            memory_order_seq_cst, memory_order_seq_cst);
}

/* seq_cst: the news comes before the look at the state, the state before the look for news. */
static void wake(struct sl_cluster *cluster)
{
    int idle = SL_CLUSTER_IDLE;
    if (atomic_compare_exchange_strong_explicit(&cluster->state, &idle, SL_CLUSTER_QUEUED,
                                                memory_order_seq_cst, memory_order_seq_cst)) {
        enqueue(cluster);
    } else if (atomic_load_explicit(&cluster->dozing, memory_order_seq_cst)) {
        atomic_fetch_add_explicit(&cluster->poked, 1, memory_order_seq_cst);
        sl_futex_wake(&cluster->poked, 1);
    }
}

/* Held: the news may be heard, and the design that brought the cluster gone, before this returns.
 */
void sl_cluster_post(struct sl_cluster *cluster, struct sl_news *news)
{
    sl_cluster_hold(cluster);
    news->next = atomic_load_explicit(&cluster->inbox, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&cluster->inbox, &news->next, news,
                                                  memory_order_seq_cst, memory_order_relaxed))
        ;
    wake(cluster);
    sl_cluster_take_back(cluster);
    sl_cluster_drop(cluster);
}

void sl_cluster_poke_one(struct sl_cluster *cluster)
{
    atomic_fetch_add_explicit(&cluster->poked, 1, memory_order_seq_cst);
    wake(cluster);
}

void sl_cluster_poke(struct sl_cluster *cluster)
{
    sl_cluster_poke_one(cluster);
    if (cluster->parts)
        sl_parts_poke(cluster->parts);
}

bool sl_cluster_claim(struct sl_cluster *cluster, enum sl_cluster_state state)
{
    int expected = (int)state;
    return atomic_compare_exchange_strong_explicit(&cluster->state, &expected, SL_CLUSTER_BUSY,
                                                   memory_order_seq_cst, memory_order_seq_cst);
}

void sl_cluster_release(struct sl_cluster *cluster, enum sl_cluster_state state, uint32_t poked)
{
    atomic_store_explicit(&cluster->state, (int)state, memory_order_seq_cst);
    if (sl_cluster_has_news(cluster, poked))
        wake(cluster);
}

/* ---- lists ----------------------------------------------------------------------------------- */

bool sl_cluster_knows(const struct sl_fiber *fiber)
{
    const struct sl_design *design = fiber->design;
    return design &&
           atomic_load_explicit(&design->kernels[fiber->kernel - design->info->kernels].brief,
                                memory_order_relaxed);
}

void sl_cluster_enlist(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    fiber->cluster = cluster;
    fiber->prev_fiber = NULL;
    fiber->next_fiber = cluster->fibers;
    if (cluster->fibers)
        cluster->fibers->prev_fiber = fiber;
    cluster->fibers = fiber;
    cluster->fiber_count++;
    cluster->changes++;
    if (!sl_cluster_knows(fiber))
        atomic_store_explicit(&cluster->strange, true, memory_order_relaxed);
    atomic_store_explicit(&cluster->quick, 0, memory_order_relaxed);
    sl_cluster_stir(cluster);
}

void sl_cluster_add(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    sl_cluster_enlist(cluster, fiber);
    sl_cluster_ready(cluster, fiber);
}

void sl_cluster_remove(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    *(fiber->prev_fiber ? &fiber->prev_fiber->next_fiber : &cluster->fibers) = fiber->next_fiber;
    if (fiber->next_fiber)
        fiber->next_fiber->prev_fiber = fiber->prev_fiber;
    cluster->fiber_count--;
    cluster->changes++;
}

void sl_cluster_unlink(struct sl_fiber **list, const struct sl_fiber *fiber, struct sl_fiber **tail)
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

void sl_cluster_withdraw(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    if (!fiber->ring)
        sl_cluster_unlink(&cluster->ready, fiber, &cluster->ready_tail);
    else if (sl_ring_is_outside(fiber->ring))
        sl_cluster_unlink(&cluster->outside, fiber, NULL);
}

void sl_cluster_wait_outside(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    struct sl_fiber **at = &cluster->outside;
    while (*at)
        at = &(*at)->next;
    fiber->next = NULL;
    *at = fiber;
}

void sl_cluster_discard(struct sl_fiber *fiber, int status)
{
    struct sl_cluster *cluster = fiber->cluster;
    if (fiber->ring && !sl_ring_is_outside(fiber->ring))
        sl_ring_forget(fiber);
    else
        sl_cluster_withdraw(cluster, fiber);
    fiber->status = status;
    sl_cluster_remove(cluster, fiber);
    cluster->machine->ops->ended(fiber);
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

/* ---- from fibers ----------------------------------------------------------------------------- */

void sl_cluster_step_back(struct sl_fiber *self)
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
    sl_cluster_stir(cluster);
    if (cluster->ready || cluster->outside ||
        atomic_load_explicit(&cluster->inbox, memory_order_relaxed) ||
        ++self->failures >= PAUSE_AFTER) {
        self->failures = 0;
        sl_cluster_step_back(self);
    }
}

void sl_cluster_poll(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    uint64_t progress = sl_reach_progress(self);
    if (progress != self->progress)
        sl_cluster_stir(cluster);
    else if (++cluster->fruitless > 64 + 2 * cluster->fiber_count)
        cluster->budget = 1; /* so that the thread has a look */
    self->progress = progress;
    sl_cluster_step_back(self);
}

void sl_cluster_note_quick(struct sl_cluster *cluster)
{
    enum { QUICK_NS = 500 };
    uint32_t before = atomic_load_explicit(&cluster->quick, memory_order_relaxed);
    uint32_t now = sl_clock_ns() - cluster->since <= QUICK_NS ? before + 1 : 0;
    cluster->since = 0;
    atomic_store_explicit(&cluster->quick, now, memory_order_relaxed);
}

/* Within the cluster nothing changes until others run. The other end's line is left alone for a
 * moment: to ask at once, again and again, slows down whoever is about to change it. */
void sl_cluster_failed(struct sl_fiber *self, struct sl_pipe_ring *ring,
                       const struct sl_pipe_site *site)
{
    enum { PAUSES = 4, LOOK_AROUND = 32 };
    uint32_t failures = ++self->failures;
    if (failures == 1 && self->cluster->since)
        sl_cluster_note_quick(self->cluster);
    bool foreign = sl_ring_is_foreign(ring);
    self->failed = true;
    self->polled = ring;
    self->site = site;
    if (failures % LOOK_AROUND == 0 || (foreign && self->cluster->visit_until)) {
        sl_cluster_poll(self);
    } else if (failures > 1) {
        for (int i = 0; foreign && i < PAUSES; i++)
            sl_pause();
        if (self->cluster->ready)
            sl_cluster_step_back(self);
    }
}

bool sl_cluster_visit_over(struct sl_cluster *cluster)
{
    enum { CLOCK_EVERY = 8 };
    if (++cluster->visit_looks < CLOCK_EVERY)
        return false;
    if (sl_clock_ns() >= cluster->visit_until)
        return true; /* and the next time as well */
    cluster->visit_looks = 0;
    return false;
}

void sl_cluster_give_way(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    if (cluster->visit_until ? sl_cluster_visit_over(cluster)
                             : atomic_load_explicit(&cluster->wanted, memory_order_relaxed))
        sl_cluster_step_out(self);
}

_Noreturn void sl_cluster_end(struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    cluster->ended = self;
    sl_context_end(&self->context, &cluster->thread);
    abort();
}
