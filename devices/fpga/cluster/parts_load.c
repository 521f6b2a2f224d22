/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a cluster is divided: what its kernels take when their turns are long, and whether parts
 * have more to do than to pass packets. No lock: of the home's thread, but for what each part notes
 * of itself.
 */
#include <stdlib.h>
#include <time.h>

#include "fpga/cluster/machine.h"
#include "fpga/cluster/partition.h"
#include "fpga/cluster/parts_data.h"
#include "fpga/cluster/ring_state.h"
#include "sluice/base/wait.h"

enum {
    MOST_SWITCHES = 4096, /* in one go */
    QUICK_NS = 25000,     /* for as many as are allowed: more may be */
    SLOW_NS = 200000,     /* fewer */
    LONG_NS = 5000,       /* turns between two switches, when it is worth to measure them */
    LONG_FOR_NS = 3000000,
    SHORT_NS = 3000, /* turns that are not, when that was for nothing */
    FEW_TURNS = 64,
    MEASURE_NS = 10000000,
    MEASURE_MOST_NS = 100000000,
    MEASURE_TURNS = 4, /* of each fiber */
    PACKET_NS = 100,   /* what one between parts costs, at worst */
    APART_NS = 1000,   /* work for each of those, for the cluster to be divided */
    LIGHT_NS = 250,    /* of a part, for it to be joined again */
    LOOK_PACKETS = 4096,
    PART_SWITCHES = 64, /* as above, for parts, which have others to listen to */
    PART_QUICK_NS = 5000,
    PART_SLOW_NS = 20000,
    SWING_PACKETS = 40,
    SWING_TURNS = 3,
    SWING_PARTS = 3,
};
static const uint64_t rest_least_ns = 50000000, rest_most_ns = 200000000;

static uint64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool is_whole(const struct sl_cluster *cluster)
{
    return cluster == cluster->parts->home && cluster->parts->count == 1;
}

