/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decision whether the device stands still. Its clusters are claimed one after the other: while
 * the watch has all of them no fiber runs, and it may look at them.
 */
#include "fpga/stall.h"

#include <stdlib.h>
#include <time.h>

#include "common/hosted.h"
#include "common/values.h"
#include "fpga/design.h"
#include "fpga/launch.h"
#include "fpga/machine.h"
#include "fpga/ring.h"

static uint32_t activity(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->activity, memory_order_seq_cst);
}

bool sl_stall_possible(struct sl_machine *machine, const struct sl_stall *stall)
{
    return machine->on_stall != SL_STALL_WAIT &&
           atomic_load_explicit(&machine->host_waits, memory_order_seq_cst) > 0 &&
           atomic_load_explicit(&machine->parked, memory_order_seq_cst) &&
           !(stall->any_told && stall->told == activity(machine));
}

void sl_stall_begin(struct sl_machine *machine, struct sl_stall *stall)
{
    stall->activity = activity(machine);
}

/* Ordinary work may be what moves things next. */
static bool others_run(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->guests, memory_order_relaxed) ||
           sl_pool_busy(machine->hosted->sched.pool);
}

/* ---- who waits for whom -------------------------------------------------------------------- */

static bool uses_argument(const struct sl_fiber *fiber, const struct sl_pipe_ring *ring,
                          unsigned op)
{
    const struct sl_kernel_info *kernel = fiber->kernel;
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        const struct sl_arg_info *arg = &kernel->args[i];
        bool right_way =
            arg->access != (op == SL_PIPE_WRITE ? SL_ACCESS_READ_ONLY : SL_ACCESS_WRITE_ONLY);
        if (arg->kind == SL_ARG_PIPE && right_way &&
            *(struct sl_pipe_ring *const *)((const char *)fiber->args + arg->offset) == ring)
            return true;
    }
    return false;
}

/* The fiber may do such operations on the ring. */
static bool uses(const struct sl_fiber *fiber, const struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_pipe_info *pipe = ring->info;
    if (!pipe)
        return uses_argument(fiber, ring, op);
    const struct sl_design *design = fiber->design;
    if (pipe < design->info->pipes || pipe >= design->info->pipes + design->info->pipe_count)
        return false;
    ptrdiff_t kernel = fiber->kernel - design->info->kernels;
    return (op == SL_PIPE_WRITE ? pipe->writer : pipe->reader) == kernel;
}

static bool waits_for(const struct sl_fiber *fiber, const struct sl_fiber *peer)
{
    return fiber->cluster == peer->cluster &&
           uses(peer, sl_fiber_stuck_at(fiber), !fiber->site->op);
}

/* Who polls may poll several pipes. */
static bool hopes_outside(const struct sl_fiber *fiber)
{
    struct sl_reach reach;
    if (fiber->ring)
        return sl_ring_is_foreign(fiber->ring);
    sl_launch_reach(fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++) {
        if (sl_ring_is_foreign(sl_reach_ring(&reach, i)))
            return true;
    }
    return false;
}

static void link_row(struct sl_stall_rows *rows, uint32_t n)
{
    struct sl_stall_row *row = &rows->at[n];
    row->outside = hopes_outside(row->fiber);
    row->next = -1;
    for (uint32_t i = 0; !row->outside && row->next < 0 && i < rows->count; i++) {
        if (waits_for(row->fiber, rows->at[i].fiber))
            row->next = (int32_t)i;
    }
}

/* Whoever waits for a row that waits for the outside does so too. `todo` has room for all rows. */
static void spread_outside(struct sl_stall_rows *rows, uint32_t *todo)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].outside)
            todo[count++] = i;
    }
    while (count) {
        const struct sl_fiber *peer = rows->at[todo[--count]].fiber;
        for (uint32_t i = 0; i < rows->count; i++) {
            if (!rows->at[i].outside && waits_for(rows->at[i].fiber, peer)) {
                rows->at[i].outside = true;
                todo[count++] = i;
            }
        }
    }
}

