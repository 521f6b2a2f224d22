/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the thread that runs the cluster. */
#include "fpga/ahead/ask.h"

#include <stdatomic.h>

#include "fpga/clock/clock.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "sluice/base/wait.h"

struct question {
    struct sl_fiber *self;
    struct sl_pipe_ring *ring;
    const struct sl_pipe_site *site;
    uint32_t packets; /* to be moved; 0: how many are there */
    bool own[2];      /* of such a question: ends that nobody but the asker moves */
    bool foreign;
    uint64_t cycle;
    uint64_t open_ns; /* this machine's time since when it has no answer; 0: it was not tried */
    uint32_t fill;    /* the answer */
};

bool sl_ask_is_timed(const struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    return self->clock && ring->cluster == self->cluster &&
           (!sl_ring_is_foreign(ring) || sl_clock_is_paced(self->clock, ring, op));
}

/* ---- when nobody can go on ------------------------------------------------------------------- */

/* Whatever it does next comes far too late to be seen by a question in that cycle. Those that are
 * near are waited for, since what they do may yet bring somebody else to an earlier cycle. */
static bool is_past(const struct sl_fiber *fiber, uint64_t cycle)
{
    enum { FAR = 1 << 14 };
    return fiber->clock && sl_clock_least(fiber->clock) >= cycle + FAR;
}

/* All that are ready are far past the cycle, or ask, or look at memory, and have found nothing
 * since anything changed. Who is parked goes on no earlier than those. */
static bool is_quiet(const struct sl_cluster *cluster, uint64_t cycle)
{
    const struct sl_fiber *at = cluster->ready;
    while (at && (at->settled == cluster->changes || is_past(at, cycle)))
        at = at->next;
    return !at && !atomic_load_explicit(&cluster->inbox, memory_order_relaxed);
}

static bool is_any_outside(const struct sl_cluster *cluster, uint64_t cycle)
{
    const struct sl_fiber *at = cluster->outside;
    while (at && is_past(at, cycle))
        at = at->next;
    return at != NULL;
}

/* The host has no more to launch or to send, as far as anybody can tell. A stream that never rests
 * may be all that is heard of: then a question waits no longer than anybody else's. */
static bool is_left_alone(const struct sl_cluster *cluster, const struct question *q)
{
    static const uint64_t moment_ns = 5000000, long_ns = 1000000000;
    uint64_t now = sl_clock_ns(), quiet_ns = now - cluster->heard_ns;
    bool waits = atomic_load_explicit(&cluster->machine->host_waits, memory_order_relaxed) > 0;
    if (q->foreign || is_any_outside(cluster, q->cycle))
        return quiet_ns > (waits ? moment_ns : 10 * moment_ns) || now - q->open_ns > long_ns;
    return waits || quiet_ns > long_ns;
}

/* The other one asks earlier, or in the same cycle and has yet to do what comes before: it may be
 * behind its question in the program, and in front in the schedule. */
static bool goes_first(const struct sl_fiber *other, const struct question *q)
{
    if (!other->asks || other->asks > q->cycle + 1)
        return false;
    return other->asks <= q->cycle ||
           (other->clock && sl_clock_least(other->clock) < sl_clock_least(q->self->clock));
}

