/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a random design in plain C: processes in turn, each until it has to wait. One thread. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 256 };

uint32_t state_next(uint32_t state)
{
    return state * 1664525u + 1013904223u;
}

uint32_t state_mix(uint32_t state, uint32_t value)
{
    return (state ^ value) * 2654435761u + 40503u;
}

uint32_t state_value(uint32_t state)
{
    return state ^ state >> 15;
}

uint32_t state_times(uint32_t state)
{
    return (state >> 20) % 5;
}

uint32_t state_first(uint32_t seed, uint32_t item)
{
    return seed + item * 7919u;
}

struct queue {
    uint32_t depth, head, count, slots[MOST_DEPTH];
};

/* Where a process stands: work-item, round, operation, packets of it that are through. */
struct process {
    const struct graph_process *plan;
    uint32_t item, round, end, op, times, through, state;
    int inside, counted, done;
};

struct machine {
    const struct graph *graph;
    struct queue queues[MOST_LINKS];
    struct process processes[MOST_PROCESSES];
    struct graph_result *result;
};

static uint32_t depth_of(const struct graph_link *link, enum graph_depths depths)
{
    uint32_t least = depths == DEPTHS_STRICT || link->via == VIA_ARGUMENT ? 1 : 256;
    if (depths == DEPTHS_IGNORED)
        return link->depth > 256 ? link->depth : 256;
    return link->depth ? link->depth : least;
}

static int put(struct queue *queue, uint32_t value)
{
    if (queue->count == queue->depth)
        return 0;
    queue->slots[(queue->head + queue->count++) % MOST_DEPTH] = value;
    return 1;
}

static int get(struct queue *queue, uint32_t *value)
{
    if (!queue->count)
        return 0;
    *value = queue->slots[queue->head++ % MOST_DEPTH];
    queue->count--;
    return 1;
}

static uint32_t low_bits(uint32_t value, uint32_t type)
{
    uint32_t bits = packet_bits(type);
    return bits == 32 ? value : value & ((1u << bits) - 1);
}

/* ---- one operation --------------------------------------------------------------------------- */

static struct queue *queue_of(struct machine *machine, const struct process *process,
                              const struct graph_op *op)
{
    uint32_t turn = op->pick == PICK_ROUND ? process->round : process->through;
    return &machine->queues[op->link + turn % op->span];
}

/* The number of packets goes ahead of them. */
static int transfer_count(struct machine *machine, struct process *process,
                          const struct graph_op *op)
{
    uint32_t next = state_next(process->state);
    struct queue *queue = queue_of(machine, process, op);
    if (op->write && put(queue, state_times(next))) {
        process->state = next;
        process->times = state_times(next);
    } else if (op->write || !get(queue, &process->times)) {
        return 0;
    }
    process->counted = 1;
    return 1;
}

static int transfer_bounds(struct machine *machine, struct process *process,
                           const struct graph_op *op)
{
    uint32_t rounds, type = machine->graph->links[op->link].type;
    struct queue *queue = queue_of(machine, process, op);
    if (op->write)
        return put(queue, low_bits(op->bounds, type));
    if (!get(queue, &rounds))
        return 0;
    process->end = process->round + rounds;
    return 1;
}

static int transfer_packet(struct machine *machine, struct process *process,
                           const struct graph_op *op)
{
    uint32_t next = state_next(process->state), value, type = machine->graph->links[op->link].type;
    struct queue *queue = queue_of(machine, process, op);
    if (op->bounds)
        return transfer_bounds(machine, process, op);
    if (op->write) {
        if (!put(queue, low_bits(state_value(next), type)))
            return 0;
        process->state = next;
    } else {
        if (!get(queue, &value))
            return 0;
        if (!op->discard)
            process->state = state_mix(process->state, value);
    }
    return 1;
}

