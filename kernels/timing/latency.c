/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Bounds of differences: "at least N" is a dependence of N cycles from the anchor,
 * "at most N" one of -N to it. They have a solution as long as no cycle of dependences within an
 * iteration is longer than 0, which is asked of each one before it is added; cycles through other
 * iterations only raise II.
 */
#include "timing/latency.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "timing/loop.h"

#define NO_WAY INT64_MIN
enum { MOST_CYCLES = 1 << 16 };

/* ---- texts ----------------------------------------------------------------------------------- */

static unsigned line_of(const struct sl_loop_body *body, uint32_t operation,
                        const struct sl_latency_control *c)
{
    return c->line ? c->line : LLVMGetDebugLocLine(body->operations[operation]);
}

static const char *file_of(const struct sl_loop_body *body, uint32_t operation,
                           const struct sl_latency_control *c)
{
    unsigned length;
    const char *file =
        *c->file ? c->file : LLVMGetDebugLocFilename(body->operations[operation], &length);
    return file ? file : "";
}

/* "write to b" */
static void print_operation(const struct sl_loop_body *body, uint32_t operation, FILE *out)
{
    const struct sl_pipe_end *end = &body->ends[operation];
    bool named = LLVMIsAGlobalVariable(end->pipe) || LLVMIsAArgument(end->pipe);
    fputs(end->write ? "write to " : "read of ", out);
    if (named)
        sl_pipe_end_name(end, out);
    else
        fputs("a pipe", out);
}

/* "a.cl:7:9: error: latency_constraint(1, max, 3) of the write to b cannot hold: " */
static void begin_complaint(const struct sl_loop_body *body, uint32_t operation,
                            const struct sl_latency_control *c, FILE *out)
{
    if (line_of(body, operation, c))
        fprintf(out, "%s:%u:%u: ", file_of(body, operation, c), line_of(body, operation, c),
                c->line ? c->column : LLVMGetDebugLocColumn(body->operations[operation]));
    fprintf(out, "error: latency_constraint(%d, %s, %d) of the ", c->from, sl_latency_word(c->type),
            c->cycles);
    print_operation(body, operation, out);
    fputs(" cannot hold: ", out);
}

/* "anchor 1, the read of a at line 6" */
static void print_anchor(const struct sl_loop_body *body, uint32_t anchor, FILE *out)
{
    struct sl_latency_control c;
    if (!sl_latency_of(body->operations[anchor], &c))
        return;
    fprintf(out, "anchor %d, the ", c.anchor);
    print_operation(body, anchor, out);
    if (line_of(body, anchor, &c))
        fprintf(out, " at line %u", line_of(body, anchor, &c));
}

static const char *cycles_word(int64_t cycles)
{
    return cycles == 1 || cycles == -1 ? "cycle" : "cycles";
}

/* "it is at least 5 cycles behind anchor ..." */
static void print_achieved(const struct sl_loop_body *body, const struct sl_latency_bound *b,
                           const char *bound, int64_t cycles, FILE *out)
{
    begin_complaint(body, b->operation, &b->control, out);
    fprintf(out, "it is %s%lld %s behind ", bound, (long long)cycles, cycles_word(cycles));
    print_anchor(body, b->anchor, out);
    putc('\n', out);
}

/* ---- which two ------------------------------------------------------------------------------- */

static bool is_anchor(const struct sl_loop_body *body, uint32_t operation, int32_t number)
{
    struct sl_latency_control c;
    return body->ends[operation].pipe && sl_latency_of(body->operations[operation], &c) &&
           c.has_anchor && c.anchor == number;
}

static bool has_constraint(const struct sl_loop_body *body, uint32_t operation,
                           struct sl_latency_control *c)
{
    return body->ends[operation].pipe && sl_latency_of(body->operations[operation], c) &&
           c->has_constraint && c->type != SL_LATENCY_NONE;
}

uint32_t sl_latency_most_bounds(const struct sl_loop_body *body)
{
    struct sl_latency_control c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->operation_count; i++)
        count += has_constraint(body, i, &c);
    return count;
}

/* Copies of the same place: the loop was unrolled, or a function called more than once. */
static uint32_t count_like(const struct sl_loop_body *body, uint32_t end,
                           const struct sl_latency_control *like)
{
    struct sl_latency_control c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += has_constraint(body, i, &c) && c.from == like->from && c.line == like->line &&
                 c.column == like->column && c.type == like->type && c.cycles == like->cycles;
    return count;
}

