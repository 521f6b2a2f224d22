/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A kernel is followed if all its operations wait and happen once in each iteration
 * of loops that run a constant number of times, or as long as they like behind everything else. All
 * others are taken to be at their ends of pipes whenever somebody waits for them.
 */
#include "timing/deadlock.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/pass_messages.h"
#include "timing/flow.h"
#include "timing/network.h"

struct kernel {
    const struct sl_network_kernel *of;
    const struct sl_network_item **items; /* owned; but for loops without operations */
    uint32_t count;
};

struct program {
    struct sl_network network;
    struct kernel *kernels; /* owned; those that are followed */
    uint32_t kernel_count;
};

/* ---- what kernels do ------------------------------------------------------------------------- */

/* Behind a loop without end nothing happens, as far as anybody knows. */
static bool ends_with_endless(const struct kernel *k)
{
    uint32_t depth = 0, endless = 0; /* endless: how deep the outermost of them is, from 1 */
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i]->of;
        if (item->kind == SL_FLOW_LOOP) {
            depth++;
            if (endless == UINT32_MAX || (endless && !item->trips))
                return false; /* a second one, or one inside of another */
            endless = !endless && !item->trips ? depth : endless;
            if (endless == depth && depth > 1)
                return false;
        } else if (item->kind == SL_FLOW_END_OF_LOOP) {
            if (depth-- == endless)
                endless = UINT32_MAX; /* over */
        } else if (endless == UINT32_MAX) {
            return false;
        }
    }
    return true;
}

static int take_items(struct kernel *k)
{
    k->items = calloc(k->of->count + (size_t)1, sizeof(*k->items));
    for (uint32_t i = 0; k->items && i < k->of->count; i++) {
        const struct sl_network_item *item = &k->of->items[i];
        if (item->of.kind == SL_FLOW_END_OF_LOOP && k->items[k->count - 1]->of.kind == SL_FLOW_LOOP)
            k->count--; /* nothing of interest was in it */
        else
            k->items[k->count++] = item;
    }
    return k->items ? 0 : -1;
}

/* Items are on their way one behind the other, which nobody has looked at. */
static int read_kernels(struct program *p, bool *follows)
{
    for (uint32_t i = 0; i < p->network.kernel_count; i++) {
        struct kernel *k = &p->kernels[p->kernel_count];
        *k = (struct kernel){.of = &p->network.kernels[i]};
        if (!k->of->regular || k->of->asks_item)
            continue;
        if (take_items(k))
            return -1;
        follows[i] = ends_with_endless(k);
        if (follows[i])
            p->kernel_count++;
        else
            free(k->items);
    }
    return 0;
}

/* ---- the warning ----------------------------------------------------------------------------- */

static void print_wait(const struct program *p, const struct sl_flow_wait *wait, FILE *out)
{
    const struct kernel *k = &p->kernels[wait->kernel];
    const struct sl_network_item *item = k->items[wait->step];
    bool write = item->of.end.write;
    fprintf(out, "'%s' %s %s (%s) at line %u", k->of->name, write ? "writes" : "reads",
            p->network.pipes[item->pipe].name, write ? "full" : "empty", item->line);
    if (wait->rounds)
        fprintf(out, " in round %llu", (unsigned long long)wait->rounds);
}

static bool is_certain(const struct sl_flow_result *result)
{
    bool certain = true;
    for (uint32_t i = 0; i < result->count; i++)
        certain &= !result->cycle[i].rounds;
    return certain;
}

