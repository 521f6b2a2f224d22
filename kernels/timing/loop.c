/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: from a loop's operations to numbers that can be scheduled. */
#include "timing/loop.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "timing/classify.h"

/* ---- latencies ------------------------------------------------------------------------------- */

static int32_t wait_of(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                       const struct sl_loop_edge *edge)
{
    int32_t latency = (int32_t)t->operations[edge->from].latency;
    switch (edge->kind) {
    case SL_EDGE_VALUE:
        if (sl_selects_sum(body->operations[edge->from], body->operations[edge->to]))
            latency -= (int32_t)t->operations[edge->to].latency;
        return latency;
    case SL_EDGE_CONTROL:
    case SL_EDGE_MEMORY:
        return latency;
    case SL_EDGE_ANTI: /* two stores keep their order; a store may follow a load at once */
        return LLVMIsAStoreInst(body->operations[edge->from]) ? 1 : 0;
    case SL_EDGE_ORDER:
        break;
    }
    return body->ends[edge->from].pipe || !latency ? 1 : latency;
}

static void set_latencies(struct sl_loop_timing *t, const struct sl_loop_body *body,
                          const struct sl_operator_table *table)
{
    for (uint32_t i = 0; i < body->operation_count; i++) {
        t->kinds[i] = sl_classify(body->operations[i]);
        t->operations[i] = (struct sl_loop_operation){
            sl_operator_latency(table, body->operations[i]), SL_NO_RESOURCE};
    }
    for (uint32_t e = 0; e < body->edge_count; e++)
        t->dependences[e] = (struct sl_loop_dependence){
            .from = body->edges[e].from,
            .to = body->edges[e].to,
            .latency = wait_of(t, body, &body->edges[e]),
            .distance = body->edges[e].distance,
        };
}

/* ---- ports of memories ----------------------------------------------------------------------- */

static uint32_t find_memory(struct sl_loop_timing *t, LLVMValueRef memory, uint32_t ports)
{
    uint32_t r = 0;
    while (r < t->graph.resource_count && t->memories[r] != memory)
        r++;
    if (r == t->graph.resource_count) {
        t->memories[r] = memory;
        t->ports[r] = ports;
        t->graph.resource_count++;
    }
    return r;
}

/* The sum of `own` numbers of blocks, on the way through an iteration that has most. `blocks`: room
 * for as many. */
static uint32_t most_on_a_way(const struct sl_loop_body *body, const uint32_t *own,
                              uint32_t *blocks)
{
    uint32_t most = 0;
    memset(blocks, 0, body->block_count * sizeof *blocks);
    for (uint32_t b = 0; b < body->block_count; b++) {
        for (uint32_t w = 0; w < body->way_count; w++) /* all ways lead forwards */
            if (body->ways[w][1] == b && body->ways[w][0] < b &&
                blocks[body->ways[w][0]] > blocks[b])
                blocks[b] = blocks[body->ways[w][0]];
        blocks[b] += own[b];
        most = blocks[b] > most ? blocks[b] : most;
    }
    return most;
}

/* Operations of an iteration that need it. */
static uint32_t most_uses(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                          uint32_t resource, uint32_t *blocks)
{
    uint32_t *own = blocks + body->block_count;
    memset(own, 0, body->block_count * sizeof *own);
    for (uint32_t i = 0; i < body->operation_count; i++)
        own[body->block_of[i]] += t->operations[i].resource == resource;
    return most_on_a_way(body, own, blocks);
}

uint32_t sl_moved_bytes(LLVMValueRef access)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
    return (uint32_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);
}

/* Of global memory an iteration needs its share; which cycle moves what is not asked. */
static void add_global_memory(struct sl_loop_timing *t, const struct sl_loop_body *body,
                              uint32_t bytes_per_cycle, uint32_t *blocks)
{
    uint32_t *own = blocks + body->block_count;
    memset(own, 0, body->block_count * sizeof *own);
    for (uint32_t i = 0; i < body->operation_count; i++)
        if (t->kinds[i] == SL_OPERATOR_GLOBAL_LOAD || t->kinds[i] == SL_OPERATOR_GLOBAL_STORE)
            own[body->block_of[i]] += sl_moved_bytes(body->operations[i]);
    t->global_bytes = t->lanes * most_on_a_way(body, own, blocks);
    if (!bytes_per_cycle || !t->global_bytes)
        return;
    uint32_t r = t->graph.resource_count++;
    t->memories[r] = NULL;
    t->ports[r] = bytes_per_cycle;
    t->uses[r] = t->global_bytes;
}

