/* SPDX-License-Identifier: Apache-2.0 */
/* When the host visits a cluster, see visit.h. No lock: of the thread that has its turn at the
 * pipe's end. */
#include "fpga/host_pipe/visit.h"

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/ring_state.h"
#include "sluice/base/wait.h"

enum {
    WINDOW = 256, /* packets */
    PROOFS = 2,
    PACE_NS = 250,      /* per packet, host and kernel */
    WORTH_NS = 25,      /* per packet: what the way to another processor costs */
    SHORT_NS = 20000,   /* visits that are not judged */
    LONGEST_NS = 50000, /* after which a visit ends at the next look */
    MOST_IDLE = 16,
    MOST_SLOW = 3, /* less may be somebody else's work on this processor */
    BATCH_BYTES = 64 << 10,
    MISSES = 64, /* in a row: more than a kernel with a processor lets the host wait */
    QUICK = 4,
};
static const uint64_t bar_least_ns = 5000000, bar_most_ns = 1000000000;

void sl_visits_init(struct sl_visits *visits, enum sl_visit_mode mode)
{
    *visits = (struct sl_visits){.bar = bar_least_ns, .rest = bar_least_ns, .mode = mode};
    visits->on = mode == SL_VISIT_ALWAYS;
    visits->due = mode == SL_VISIT_NEVER ? UINT64_MAX : visits->on ? 1 : WINDOW;
}

/* So many packets are worth a visit, and few enough to be in the caches still. */
static uint64_t batch(const struct sl_visits *visits, const struct sl_pipe_ring *ring)
{
    uint64_t most = BATCH_BYTES / ring->packet_bytes;
    if (visits->mode == SL_VISIT_ALWAYS || !most)
        return 1;
    return ring->depth < most ? ring->depth : most;
}

static void end_visits(struct sl_visits *visits)
{
    if (visits->mode == SL_VISIT_ALWAYS)
        return;
    visits->on = false;
    visits->proofs = visits->idle = visits->slow = visits->trial = 0;
    visits->due = visits->index + WINDOW;
}

static uint64_t longer(uint64_t bar)
{
    return 2 * bar < bar_most_ns ? 2 * bar : bar_most_ns;
}

/* The kernel had better run beside the host, for some time. */
static void bar(struct sl_visits *visits, struct sl_cluster *cluster, uint64_t now)
{
    visits->barred = now + visits->bar;
    visits->bar = longer(visits->bar);
    end_visits(visits);
    if (!visits->on)
        sl_cluster_take_back(cluster);
}

/* What the kernel waits for does not come from here. */
static void end_trial(struct sl_visits *visits, struct sl_cluster *cluster, uint64_t now)
{
    visits->calm = now + visits->rest;
    visits->rest = longer(visits->rest);
    end_visits(visits);
    sl_cluster_take_back(cluster);
}

static void judge(struct sl_visits *visits, struct sl_cluster *cluster, uint64_t moved,
                  uint64_t start)
{
    uint64_t now = sl_clock_ns(), took = now - start;
    visits->idle = moved ? 0 : visits->idle + 1;
    visits->slow = took > SHORT_NS && took > moved * WORTH_NS ? visits->slow + 1 : 0;
    if (visits->slow >= MOST_SLOW)
        bar(visits, cluster, now);
    else if (visits->idle >= MOST_IDLE && visits->trial)
        end_trial(visits, cluster, now);
    else if (visits->idle >= MOST_IDLE) /* another end may keep the kernel going */
        end_visits(visits);
    else if (moved >= WINDOW)
        visits->bar = bar_least_ns;
    if (visits->trial && visits->trial <= moved)
        visits->rest = bar_least_ns;
    visits->trial -= visits->trial < moved ? visits->trial : (uint32_t)moved;
}

static bool visit(struct sl_visits *visits, struct sl_cluster *cluster, struct sl_pipe_ring *ring,
                  bool host_writes)
{
    const uint64_t *index = sl_ring_index(ring, host_writes ? SL_PIPE_READ : SL_PIPE_WRITE);
    uint64_t before = __atomic_load_n(index, __ATOMIC_RELAXED), start = sl_clock_ns();
    if (!sl_cluster_visit(cluster, index, start, start + LONGEST_NS))
        return false;
    uint64_t moved = __atomic_load_n(index, __ATOMIC_RELAXED) - before;
    judge(visits, cluster, moved, start);
    return moved != 0;
}

void sl_visits_consider(struct sl_visits *visits, struct sl_cluster *cluster,
                        struct sl_pipe_ring *ring, bool host_writes, uint64_t index)
{
    uint64_t packets = index - visits->index;
    visits->index = index;
    if (visits->on) {
        visits->due = index + batch(visits, ring);
        visit(visits, cluster, ring, host_writes);
        return;
    }
    uint64_t now = sl_clock_ns();
    bool paced = now >= visits->barred && now - visits->since < packets * PACE_NS;
    visits->since = now;
    visits->proofs = paced ? visits->proofs + 1 : 0;
    visits->on = visits->proofs >= PROOFS;
    visits->due = index + (visits->on ? 1 : WINDOW);
}

/* The kernel does not come although it is quick when it does: its thread sleeps or has no
 * processor. */
static void lose_patience(struct sl_visits *visits, const struct sl_cluster *cluster)
{
    bool quick = atomic_load_explicit(&cluster->quick, memory_order_relaxed) >= QUICK;
    if (visits->mode != SL_VISIT_AUTO || !quick)
        return;
    uint64_t now = sl_clock_ns();
    if (now < visits->barred || now < visits->calm)
        return;
    visits->on = true;
    visits->trial = WINDOW;
    visits->due = visits->index + 1;
}

bool sl_visits_missed(struct sl_visits *visits, struct sl_cluster *cluster,
                      struct sl_pipe_ring *ring, bool host_writes, uint32_t misses)
{
    if (!visits->on && misses % MISSES == MISSES - 1)
        lose_patience(visits, cluster);
    return visits->on && visit(visits, cluster, ring, host_writes);
}
