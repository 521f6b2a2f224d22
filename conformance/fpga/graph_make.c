/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes random designs. A round is a list of transfers in one global order; a process does its
 * parts of them in that order, so with enough room a round always works. Reads may come later than
 * their writes, loops through several processes exist, and some designs are then damaged: with
 * little room, or for ever, those deadlock.
 */
#include "graph.h"

struct random {
    uint64_t state;
};

static uint32_t below(struct random *random, uint32_t limit)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random->state;
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    return (uint32_t)((x >> 33) % limit);
}

static int chance(struct random *random, uint32_t percent)
{
    return below(random, 100) < percent;
}

struct part {
    uint32_t process, at; /* place in the global order */
    struct graph_op op;
};

static void make_links(struct graph *graph, struct random *random)
{
    static const uint32_t depths[] = {0, 1, 1, 2, 3, 4, 5, 8, 17, 64};
    for (uint32_t i = 0; i < graph->link_count; i++) {
        struct graph_link *link = &graph->links[i];
        *link = (struct graph_link){.type = below(random, 8),
                                    .depth = depths[below(random, LEN(depths))]};
        link->via = chance(random, 60) ? VIA_CHANNEL : chance(random, 50) ? VIA_PIPE : VIA_ARGUMENT;
        if (!is_sluice()) /* others have neither blocking nor program-scope pipes */
            link->via = VIA_CHANNEL;
        if (link->via == VIA_CHANNEL && chance(random, 20))
            link->element = 1 + below(random, 4);
    }
}

static struct graph_op make_op(struct random *random, uint32_t link)
{
    struct graph_op op = {.link = link, .times = 1, .every = 1};
    if (chance(random, 35))
        op.times = below(random, 7);
    if (chance(random, 25)) {
        op.every = 2 + below(random, 3);
        op.phase = below(random, op.every);
    }
    return op;
}

/* Who writes and who reads each link stays the same for all transfers through it. */
static uint32_t make_parts(struct graph *graph, struct random *random, struct part *parts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->link_count; i++) {
        uint32_t writer = below(random, graph->process_count);
        uint32_t reader = writer;
        if (graph->process_count > 1 && chance(random, 94))
            reader = (writer + 1 + below(random, graph->process_count - 1)) % graph->process_count;
        if (reader == writer && chance(random, 90))
            graph->links[i].depth = 64; /* else nearly all of these deadlock */
        for (uint32_t turn = 0, turns = chance(random, 25) ? 2 : 1; turn < turns; turn++) {
            struct graph_op op = make_op(random, i);
            uint32_t at = 2 * below(random, 100);
            parts[count] = (struct part){reader, at + 1, op};
            if (chance(random, 15))
                parts[count].at += 2 * below(random, 60);
            op.write = 1;
            parts[count + 1] = (struct part){writer, at, op};
            count += 2;
        }
    }
    /* equal places: the order of making; transfers of one link must not overtake each other */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            struct part *a = &parts[i], *b = &parts[j];
            if (b->op.write == a->op.write && b->op.link == a->op.link && b->at < a->at) {
                uint32_t swap = a->at;
                a->at = b->at;
                b->at = swap;
            }
        }
    return count;
}

static void sort_parts(struct part *parts, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct part part = parts[i];
        uint32_t j = i;
        for (; j && parts[j - 1].at > part.at; j--)
            parts[j] = parts[j - 1];
        parts[j] = part;
    }
}

static void give_parts(struct graph *graph, const struct part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct graph_process *process = &graph->processes[parts[i].process];
        if (process->op_count < MOST_OPS)
            process->ops[process->op_count++] = parts[i].op;
    }
}

static void make_processes(struct graph *graph, struct random *random)
{
    uint32_t total = 1 + below(random, 24);
    for (uint32_t i = 0; i < graph->process_count; i++) {
        struct graph_process *process = &graph->processes[i];
        *process = (struct graph_process){.rounds = total, .items = 1, .local = 1};
        process->seed = below(random, 1u << 30);
        uint32_t items = 1u << below(random, 4);
        if (total % items == 0 && items > 1 && chance(random, 40) && is_sluice()) {
            process->items = items;
            process->local = 1u << below(random, 2);
            process->rounds = total / items;
        }
    }
}

/* ---- autorun --------------------------------------------------------------------------------- */

/* Its endless rounds must come to rest: one unconditional operation whose other end is elsewhere.
 */
static int may_autorun(const struct graph *graph, uint32_t which)
{
    const struct graph_process *process = &graph->processes[which];
    int rests = 0;
    for (uint32_t i = 0; i < process->op_count; i++) {
        const struct graph_op *op = &process->ops[i];
        int own_ends = 0;
        if (graph->links[op->link].via == VIA_ARGUMENT)
            return 0;
        for (uint32_t j = 0; j < process->op_count; j++)
            own_ends |= process->ops[j].link == op->link ? 1 << process->ops[j].write : 0;
        rests |= own_ends != 3 && op->every == 1 && op->times > 0;
    }
    return rests && process->items == 1;
}

static void make_autorun(struct graph *graph, struct random *random)
{
    uint32_t which = below(random, graph->process_count);
    if (chance(random, 35) && may_autorun(graph, which))
        graph->processes[which].autorun = 1;
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void damage(struct graph *graph, struct random *random)
{
    struct graph_process *process = &graph->processes[below(random, graph->process_count)];
    if (!process->op_count || process->autorun)
        return;
    uint32_t which = below(random, process->op_count);
    switch (below(random, 4)) {
    case 0:
        process->ops[which] = process->ops[--process->op_count];
        break;
    case 1:
        if (process->ops[which].times)
            process->ops[which].times += 1 + below(random, 3);
        break;
    case 2:
        process->rounds += 1 + below(random, 3);
        break;
    default:
        process->ops[which].every++;
        break;
    }
}

/* Autorun kernels have no end: one that polls would never come to rest. */
static int used_by_autorun(const struct graph *graph, uint32_t link)
{
    for (uint32_t i = 0; i < graph->process_count; i++)
        for (uint32_t k = 0; k < graph->processes[i].op_count; k++)
            if (graph->processes[i].autorun && graph->processes[i].ops[k].link == link)
                return 1;
    return 0;
}

/* A design that never deadlocks keeps its meaning when ends poll. */
static void make_pollers(struct graph *graph, struct random *random)
{
    struct graph_result result;
    graph_interpret(graph, DEPTHS_STRICT, &result);
    if (graph_blocks(&result))
        return;
    for (uint32_t i = 0; i < graph->link_count; i++) {
        if (used_by_autorun(graph, i))
            continue;
        graph->links[i].polling_write = chance(random, 20);
        graph->links[i].polling_read = chance(random, 20);
    }
}

void graph_make(struct graph *graph, uint64_t seed)
{
    struct random random = {seed * 0x9e3779b97f4a7c15u + 0x1234567};
    struct part parts[MOST_LINKS * 4];
    *graph = (struct graph){.process_count = 1 + below(&random, MOST_PROCESSES - 1),
                            .link_count = 1 + below(&random, MOST_LINKS - 3)};
    make_links(graph, &random);
    make_processes(graph, &random);
    uint32_t count = make_parts(graph, &random, parts);
    sort_parts(parts, count);
    give_parts(graph, parts, count);
    make_autorun(graph, &random);
    if (chance(&random, 15))
        damage(graph, &random);
    make_pollers(graph, &random);
}