/* Where some accesses exclude each other the limit is known, but nothing is reserved. */
static void free_exclusive(struct sl_loop_timing *t, const struct sl_loop_body *body, uint32_t r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->operation_count; i++)
        count += t->operations[i].resource == r;
    if (count > t->uses[r])
        for (uint32_t i = 0; i < body->operation_count; i++)
            if (t->operations[i].resource == r)
                t->operations[i].resource = SL_NO_RESOURCE;
}

static int set_resources(struct sl_loop_timing *t, const struct sl_loop_body *body,
                         const struct sl_operator_table *table)
{
    uint32_t *blocks = calloc(2 * (size_t)body->block_count + 1, sizeof *blocks);
    if (!blocks)
        return -1;
    for (uint32_t i = 0; i < body->operation_count; i++) {
        bool local;
        LLVMValueRef memory = sl_memory_of(body->operations[i], &local);
        if (memory)
            t->operations[i].resource =
                find_memory(t, memory, local ? table->local_ports : table->private_ports);
    }
    for (uint32_t r = 0; r < t->graph.resource_count; r++)
        t->uses[r] = most_uses(t, body, r, blocks);
    for (uint32_t r = 0; r < t->graph.resource_count; r++)
        free_exclusive(t, body, r);
    add_global_memory(t, body, table->global_bytes, blocks);
    free(blocks);
    return 0;
}

/* ---- the schedule ---------------------------------------------------------------------------- */

static int prepare(struct sl_loop_timing *t, const struct sl_loop_body *body)
{
    size_t count = body->operation_count + (size_t)1;
    t->operations = calloc(count, sizeof *t->operations);
    t->dependences = calloc(body->edge_count + sl_latency_most_bounds(body) * (size_t)2 + 1,
                            sizeof *t->dependences);
    t->bounds = calloc(sl_latency_most_bounds(body) + (size_t)1, sizeof *t->bounds);
    t->kinds = calloc(count, sizeof *t->kinds);
    t->ports = calloc(count, sizeof *t->ports);
    t->uses = calloc(count, sizeof *t->uses);
    t->memories = calloc(count, sizeof(*t->memories));
    if (!t->operations || !t->dependences || !t->kinds || !t->ports || !t->uses || !t->memories ||
        !t->bounds)
        return -1;
    t->graph = (struct sl_loop_graph){
        .operations = t->operations,
        .dependences = t->dependences,
        .ports = t->ports,
        .uses = t->uses,
        .operation_count = body->operation_count,
        .dependence_count = body->edge_count,
    };
    return 0;
}

static void choose_limit(struct sl_loop_timing *t)
{
    const struct sl_loop_schedule *s = &t->schedule;
    t->limit = t->pragma                               ? "pragma"
               : t->interval == 1                      ? "none"
               : t->interval == s->recurrence_interval ? "recurrence"
               : t->interval == s->resource_interval   ? "resource"
                                                       : "order";
}

/* When it is known whether there is another iteration. */
static uint32_t cycle_of_exit(struct sl_loop_timing *t, const struct sl_loop_body *body)
{
    uint32_t latest = 0;
    for (uint32_t i = 0; i < body->exit_count; i++) {
        uint32_t exit = body->exits[i];
        uint32_t cycle = t->schedule.start[exit] + t->operations[exit].latency;
        if (cycle > latest) {
            latest = cycle;
            t->last_exit = exit;
        }
    }
    return latest;
}

/* With II of this at least. 0, or -1: there is none; 1: more iterations would begin before it is
 * known whether the loop has ended. */
static int try_schedule(struct sl_loop_timing *t, const struct sl_loop_body *body,
                        const struct sl_loop_wishes *wishes, uint32_t least)
{
    t->graph.least_interval = least;
    sl_modulo_finish(&t->schedule);
    if (sl_modulo_schedule(&t->graph, &t->schedule))
        return -1;
    uint64_t begun = ((uint64_t)wishes->speculated + 1) * t->schedule.interval;
    return wishes->speculates && !wishes->serial && cycle_of_exit(t, body) > begun;
}

