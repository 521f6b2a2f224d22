/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Kernels that pipes join are a group, which is judged by itself: by the operations
 * that can be followed (follow.h), with all else as good as it can be.
 */
#include "timing/deadlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/pass_messages.h"
#include "timing/deadlock_text.h"

struct member {
    uint32_t root, index;
};

struct search {
    const struct sl_network *network;
    struct sl_following following;
    uint32_t *parents;              /* owned; of kernels: the root stands for the group */
    struct member *kernels, *pipes; /* owned; by root */
    uint32_t pipe_count;            /* with kernels at both ends that are known */
    uint32_t *numbers;              /* owned; of kernels, and behind them pipes, in their groups */
    struct sl_deadlock_printer printer;
    bool *stuck; /* owned */
    bool copies; /* only groups with some */
};

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_closed(const struct search *s, uint32_t pipe)
{
    return s->following.ends[pipe][0] >= 0 && s->following.ends[pipe][1] >= 0;
}

/* The first kernel of the group. */
static uint32_t root_of(uint32_t *parents, uint32_t kernel)
{
    while (parents[kernel] != kernel)
        kernel = parents[kernel] = parents[parents[kernel]];
    return kernel;
}

static int compare(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void make_groups(struct search *s)
{
    const uint32_t kernels = s->network->kernel_count;
    for (uint32_t k = 0; k < kernels; k++)
        s->parents[k] = k;
    for (uint32_t i = 0; i < s->network->pipe_count; i++) {
        if (!is_closed(s, i))
            continue;
        uint32_t a = root_of(s->parents, (uint32_t)s->following.ends[i][0]);
        uint32_t b = root_of(s->parents, (uint32_t)s->following.ends[i][1]);
        s->parents[a > b ? a : b] = a > b ? b : a;
        s->pipes[s->pipe_count++].index = i;
    }
    for (uint32_t k = 0; k < kernels; k++)
        s->kernels[k] = (struct member){root_of(s->parents, k), k};
    for (uint32_t i = 0; i < s->pipe_count; i++)
        s->pipes[i].root = root_of(s->parents, (uint32_t)s->following.ends[s->pipes[i].index][0]);
    qsort(s->kernels, kernels, sizeof *s->kernels, compare);
    qsort(s->pipes, s->pipe_count, sizeof *s->pipes, compare);
}

/* ---- kernels as steps ------------------------------------------------------------------------ */

static bool is_operation(const struct sl_network_kernel *k, uint32_t item)
{
    return k->items[item].of.kind == SL_FLOW_OPERATION;
}

static uint32_t end_of(const struct sl_network_kernel *k, uint32_t loop)
{
    uint32_t depth = 0;
    do {
        depth += k->items[loop].of.kind == SL_FLOW_LOOP;
        depth -= k->items[loop].of.kind == SL_FLOW_END_OF_LOOP;
    } while (depth && ++loop < k->count);
    return loop;
}

/* Does the kernel use pipes behind the loop, or around it, which comes again? */
static bool leads_on(const struct sl_network_kernel *k, uint32_t loop)
{
    uint32_t depth = 0, from = loop, end = end_of(k, loop);
    for (uint32_t i = 0; i < loop; i++) {
        if (k->items[i].of.kind == SL_FLOW_LOOP && !depth++)
            from = i;
        else if (k->items[i].of.kind == SL_FLOW_END_OF_LOOP)
            depth--;
    }
    bool any = false;
    for (uint32_t i = depth ? from : end; i < k->count && !any; i++)
        any = (i < loop || i > end) && is_operation(k, i);
    return any;
}

static struct sl_flow_step step_of(const struct search *s, const struct sl_network_kernel *k,
                                   uint32_t i)
{
    const struct sl_network_item *item = &k->items[i];
    if (item->of.kind == SL_FLOW_END_OF_LOOP)
        return (struct sl_flow_step){.kind = SL_STEP_END};
    if (item->of.kind == SL_FLOW_OPERATION)
        return (struct sl_flow_step){.kind = item->of.end.write ? SL_STEP_WRITE : SL_STEP_READ,
                                     .pipe = s->numbers[s->network->kernel_count + item->pipe]};
    return (struct sl_flow_step){.kind = SL_STEP_LOOP,
                                 .trips = item->of.trips,
                                 .most = item->of.trips ? 0 : item->of.most,
                                 .endless = item->of.endless,
                                 .leads_on = !item->of.trips && leads_on(k, i)};
}

/* Without what nobody can follow or does not wait, and loops with nothing else in them. */
static int fill_kernel(const struct search *s, uint32_t kernel, struct sl_flow_kernel *flow,
                       uint32_t **items)
{
    const struct sl_network_kernel *k = &s->network->kernels[kernel];
    const enum sl_follow *follows = s->following.items[kernel];
    uint32_t count = 0;
    *items = calloc(k->count + (size_t)1, sizeof **items);
    flow->steps = calloc(k->count + (size_t)1, sizeof *flow->steps);
    flow->restarts = k->autorun;
    for (uint32_t i = 0; *items && flow->steps && i < k->count; i++) {
        if (follows[i] != SL_FOLLOW_REGULAR ||
            (is_operation(k, i) && !is_closed(s, k->items[i].pipe)))
            continue;
        (*items)[count] = i;
        flow->steps[count] = step_of(s, k, i);
        if (flow->steps[count].kind == SL_STEP_END && flow->steps[count - 1].kind == SL_STEP_LOOP)
            count--;
        else
            count++;
    }
    flow->step_count = count;
    return *items && flow->steps ? 0 : -1;
}

/* ---- a group --------------------------------------------------------------------------------- */

/* One packet goes on only if others do where they go round, whichever way: all else is a tree. */
static int check(struct search *s, const struct member *kernels, uint32_t kernel_count,
                 const struct member *pipes, uint32_t pipe_count)
{
    struct sl_deadlock_group g = {
        .network = s->network,
        .kernels = calloc(kernel_count + (size_t)1, sizeof *g.kernels),
        .items = calloc(kernel_count + (size_t)1, sizeof *g.items),
        .pipes = calloc(pipe_count + (size_t)1, sizeof *g.pipes),
    };
    struct sl_flow_kernel *flows = calloc(kernel_count + (size_t)1, sizeof *flows);
    struct sl_flow_pipe *rings = calloc(pipe_count + (size_t)1, sizeof *rings);
    int rc = g.kernels && g.items && g.pipes && flows && rings ? 0 : -1;
    for (uint32_t k = 0; k < kernel_count; k++)
        s->numbers[kernels[k].index] = k;
    for (uint32_t i = 0; !rc && i < pipe_count; i++) {
        const int32_t *ends = s->following.ends[pipes[i].index];
        g.pipes[i] = pipes[i].index;
        s->numbers[s->network->kernel_count + pipes[i].index] = i;
        rings[i] =
            (struct sl_flow_pipe){.depth = s->network->pipes[pipes[i].index].depth,
                                  .kernels = {[SL_STEP_READ] = (int32_t)s->numbers[ends[0]],
                                              [SL_STEP_WRITE] = (int32_t)s->numbers[ends[1]]}};
    }
    for (uint32_t k = 0; !rc && k < kernel_count; k++) {
        g.kernels[k] = kernels[k].index;
        rc = fill_kernel(s, kernels[k].index, &flows[k], &g.items[k]);
    }
    rc = rc ? rc : sl_flow_check(flows, kernel_count, rings, pipe_count, &g.result);
    if (!rc && g.result.count)
        sl_deadlock_print(&s->printer, &g);
    for (uint32_t k = 0; k < kernel_count && g.items && flows; k++) {
        s->stuck[kernels[k].index] = g.result.count > 0;
        free(g.items[k]);
        free(flows[k].steps);
    }
    free(g.result.cycle);
    free(g.kernels);
    free(g.items);
    free(g.pipes);
    free(flows);
    free(rings);
    return rc;
}

/* Names of copies have a number. */
static bool counts(const struct search *s, const struct member *kernels, uint32_t count)
{
    bool any = !s->copies;
    for (uint32_t k = 0; k < count && !any; k++)
        any = strchr(s->network->kernels[kernels[k].index].name, '.');
    return any;
}

static int check_groups(struct search *s)
{
    uint32_t pipe = 0;
    for (uint32_t from = 0, to; from < s->network->kernel_count; from = to) {
        const uint32_t root = s->kernels[from].root, first = pipe;
        to = from;
        while (to < s->network->kernel_count && s->kernels[to].root == root)
            to++;
        while (pipe < s->pipe_count && s->pipes[pipe].root == root)
            pipe++;
        if (pipe - first >= to - from && counts(s, &s->kernels[from], to - from) &&
            check(s, &s->kernels[from], to - from, &s->pipes[first], pipe - first))
            return -1;
    }
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int search(struct search *s)
{
    const size_t kernels = s->network->kernel_count + (size_t)1,
                 pipes = s->network->pipe_count + (size_t)1;
    if (sl_follow(&s->following, s->network))
        return -1;
    s->parents = calloc(kernels, sizeof *s->parents);
    s->kernels = calloc(kernels, sizeof *s->kernels);
    s->pipes = calloc(pipes, sizeof *s->pipes);
    s->numbers = calloc(kernels + pipes, sizeof *s->numbers);
    s->stuck = calloc(kernels, sizeof *s->stuck);
    if (!s->parents || !s->kernels || !s->pipes || !s->numbers || !s->stuck)
        return -1;
    make_groups(s);
    return check_groups(s);
}

void sl_deadlocks_find(struct sl_deadlocks *found, const struct sl_network *network, bool copies)
{
    struct search s = {.network = network, .copies = copies};
    *found = (struct sl_deadlocks){0};
    int rc = sl_deadlock_printer_begin(&s.printer);
    rc = rc || network->failed ? -1 : search(&s);
    sl_deadlock_printer_end(&s.printer, &found->warnings, &found->json);
    found->stuck = s.stuck;
    if (rc)
        sl_deadlocks_finish(found);
    sl_follow_finish(&s.following, network);
    free(s.parents);
    free(s.kernels);
    free(s.pipes);
    free(s.numbers);
}

void sl_deadlocks_finish(struct sl_deadlocks *found)
{
    free(found->warnings);
    free(found->json);
    free(found->stuck);
    *found = (struct sl_deadlocks){0};
}