/* Does a way lead from one block to the other? `blocks`: room for as many. */
static bool reaches(const struct sl_loop_body *body, uint32_t from, uint32_t to, int64_t *blocks)
{
    for (uint32_t b = 0; b < body->block_count; b++)
        blocks[b] = b == from;
    for (uint32_t b = from; b < to; b++)
        for (uint32_t w = 0; w < body->way_count; w++)
            if (body->ways[w][0] == b && body->ways[w][1] > b)
                blocks[body->ways[w][1]] |= blocks[b];
    return blocks[to];
}

/* Copies that are in branches of their own exclude each other. */
static bool may_both_happen(const struct sl_loop_body *body, uint32_t a, uint32_t b,
                            int64_t *blocks)
{
    uint32_t x = body->block_of[a], y = body->block_of[b];
    return x == y || reaches(body, x < y ? x : y, x < y ? y : x, blocks);
}

/* As many anchors as copies of the operation belong together one by one, else it is the last one
 * in front of the operation, or the first, if both may happen. False: there is none. */
static bool find_anchor(const struct sl_loop_body *body, uint32_t operation,
                        const struct sl_latency_control *c, int64_t *scratch, uint32_t *out)
{
    uint32_t anchors = 0, number = count_like(body, operation, c);
    uint32_t before = UINT32_MAX, first = UINT32_MAX, same = UINT32_MAX, any = UINT32_MAX;
    for (uint32_t i = 0; i < body->operation_count; i++) {
        if (!is_anchor(body, i, c->from))
            continue;
        any = any == UINT32_MAX ? i : any;
        same = anchors == number ? i : same;
        anchors++;
        if (!may_both_happen(body, i, operation, scratch))
            continue;
        first = first == UINT32_MAX ? i : first;
        before = i < operation ? i : before;
    }
    bool paired = anchors == count_like(body, body->operation_count, c);
    *out = paired ? same : before != UINT32_MAX ? before : first != UINT32_MAX ? first : any;
    return anchors > 0;
}

/* ---- between them ---------------------------------------------------------------------------- */

/* The longest way within an iteration. */
static int64_t longest_way(const struct sl_loop_timing *t, uint32_t from, uint32_t to,
                           int64_t *ways)
{
    bool changed = true;
    for (uint32_t i = 0; i < t->graph.operation_count; i++)
        ways[i] = NO_WAY;
    ways[from] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < t->graph.dependence_count; i++) {
            const struct sl_loop_dependence *d = &t->dependences[i];
            if (d->distance || ways[d->from] == NO_WAY || ways[d->from] + d->latency <= ways[d->to])
                continue;
            ways[d->to] = ways[d->from] + d->latency;
            changed = true;
        }
    }
    return ways[to];
}