static bool is_first(const struct sl_cluster *cluster, const struct question *q)
{
    const struct sl_fiber *at = cluster->ready;
    while (at && !goes_first(at, q))
        at = at->next;
    return !at;
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum sl_clock_answer look(struct question *q)
{
    if (!q->packets)
        return sl_clock_fill(q->self->clock, q->ring, q->site->op, q->own, &q->fill)
                   ? SL_CLOCK_YES
                   : SL_CLOCK_OPEN;
    enum sl_clock_answer answer =
        sl_clock_possible(q->self->clock, q->ring, q->site->op, q->packets);
    bool there = sl_ring_available(q->ring, q->site->op) >= q->packets;
    if (q->foreign && answer == SL_CLOCK_YES && !there) /* the host has to read in fact, too */
        return SL_CLOCK_OPEN;
    if (answer != SL_CLOCK_OPEN || !there)
        return answer;
    sl_clock_guess(q->self->clock, SL_CLOCK_NO_PEER); /* somebody without one moved them */
    return SL_CLOCK_YES;
}

/* What is at the other end, or of a question for packets at any: a later iteration of the asker's
 * may come there earlier than this one has asked. */
static void deny(struct question *q)
{
    for (unsigned op = 0; op < 2; op++)
        if (!q->packets || op != q->site->op)
            sl_clock_deny(q->self->clock, q->ring, op);
}

/* Others run; true: nobody can. */
static bool let_run(struct question *q)
{
    struct sl_fiber *self = q->self;
    struct sl_cluster *cluster = self->cluster;
    self->settled = cluster->changes;
    self->asks = q->cycle + 1;
    bool quiet = is_quiet(cluster, q->cycle);
    if (!q->open_ns)
        q->open_ns = sl_clock_ns();
    bool alone = quiet && is_left_alone(cluster, q);
    if (alone && is_first(cluster, q))
        return true;
    if (quiet && !alone)
        sl_cluster_poll(self);
    else
        sl_cluster_step_back(self);
    return false;
}

/* What is known, or what follows if nothing else happens before: then SL_CLOCK_OPEN. */
static enum sl_clock_answer find_answer(struct question *q)
{
    enum sl_clock_answer answer;
    while ((answer = look(q)) == SL_CLOCK_OPEN && !let_run(q))
        ;
    if (answer == SL_CLOCK_OPEN || !q->packets)
        deny(q);
    if (q->foreign && answer == SL_CLOCK_YES)
        q->self->cluster->heard_ns = sl_clock_ns();
    else if (q->foreign && answer == SL_CLOCK_OPEN && q->site->op == SL_PIPE_WRITE)
        sl_clock_guess(q->self->clock, SL_CLOCK_OUTSIDE);
    q->self->asks = 0;
    q->self->cluster->changes++;
    return answer;
}

/* One that will find something later moves on; one that nobody knows of may poll for ever. */
static void fail(const struct question *q, bool known)
{
    q->self->failed = true;
    if (known) {
        q->self->failures = 0;
        q->self->polled = NULL;
        sl_cluster_stir(q->self->cluster);
    } else {
        sl_cluster_failed(q->self, q->ring, q->site);
    }
}

bool sl_ask_packets(struct sl_fiber *self, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, uint32_t packets)
{
    struct question q = {self, ring, site, .packets = packets};
    q.foreign = sl_ring_is_foreign(ring);
    q.cycle = sl_clock_ask(self->clock, ring, site, true);
    if (q.cycle == UINT64_MAX)
        return sl_ring_available(ring, site->op) >= packets;
    enum sl_clock_answer answer = find_answer(&q);
    if (answer == SL_CLOCK_YES)
        return true;
    sl_clock_answered(self->clock, ring, site, true);
    sl_profile_failed(self, ring, site);
    fail(&q, answer == SL_CLOCK_NO);
    return false;
}

/* ---- packets in a pipe ----------------------------------------------------------------------- */

static uint32_t fill_now(struct sl_pipe_ring *ring)
{
    sl_ring_refresh(ring);
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    return (uint32_t)(tail - head - ring->taken);
}

static int32_t row_of(const struct sl_fiber *fiber)
{
    return (int32_t)(fiber->kernel - fiber->design->info->kernels);
}

uint32_t sl_ask_fill(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                     const struct sl_pipe_site *site)
{
    struct sl_fiber *self = launch->owner;
    struct question q = {self, ring, site, .own = {false}};
    q.foreign = sl_ring_is_foreign(ring);
    if (!sl_ask_is_timed(self, ring, site->op)) {
        sl_clock_guess(self->clock, SL_CLOCK_NO_PEER);
        self->settled = self->cluster->changes;
        sl_cluster_failed(self, ring, site); /* it may be asked until it changes */
        return fill_now(ring);
    }
    for (unsigned op = 0; op < 2; op++)
        q.own[op] = ring->info ? sl_ring_kernel(ring, op) == row_of(self) : op == site->op;
    q.cycle = sl_clock_ask(self->clock, ring, site, false);
    if (q.cycle == UINT64_MAX)
        return fill_now(ring);
    bool known = find_answer(&q) == SL_CLOCK_YES;
    sl_clock_answered(self->clock, ring, site, false);
    if (!known)
        sl_cluster_failed(self, ring, site);
    return q.fill;
}