static void print_warning(const struct program *p, const struct sl_flow_result *result, FILE *out)
{
    const struct kernel *first = &p->kernels[result->cycle[0].kernel];
    LLVMValueRef at = first->items[result->cycle[0].step]->of.call;
    fprintf(out, "%s: warning: ", sl_source_place_of(at).text);
    fputs(result->count > 1 ? "kernels wait for each other for ever"
                            : "a kernel waits for itself for ever",
          out);
    fputs(is_certain(result) ? ": " : " if loops go on so long: ", out);
    for (uint32_t i = 0; i < result->count; i++) {
        fputs(i ? ", " : "", out);
        print_wait(p, &result->cycle[i], out);
    }
    if (result->full != UINT32_MAX) {
        fputs("; ", out);
        if (!result->enough)
            fputs("no depth is enough for ", out);
        fputs(p->network.pipes[result->full].name, out);
        if (result->enough)
            fprintf(out, " needs depth(%u)", result->enough);
        else
            fputs(": the rates of the pipes do not match", out);
    }
    fputs("\n", out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct sl_flow_step step_of(const struct sl_network_item *item)
{
    switch (item->of.kind) {
    case SL_FLOW_LOOP:
        return (struct sl_flow_step){
            .kind = SL_STEP_LOOP, .trips = item->of.trips, .endless = item->of.endless};
    case SL_FLOW_END_OF_LOOP:
        return (struct sl_flow_step){.kind = SL_STEP_END};
    case SL_FLOW_OPERATION:
    case SL_FLOW_MEETING: /* no network has such items */
        break;
    }
    return (struct sl_flow_step){.kind = item->of.end.write ? SL_STEP_WRITE : SL_STEP_READ,
                                 .pipe = item->pipe};
}

static int fill_kernel(const struct kernel *k, struct sl_flow_kernel *row)
{
    row->steps = calloc(k->count + (size_t)1, sizeof *row->steps);
    row->step_count = k->count;
    row->restarts = k->of->autorun;
    for (uint32_t i = 0; row->steps && i < k->count; i++)
        row->steps[i] = step_of(k->items[i]);
    return row->steps ? 0 : -1;
}

static void fill_pipes(const struct sl_network *network, int32_t (*ends)[2],
                       struct sl_flow_pipe *pipes)
{
    for (uint32_t i = 0; i < network->pipe_count; i++) {
        pipes[i].depth = network->pipes[i].depth + !network->pipes[i].depth;
        for (int write = 0; write < 2; write++)
            pipes[i].free[write ? SL_STEP_WRITE : SL_STEP_READ] =
                ends[i][write] == SL_NETWORK_UNKNOWN;
    }
}

static char *check(const struct program *p, int32_t (*ends)[2])
{
    struct sl_flow_kernel *kernels = calloc(p->kernel_count + (size_t)1, sizeof *kernels);
    struct sl_flow_pipe *pipes = calloc(p->network.pipe_count + (size_t)1, sizeof *pipes);
    struct sl_flow_result result = {0};
    char *text = NULL;
    size_t bytes;
    bool fine = kernels && pipes && ends;
    if (fine)
        fill_pipes(&p->network, ends, pipes);
    for (uint32_t k = 0; fine && k < p->kernel_count; k++)
        fine = !fill_kernel(&p->kernels[k], &kernels[k]);
    fine = fine && !sl_flow_check(kernels, p->kernel_count, pipes, p->network.pipe_count, &result);
    FILE *out = fine && result.count ? open_memstream(&text, &bytes) : NULL;
    if (out) {
        print_warning(p, &result, out);
        fclose(out);
    }
    for (uint32_t k = 0; kernels && k < p->kernel_count; k++)
        free(kernels[k].steps);
    free(result.cycle);
    free(kernels);
    free(pipes);
    return text;
}

char *sl_deadlock_warning(LLVMModuleRef module)
{
    struct program p = {0};
    char *text = NULL;
    sl_network_read(&p.network, module);
    p.kernels = calloc(p.network.kernel_count + (size_t)1, sizeof *p.kernels);
    bool *follows = calloc(p.network.kernel_count + (size_t)1, sizeof *follows);
    if (p.kernels && follows && !p.network.failed && !read_kernels(&p, follows)) {
        int32_t (*ends)[2] = sl_network_ends(&p.network, follows);
        text = check(&p, ends);
        free(ends);
    }
    for (uint32_t k = 0; k < p.kernel_count; k++)
        free(p.kernels[k].items);
    free(p.kernels);
    free(follows);
    sl_network_finish(&p.network);
    return text;
}