/* As many steps as there are rows end in a cycle if they end anywhere. */
static void find_cycle(struct sl_stall_rows *rows)
{
    rows->cycle = -1;
    for (uint32_t i = 0; rows->cycle < 0 && i < rows->count; i++) {
        int32_t at = (int32_t)i;
        for (uint32_t n = 0; at >= 0 && n < rows->count; n++)
            at = rows->at[at].outside ? -1 : rows->at[at].next;
        rows->cycle = at;
    }
    for (int32_t at = rows->cycle; at >= 0 && !rows->at[at].in_cycle; at = rows->at[at].next)
        rows->at[at].in_cycle = true;
}

int sl_stall_link(struct sl_stall_rows *rows)
{
    uint32_t *todo = malloc((rows->count + 1) * sizeof *todo);
    if (!todo)
        return SL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < rows->count; i++)
        link_row(rows, i);
    spread_outside(rows, todo);
    find_cycle(rows);
    free(todo);
    return 0;
}

/* ---- looking at a machine that stands still ------------------------------------------------ */

struct claim {
    struct sl_cluster *cluster;  /* held */
    enum sl_cluster_state state; /* before */
    uint32_t poked;
};

struct claims {
    struct claim *at; /* owned */
    uint32_t count;
};

static void release(struct claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        sl_cluster_release(claims->at[i].cluster, claims->at[i].state, claims->at[i].poked);
        sl_cluster_drop(claims->at[i].cluster);
    }
    free(claims->at);
    claims->at = NULL;
    claims->count = 0;
}

static bool claim_one(struct claims *claims, struct sl_cluster *cluster)
{
    uint32_t poked = atomic_load_explicit(&cluster->poked, memory_order_seq_cst);
    enum sl_cluster_state state = SL_CLUSTER_IDLE;
    if (!sl_cluster_claim(cluster, state)) {
        state = SL_CLUSTER_NAPPING;
        if (!sl_cluster_claim(cluster, state))
            return false;
    }
    sl_cluster_hold(cluster);
    claims->at[claims->count++] = (struct claim){cluster, state, poked};
    return true;
}

/* All or none: a cluster that is not idle may move the others. */
static bool claim_all(struct sl_machine *machine, struct claims *claims)
{
    uint32_t count = 0;
    bool got = true;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *cluster = machine->clusters; cluster; cluster = cluster->next_cluster)
        count++;
    claims->count = 0;
    claims->at = malloc(count * sizeof *claims->at);
    got = claims->at && !machine->queue;
    for (struct sl_cluster *at = machine->clusters; got && at; at = at->next_cluster)
        got = claim_one(claims, at);
    pthread_mutex_unlock(&machine->lock);
    if (!got)
        release(claims);
    return got;
}

/* Who polls in vain is awake between naps. */
static bool claim_soon(struct sl_machine *machine, struct claims *claims)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 100000};
    bool got = claim_all(machine, claims);
    for (int i = 1; !got && i < TRIES; i++) {
        nanosleep(&moment, NULL);
        got = claim_all(machine, claims);
    }
    return got;
}

static bool add_row(struct sl_stall_rows *rows, struct sl_fiber *fiber)
{
    if (rows->count == rows->capacity) {
        uint32_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        struct sl_stall_row *at = realloc(rows->at, capacity * sizeof *at);
        if (!at)
            return false;
        rows->at = at;
        rows->capacity = capacity;
    }
    rows->at[rows->count++] = (struct sl_stall_row){.fiber = fiber, .next = -1};
    return true;
}

/* False: something is about to run, or there is no memory. */
static bool collect(const struct claims *claims, struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        const struct sl_cluster *cluster = claims->at[i].cluster;
        bool naps = claims->at[i].state == SL_CLUSTER_NAPPING;
        if ((cluster->ready && !naps) ||
            atomic_load_explicit(&cluster->inbox, memory_order_seq_cst))
            return false;
        for (struct sl_fiber *fiber = cluster->fibers; fiber; fiber = fiber->next_fiber) {
            if (!sl_fiber_stuck_at(fiber) || !add_row(rows, fiber))
                return false;
        }
    }
    return true;
}

/* ---- the verdict --------------------------------------------------------------------------- */

struct ending {
    struct sl_news news;
};

static void take_ending(struct sl_cluster *cluster, struct sl_news *news)
{
    for (struct sl_fiber *fiber = cluster->fibers, *next; fiber; fiber = next) {
        next = fiber->next_fiber;
        if (fiber->doomed)
            sl_launch_discard(fiber, SL_STALLED);
    }
    free((struct ending *)news);
}