/* Does a loop lie on a way from one block to the other? */
static bool loop_between(const struct sl_loop_body *body, uint32_t from, uint32_t to,
                         int64_t *blocks)
{
    enum { REACHED = 1, PASSED = 2 };
    for (uint32_t b = 0; b < body->block_count; b++)
        blocks[b] = b == from ? REACHED : 0;
    for (uint32_t b = from; b < body->block_count; b++)
        for (uint32_t w = 0; w < body->way_count; w++)
            if (body->ways[w][0] == b && body->ways[w][1] > b)
                blocks[body->ways[w][1]] |=
                    blocks[b] | (blocks[b] && body->passes_loop[w] ? PASSED : 0);
    return blocks[to] & PASSED;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void depend(struct sl_loop_timing *t, uint32_t from, uint32_t to, int32_t latency)
{
    t->dependences[t->graph.dependence_count++] =
        (struct sl_loop_dependence){.from = from, .to = to, .latency = latency};
}

/* Does it hold beside the bounds there are? */
static bool check_bound(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                        const struct sl_latency_bound *b, int64_t *scratch, FILE *broken)
{
    uint32_t from = body->block_of[b->anchor], to = body->block_of[b->operation];
    if (loop_between(body, from, to, scratch) || loop_between(body, to, from, scratch)) {
        begin_complaint(body, b->operation, &b->control, broken);
        fputs("a loop lies between it and ", broken);
        print_anchor(body, b->anchor, broken);
        putc('\n', broken);
        return false;
    }
    int64_t least = longest_way(t, b->anchor, b->operation, scratch);
    int64_t back = longest_way(t, b->operation, b->anchor, scratch);
    int64_t cycles = b->control.cycles;
    if (cycles > MOST_CYCLES || cycles < -MOST_CYCLES) {
        begin_complaint(body, b->operation, &b->control, broken);
        fprintf(broken, "more than %d cycles\n", MOST_CYCLES);
        return false;
    }
    if (b->control.type != SL_LATENCY_MIN && least != NO_WAY && least > cycles)
        print_achieved(body, b, "at least ", least, broken);
    else if (b->control.type != SL_LATENCY_MAX && back != NO_WAY && -back < cycles)
        print_achieved(body, b, "at most ", -back, broken);
    else
        return true;
    return false;
}

static void add_bound(struct sl_loop_timing *t, const struct sl_latency_bound *b)
{
    t->bounds[t->bound_count++] = *b;
    if (b->control.type != SL_LATENCY_MAX)
        depend(t, b->anchor, b->operation, b->control.cycles);
    if (b->control.type != SL_LATENCY_MIN)
        depend(t, b->operation, b->anchor, -b->control.cycles);
}

static void complain_of_place(const struct sl_loop_body *body, const struct sl_latency_bound *b,
                              FILE *broken)
{
    struct sl_latency_control anchor;
    if (!sl_latency_find(body->operations[b->operation], b->control.from, &anchor))
        return; /* the build has said so */
    begin_complaint(body, b->operation, &b->control, broken);
    fprintf(broken, "anchor %d, the %s %s", anchor.anchor, anchor.writes ? "write to" : "read of",
            anchor.pipe);
    if (anchor.line)
        fprintf(broken, " at line %u", anchor.line);
    fputs(", is not in the same iteration\n", broken);
}

int sl_latency_bound(struct sl_loop_timing *t, const struct sl_loop_body *body, FILE *broken)
{
    struct sl_latency_bound b;
    size_t most = (size_t)body->operation_count + body->block_count;
    int64_t *scratch = calloc(most + 1, sizeof *scratch);
    if (!scratch)
        return -1;
    for (uint32_t i = 0; i < body->operation_count; i++) {
        b.operation = i;
        if (!has_constraint(body, i, &b.control))
            continue;
        if (!find_anchor(body, i, &b.control, scratch, &b.anchor))
            complain_of_place(body, &b, broken);
        else if (check_bound(t, body, &b, scratch, broken))
            add_bound(t, &b);
    }
    free(scratch);
    return 0;
}

void sl_latency_no_place(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                         FILE *broken)
{
    if (!t->bound_count)
        return;
    const struct sl_latency_bound *b = &t->bounds[t->bound_count - 1];
    begin_complaint(body, b->operation, &b->control, broken);
    fputs("ports of arrays leave no cycle for it behind ", broken);
    print_anchor(body, b->anchor, broken);
    putc('\n', broken);
}

/* ---- outside of pipelined loops -------------------------------------------------------------- */

static bool is_apart(const struct sl_loop_body *body, uint32_t a, uint32_t b, int64_t *blocks)
{
    uint32_t from = body->block_of[a], to = body->block_of[b];
    return from != to &&
           (loop_between(body, from, to, blocks) || loop_between(body, to, from, blocks));
}

uint32_t *sl_latency_stretches(const struct sl_loop_body *body)
{
    uint32_t *stretch = calloc(body->operation_count + (size_t)1, sizeof *stretch), count = 0;
    int64_t *blocks = calloc(body->block_count + (size_t)1, sizeof *blocks);
    for (uint32_t i = 0; stretch && blocks && i < body->operation_count; i++) {
        if (!body->ends[i].pipe)
            continue;
        uint32_t near = i;
        while (near-- > 0 && !stretch[i])
            if (stretch[near] && !is_apart(body, near, i, blocks))
                stretch[i] = stretch[near];
        stretch[i] = stretch[i] ? stretch[i] : ++count;
    }
    if (!blocks) {
        free(stretch);
        return NULL;
    }
    free(blocks);
    return stretch;
}