static enum sl_parts_mode mode_of(const struct sl_cluster *cluster)
{
    return cluster->machine->parts;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static uint64_t progress_of(const struct sl_parts *parts, uint32_t pipe)
{
    return sl_ring_progress(parts->design->info->pipes[pipe].ring);
}

static void begin(struct sl_parts *parts)
{
    const struct sl_module_info *info = parts->design->info;
    for (struct sl_fiber *at = parts->home->fibers; at; at = at->next_fiber)
        parts->load[sl_parts_row(parts, at->kernel)] = 1;
    for (uint32_t i = 0; i < info->pipe_count; i++)
        if (sl_parts_has(parts, &info->pipes[i]))
            parts->progress[i] = progress_of(parts, i);
    parts->measures = true;
    parts->turns = 0;
    parts->measured = parts->heavy = 0;
    parts->home->load.size = 1;
}

static void rest(struct sl_parts *parts, uint64_t now)
{
    uint64_t ns = parts->rest < rest_least_ns ? rest_least_ns : parts->rest;
    parts->next_look = now + ns;
    parts->rest = 2 * ns < rest_most_ns ? 2 * ns : rest_most_ns;
    parts->measures = false;
}

static void note_turn(struct sl_parts *parts, const struct sl_kernel_info *kernel, uint64_t now)
{
    struct sl_cluster *home = parts->home;
    uint64_t took = thread_ns() - home->load.cpu;
    parts->load[sl_parts_row(parts, kernel)] += took;
    parts->measured += took;
    parts->turns++;
    if (parts->turns >= FEW_TURNS && parts->measured < (uint64_t)SHORT_NS * parts->turns)
        rest(parts, now);
    else if (parts->measured >= MEASURE_MOST_NS ||
             (parts->measured >= MEASURE_NS && parts->turns >= MEASURE_TURNS * home->fiber_count))
        home->load.due = true;
}

static void note_turns(struct sl_parts *parts, uint64_t now)
{
    struct sl_load *load = &parts->home->load;
    uint64_t took = now - load->since, turns = load->given - parts->home->budget + 1;
    bool more = took < QUICK_NS && load->size < MOST_SWITCHES;
    parts->heavy = took >= LONG_NS * turns ? parts->heavy + took : 0;
    if (more)
        load->size *= 4;
    else if (took > SLOW_NS)
        load->size = load->size * (uint64_t)SLOW_NS < took
                         ? 1
                         : (uint32_t)(load->size * (uint64_t)SLOW_NS / took);
    if (parts->heavy >= LONG_FOR_NS && now >= parts->next_look)
        begin(parts);
}

static void swing(struct sl_cluster *cluster)
{
    cluster->load.size = SWING_TURNS;
    if (is_whole(cluster))
        cluster->load.due = true;
    else if (cluster->load.crossed >= SWING_PACKETS)
        sl_parts_wish(cluster->parts);
}

/* ---- of a part ------------------------------------------------------------------------------- */

static uint32_t number_of(const struct sl_cluster *cluster)
{
    uint32_t i = 0;
    while (cluster->parts->part[i].cluster != cluster)
        i++;
    return i;
}

/* All of them do little but pass packets: one thread does that better. */
static void judge(struct sl_cluster *cluster)
{
    struct sl_parts *parts = cluster->parts;
    struct sl_load *load = &cluster->load;
    uint32_t bit = 1u << number_of(cluster);
    uint32_t all = (uint32_t)((UINT64_C(1) << parts->count) - 1);
    bool light = load->busy < LIGHT_NS * load->crossed;
    uint32_t before =
        light ? atomic_fetch_or_explicit(&parts->light, bit, memory_order_relaxed) | bit
              : atomic_fetch_and_explicit(&parts->light, ~bit, memory_order_relaxed) & ~bit;
    load->busy = load->crossed = 0;
    if (before == all)
        sl_parts_wish(parts);
}

static void note_part(struct sl_cluster *cluster, uint64_t now)
{
    struct sl_load *load = &cluster->load;
    uint64_t took = now - load->since;
    load->busy += took;
    if (took < PART_QUICK_NS && load->size < PART_SWITCHES)
        load->size *= 2;
    else if (took > PART_SLOW_NS && load->size > 1)
        load->size /= 2;
    if (load->crossed >= LOOK_PACKETS)
        judge(cluster);
}

void sl_parts_go(struct sl_cluster *cluster)
{
    struct sl_parts *parts = cluster->parts;
    cluster->load.given = cluster->budget;
    bool alone = cluster->fiber_count < 2 && is_whole(cluster);
    cluster->load.since = alone || mode_of(cluster) != SL_PARTS_AUTO ? 0 : sl_clock_ns();
    if (is_whole(cluster) && parts->measures)
        cluster->load.cpu = thread_ns();
}

void sl_parts_went(struct sl_cluster *cluster, const struct sl_kernel_info *kernel)
{
    struct sl_parts *parts = cluster->parts;
    if (mode_of(cluster) == SL_PARTS_SWING)
        swing(cluster);
    if (!cluster->load.since)
        return;
    uint64_t now = sl_clock_ns();
    if (!is_whole(cluster))
        note_part(cluster, now);
    else if (parts->measures)
        note_turn(parts, kernel, now);
    else
        note_turns(parts, now);
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* The kernels of the component as a graph. */
struct plan {
    struct sl_parts *parts;
    uint32_t *node; /* by row of a kernel */
    uint64_t *load; /* by node */
    struct sl_partition_edge *edges;
    struct sl_partition graph;
    uint64_t total;
};

static bool make_room(struct plan *plan)
{
    const struct sl_module_info *info = plan->parts->design->info;
    plan->node = calloc(info->kernel_count, sizeof *plan->node);
    plan->load = calloc(info->kernel_count, sizeof *plan->load);
    plan->edges = calloc(info->pipe_count + 1, sizeof *plan->edges);
    plan->graph.part = calloc(info->kernel_count, sizeof *plan->graph.part);
    return plan->node && plan->load && plan->edges && plan->graph.part;
}

static void draw(struct plan *plan, bool even)
{
    struct sl_parts *parts = plan->parts;
    const struct sl_module_info *info = parts->design->info;
    struct sl_partition *graph = &plan->graph;
    for (uint32_t i = 0; i < info->kernel_count; i++) {
        if (info->kernels[i].component != parts->component)
            continue;
        plan->node[i] = graph->count++;
        plan->load[plan->node[i]] = even;
    }
    for (struct sl_fiber *at = even ? NULL : parts->home->fibers; at; at = at->next_fiber) {
        uint32_t row = sl_parts_row(parts, at->kernel);
        plan->load[plan->node[row]] = parts->load[row];
    }
    for (uint32_t i = 0; i < info->pipe_count; i++) {
        const struct sl_pipe_info *pipe = &info->pipes[i];
        if (!sl_parts_has(parts, pipe))
            continue;
        plan->edges[graph->edge_count++] =
            (struct sl_partition_edge){plan->node[pipe->writer], plan->node[pipe->reader],
                                       even ? 0 : (progress_of(parts, i) - parts->progress[i]) / 2};
    }
    for (uint32_t i = 0; i < graph->count; i++)
        plan->total += plan->load[i];
    graph->load = plan->load;
    graph->edges = plan->edges;
    graph->packet_load = even ? 0 : PACKET_NS;
}

/* The fewest parts of those that gain about the most; 1: it is not worth it. */
static uint32_t choose(struct plan *plan, uint32_t most)
{
    uint32_t best = 1;
    uint64_t least = plan->total - plan->total / 4;
    for (uint32_t count = 2; count <= most; count++) {
        uint32_t used = sl_partition(&plan->graph, count);
        if (used < 2 || plan->graph.most >= least || plan->total < APART_NS * plan->graph.crossing)
            continue;
        best = used;
        least = plan->graph.most - plan->graph.most / 20;
    }
    return best;
}

static uint32_t most_parts(const struct sl_parts *parts)
{
    const struct sl_machine *machine = parts->home->machine;
    uint32_t most = machine->parts == SL_PARTS_SWING ? SWING_PARTS : machine->units;
    if (machine->parts == SL_PARTS_ALWAYS && most < 2)
        most = 2;
    return most < SL_MOST_PARTS ? most : SL_MOST_PARTS;
}

static uint32_t find(struct plan *plan)
{
    struct sl_parts *parts = plan->parts;
    bool even = parts->home->machine->parts != SL_PARTS_AUTO;
    uint32_t most = most_parts(parts);
    if (!make_room(plan))
        return 1;
    draw(plan, even);
    uint32_t count = even ? most : choose(plan, most);
    return count < 2 ? 1 : sl_partition(&plan->graph, count);
}

static void tell(const struct sl_parts *parts, uint32_t kernels, uint32_t count)
{
    const struct sl_machine *machine = parts->home->machine;
    if (machine->parts != SL_PARTS_SWING)
        machine->host->log(SL_LOG_INFO, machine->topic,
                           "%u kernels joined by pipes run on %u threads", kernels, count);
}

/* Launches of one kernel, which share its ends of pipes. */
static bool any_together(const struct sl_parts *parts)
{
    bool any = false;
    for (uint32_t i = 0; i < parts->design->info->kernel_count && !any; i++)
        any = atomic_load_explicit(&parts->live[i], memory_order_relaxed) > 1;
    return any;
}

void sl_parts_act(struct sl_cluster *cluster)
{
    struct sl_parts *parts = cluster->parts;
    struct plan plan = {.parts = parts};
    struct sl_design *design = parts->design;
    cluster->load.due = false;
    if (!is_whole(cluster))
        return;
    sl_design_hold(design); /* all of its fibers may be sent away, and end */
    uint32_t count = any_together(parts) ? 1 : find(&plan);
    if (count > 1 && sl_parts_make(parts, count) >= count) {
        for (uint32_t i = 0; i < parts->design->info->kernel_count; i++)
            if (parts->design->info->kernels[i].component == parts->component)
                parts->of[i] = plan.graph.part[plan.node[i]];
        parts->measures = false;
        parts->rest = 0;
        tell(parts, plan.graph.count, count);
        sl_parts_divide(parts, count);
    } else {
        rest(parts, sl_clock_ns());
    }
    free(plan.node);
    free(plan.load);
    free(plan.edges);
    free(plan.graph.part);
    sl_design_drop(design);
}

void sl_parts_began(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    struct sl_parts *parts = cluster->parts;
    bool even = mode_of(cluster) != SL_PARTS_AUTO;
    uint32_t row = sl_parts_row(parts, fiber->kernel);
    bool again = atomic_fetch_add_explicit(&parts->live[row], 1, memory_order_relaxed);
    if (parts->later && parts->count > 1) {
        sl_parts_spare(parts, fiber);
        return;
    }
    if (again && parts->count > 1) {
        sl_parts_hold(parts, fiber);
        return;
    }
    if (even && is_whole(cluster))
        cluster->load.due = true;
    uint64_t *load = &parts->load[row];
    if (!even && !*load && !is_whole(cluster)) {
        *load = 1;
        sl_parts_recall(parts); /* where it belongs is found out when all have been measured */
    }
    sl_parts_send_on(parts, fiber);
}

void sl_parts_ended(struct sl_cluster *cluster, const struct sl_fiber *fiber)
{
    struct sl_parts *parts = cluster->parts;
    atomic_fetch_sub_explicit(&parts->live[sl_parts_row(parts, fiber->kernel)], 1,
                              memory_order_relaxed);
}