/* False when the operation has to wait. */
static int run_op(struct machine *machine, struct process *process, const struct graph_op *op)
{
    if (!process->inside) {
        if (process->round % op->every != op->phase || process->round < op->from)
            return 1;
        process->inside = 1;
        process->counted = op->times > 0;
        process->times = op->times;
        process->through = 0;
    }
    if (!process->counted && !transfer_count(machine, process, op))
        return 0;
    for (; process->through < process->times; process->through++)
        if (!transfer_packet(machine, process, op))
            return 0;
    process->inside = 0;
    return 1;
}

/* ---- one process ----------------------------------------------------------------------------- */

static void start_item(struct process *process, uint32_t item)
{
    const struct graph_process *plan = process->plan;
    process->item = item;
    process->op = 0;
    process->round = item * plan->rounds;
    process->end = process->round + plan->rounds;
    process->state = state_first(plan->seed, item + plan->unit);
}

static uint32_t first_op(const struct graph_process *plan, enum graph_section section)
{
    uint32_t op = 0;
    while (op < plan->op_count && plan->ops[op].section < section)
        op++;
    return op;
}

static void end_item(struct machine *machine, struct process *process)
{
    const struct graph_process *plan = process->plan;
    size_t which = (size_t)(process - machine->processes);
    machine->result->state[which][process->item] = process->state;
    if (plan->runs == RUNS_AND_AGAIN)
        start_item(process, 0);
    else if (process->item + 1 < plan->items)
        start_item(process, process->item + 1);
    else
        process->done = 1;
}

static int has_rounds_left(const struct process *process)
{
    return process->plan->runs == RUNS_FOR_EVER || process->round < process->end;
}

/* To the operation that is next: from the end of a round to the next one's first, or past all
 * rounds. True: there is one, in this work-item. */
static int at_operation(struct process *process)
{
    const struct graph_process *plan = process->plan;
    uint32_t rounds = first_op(plan, SECTION_ROUNDS), behind = first_op(plan, SECTION_BEHIND);
    if (process->op == behind && rounds < behind && has_rounds_left(process)) {
        process->round++;
        if (has_rounds_left(process))
            process->op = rounds;
    } else if (process->op == rounds && !process->inside && !has_rounds_left(process)) {
        process->op = behind;
    }
    return process->op < plan->op_count;
}

/* Whether it moved at all. */
static int run_process(struct machine *machine, struct process *process)
{
    int moved = 0;
    while (!process->done) {
        if (!at_operation(process)) {
            end_item(machine, process);
            moved = 1;
            continue;
        }
        const struct process before = *process;
        if (!run_op(machine, process, &process->plan->ops[process->op]))
            return moved | (memcmp(&before, process, sizeof before) != 0);
        process->op++;
        moved = 1;
    }
    return moved;
}

void graph_interpret(const struct graph *graph, enum graph_depths depths, struct graph_result *to)
{
    struct machine *machine = calloc(1, sizeof *machine);
    REQUIRE(machine);
    memset(to, 0, sizeof *to);
    machine->graph = graph;
    machine->result = to;
    for (uint32_t i = 0; i < graph->link_count; i++)
        machine->queues[i].depth = depth_of(&graph->links[i], depths);
    for (uint32_t i = 0; i < graph->process_count; i++) {
        machine->processes[i].plan = &graph->processes[i];
        start_item(&machine->processes[i], 0);
    }
    for (int moved = 1; moved;) {
        moved = 0;
        for (uint32_t i = 0; i < graph->process_count; i++)
            moved |= run_process(machine, &machine->processes[i]);
    }
    for (uint32_t i = 0; i < graph->process_count; i++)
        to->blocked[i] = !machine->processes[i].done && graph->processes[i].runs == RUNS_LAUNCHED;
    free(machine);
}

int graph_blocks(const struct graph_result *result)
{
    for (int i = 0; i < MOST_PROCESSES; i++)
        if (result->blocked[i])
            return 1;
    return 0;
}