/* The least II with which no more iterations are speculated than the source says. */
static int find_schedule(struct sl_loop_timing *t, const struct sl_loop_body *body,
                         const struct sl_loop_wishes *wishes)
{
    int rc = try_schedule(t, body, wishes, wishes->interval);
    if (rc <= 0)
        return rc;
    uint32_t none = t->schedule.interval; /* too small */
    uint32_t some = cycle_of_exit(t, body);
    t->pragma = "speculated_iterations";
    while (some - none > 1) {
        uint32_t middle = none + (some - none) / 2;
        rc = try_schedule(t, body, wishes, middle);
        if (rc < 0)
            return rc;
        if (rc)
            none = middle;
        else
            some = middle;
    }
    return try_schedule(t, body, wishes, some) < 0 ? -1 : 0;
}

static void apply_wishes(struct sl_loop_timing *t, const struct sl_loop_wishes *wishes)
{
    uint32_t depth = t->schedule.depth;
    t->interval = t->schedule.interval;
    if (wishes->interval && t->interval == wishes->interval &&
        t->schedule.recurrence_interval < t->interval &&
        t->schedule.resource_interval < t->interval)
        t->pragma = "ii";
    if (wishes->concurrency) {
        uint32_t least = (depth + wishes->concurrency - 1) / wishes->concurrency;
        if (least > t->interval) {
            t->interval = least;
            t->pragma = "max_concurrency";
        }
    }
    if (wishes->serial && depth > t->interval) {
        t->interval = depth;
        t->pragma = "disable_loop_pipelining";
    }
    t->speculated = wishes->serial ? 0 : wishes->speculated;
    choose_limit(t);
}

/* Who made the circuit knows better. What happens in an iteration keeps its order. */
static void apply_row(struct sl_loop_timing *t, const struct sl_loop_body *body,
                      const struct sl_operator_loop *row)
{
    if (!row || !body->innermost)
        return;
    t->interval = row->interval;
    t->schedule.depth = row->depth;
    t->limit = "table";
    t->pragma = NULL;
    for (uint32_t i = 0; i < body->operation_count; i++)
        if (t->schedule.start[i] >= row->depth)
            t->schedule.start[i] = row->depth - 1;
}

int sl_loop_time(struct sl_loop_timing *t, const struct sl_loop_body *body,
                 const struct sl_operator_table *table, const struct sl_loop_wishes *wishes,
                 FILE *broken)
{
    *t = (struct sl_loop_timing){.lanes = wishes->lanes ? wishes->lanes : 1};
    if (prepare(t, body))
        return -1;
    set_latencies(t, body, table);
    if (set_resources(t, body, table))
        return -1;
    if (sl_latency_bound(t, body, broken))
        return -1;
    if (find_schedule(t, body, wishes)) {
        sl_latency_no_place(t, body, broken);
        return -1;
    }
    if (!t->schedule.depth)
        t->schedule.depth = 1; /* an iteration takes a cycle, whatever is in it */
    apply_wishes(t, wishes);
    apply_row(t, body, sl_operators_loop(table, body->file, body->line));
    return 0;
}

void sl_loop_interleave(struct sl_loop_timing *t, const struct sl_loop_wishes *wishes)
{
    uint32_t least = t->schedule.resource_interval;
    t->interleaved = true;
    t->speculated = 0;
    if (!strcmp(t->limit, "table"))
        return;
    t->pragma = wishes->interval > least ? "ii" : NULL;
    t->interval = wishes->interval > least ? wishes->interval : least ? least : 1;
    const uint32_t most = wishes->concurrency; /* iterations under way, whosever they are */
    if (most && (t->schedule.depth + most - 1) / most > t->interval) {
        t->interval = (t->schedule.depth + most - 1) / most;
        t->pragma = "max_concurrency";
    }
    t->limit = t->pragma ? "pragma" : t->interval == 1 ? "none" : "resource";
}

void sl_loop_finish(struct sl_loop_timing *t)
{
    sl_modulo_finish(&t->schedule);
    free(t->operations);
    free(t->dependences);
    free(t->kinds);
    free(t->ports);
    free(t->uses);
    free(t->memories);
    free(t->bounds);
}