static bool has_doomed(const struct sl_cluster *cluster)
{
    const struct sl_fiber *fiber = cluster->fibers;
    while (fiber && !fiber->doomed)
        fiber = fiber->next_fiber;
    return fiber != NULL;
}

/* The cluster's own thread ends them, once it is released. Clusters without any hear nothing: the
 * device may be about to stop, and nobody would take the message. */
static void end_launches(const struct claims *claims, const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        rows->at[i].fiber->doomed = rows->at[i].fiber->work && !rows->at[i].outside;
    for (uint32_t i = 0; i < claims->count; i++) {
        struct ending *ending = has_doomed(claims->at[i].cluster) ? malloc(sizeof *ending) : NULL;
        if (!ending)
            continue;
        ending->news.take = take_ending;
        sl_cluster_post(claims->at[i].cluster, &ending->news);
    }
}

static uint32_t launches(const struct sl_stall_rows *rows, bool outside)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        count += rows->at[i].fiber->work && rows->at[i].outside == outside;
    return count;
}

/* A launch that asks a pipe in vain may do real work between two questions and go on by itself:
 * worth a report, no ground to end anything. */
static bool is_certain(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->at[i].fiber->work && !rows->at[i].fiber->ring)
            return false;
    return true;
}

/* Of what stands still: the same again is no news. */
static uint64_t signature_of(const struct sl_stall_rows *rows)
{
    uint64_t hash = rows->count;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct sl_fiber *fiber = rows->at[i].fiber;
        hash = (hash ^ (uintptr_t)fiber) * 0x100000001b3u;
        const struct sl_pipe_ring *ring = sl_fiber_stuck_at(fiber);
        hash = (hash ^ __atomic_load_n(&ring->head, __ATOMIC_RELAXED)) * 0x100000001b3u;
        hash = (hash ^ __atomic_load_n(&ring->tail, __ATOMIC_RELAXED)) * 0x100000001b3u;
    }
    return hash;
}

struct verdict {
    uint32_t dead, waiting; /* launches */
    char *text, *json;      /* owned; NULL: nothing to be told */
};

/* False: something is about to run after all. */
static bool judge(struct sl_machine *machine, const struct claims *claims, struct sl_stall *stall,
                  struct verdict *verdict)
{
    struct sl_stall_rows rows = {0};
    bool sure = collect(claims, &rows) && !sl_stall_link(&rows);
    if (sure) {
        uint64_t signature = signature_of(&rows);
        bool known = stall->any_told && signature == stall->signature;
        stall->signature = signature;
        verdict->dead = launches(&rows, false);
        verdict->waiting = known ? 0 : launches(&rows, true);
        if (verdict->dead && !launches(&rows, true)) {
            if (!known && sl_stall_text(&rows, &verdict->text, &verdict->json))
                verdict->text = verdict->json = NULL;
            if (machine->on_stall == SL_STALL_ERROR && is_certain(&rows))
                end_launches(claims, &rows);
        }
    }
    free(rows.at);
    return sure;
}

static void tell(struct sl_machine *machine, struct verdict *verdict)
{
    const struct sl_host_ops *host = machine->host;
    if (verdict->waiting)
        host->log(SL_LOG_INFO, machine->topic,
                  "%u kernels wait for the host or an I/O pipe, %u for other kernels",
                  verdict->waiting, verdict->dead);
    if (verdict->text && host->stalled)
        host->stalled(&machine->hosted->base, verdict->text, verdict->json);
    free(verdict->text);
    free(verdict->json);
}

bool sl_stall_check(struct sl_machine *machine, struct sl_stall *stall)
{
    struct claims claims;
    struct verdict verdict = {0};
    if (!sl_stall_possible(machine, stall))
        return false;
    uint32_t now = activity(machine);
    if (now != stall->activity || others_run(machine) || !claim_soon(machine, &claims))
        return true;
    bool sure = now == activity(machine) && judge(machine, &claims, stall, &verdict);
    if (sure) {
        stall->any_told = true;
        stall->told = now;
    }
    tell(machine, &verdict); /* before its launches end: who waits for them wants to know why */
    release(&claims);
    return !sure;
}
