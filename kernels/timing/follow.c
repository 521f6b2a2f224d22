/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. An operation that nobody can follow is taken to wait for nothing, and so is who
 * is at the other end of its pipe: all else that the kernel does stays as certain as it was.
 */
#include "timing/follow.h"

#include <stdlib.h>
#include <string.h>

#include "timing/classify.h"

struct walk {
    const struct sl_network_kernel *kernel;
    int32_t (*ends)[2];               /* as far as they are known; NULL: not yet */
    bool regular[SL_NETWORK_DEEPEST]; /* loops around, from the outermost one */
    bool open[SL_NETWORK_DEEPEST];    /* of unknown length */
    uint32_t depth;
    bool behind;
};

/* ---- items ----------------------------------------------------------------------------------- */

static enum sl_follow in_loops(const struct walk *w)
{
    if (w->behind)
        return SL_FOLLOW_BEHIND;
    if (w->depth > SL_NETWORK_DEEPEST)
        return SL_FOLLOW_UNKNOWN;
    return !w->depth || w->regular[w->depth - 1] ? SL_FOLLOW_REGULAR : SL_FOLLOW_UNKNOWN;
}

/* Is anything in the loop that could wait? Without that it is taken to end. */
static bool may_wait(const struct walk *w, uint32_t loop)
{
    const struct sl_network_item *items = w->kernel->items;
    uint32_t depth = 0;
    do {
        const int32_t *ends = w->ends ? w->ends[items[loop].pipe] : NULL;
        if (items[loop].of.kind == SL_FLOW_LOOP)
            depth++;
        else if (items[loop].of.kind == SL_FLOW_END_OF_LOOP)
            depth--;
        else if (!ends || (ends[0] != SL_NETWORK_UNKNOWN && ends[1] != SL_NETWORK_UNKNOWN))
            return true;
    } while (depth && ++loop < w->kernel->count);
    return false;
}

static enum sl_follow enter(struct walk *w, uint32_t number)
{
    const struct sl_flow_item *loop = &w->kernel->items[number].of;
    enum sl_follow around = in_loops(w);
    bool regular = around == SL_FOLLOW_REGULAR && w->depth < SL_NETWORK_DEEPEST &&
                   (loop->always || (!loop->trips && loop->guarded));
    if (w->depth < SL_NETWORK_DEEPEST) {
        w->regular[w->depth] = regular;
        w->open[w->depth] = regular && !loop->trips && may_wait(w, number);
    }
    w->depth++;
    return w->behind ? SL_FOLLOW_BEHIND : regular ? SL_FOLLOW_REGULAR : SL_FOLLOW_UNKNOWN;
}

/* A loop that goes on as long as it likes is never left, as far as anybody knows. */
static enum sl_follow leave(struct walk *w)
{
    w->depth--;
    bool known = w->depth < SL_NETWORK_DEEPEST;
    bool regular = known && w->regular[w->depth];
    enum sl_follow was = w->behind ? SL_FOLLOW_BEHIND
                         : regular ? SL_FOLLOW_REGULAR
                                   : SL_FOLLOW_UNKNOWN;
    w->behind |= known && w->open[w->depth];
    return was;
}

static enum sl_follow follow(const struct walk *w, const struct sl_flow_item *operation)
{
    bool regular = operation->always && sl_waits(operation->call, operation->end.pipe) &&
                   operation->end.offset != SL_ANY_ELEMENT;
    return w->behind || regular ? in_loops(w) : SL_FOLLOW_UNKNOWN;
}

static int follow_items(struct sl_following *f, const struct sl_network *p, uint32_t kernel)
{
    const struct sl_network_kernel *k = &p->kernels[kernel];
    struct walk w = {.kernel = k, .ends = f->ends};
    if (!f->items[kernel])
        f->items[kernel] = calloc(k->count + (size_t)1, sizeof **f->items);
    enum sl_follow *items = f->items[kernel];
    for (uint32_t i = 0; items && i < k->count && !k->asks_item; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        items[i] = item->kind == SL_FLOW_LOOP          ? enter(&w, i)
                   : item->kind == SL_FLOW_END_OF_LOOP ? leave(&w)
                                                       : follow(&w, item);
    }
    return items ? 0 : -1;
}

/* ---- who is at which end --------------------------------------------------------------------- */

static bool may_be(const struct sl_pipe_end *end, const struct sl_pipe_end *pipe)
{
    return end->pipe == pipe->pipe &&
           (end->offset == pipe->offset || end->offset == SL_ANY_ELEMENT);
}

static void take_end(int32_t *at, uint32_t kernel, enum sl_follow how)
{
    bool its = *at == SL_NETWORK_NOBODY || *at == (int32_t)kernel;
    *at = its && how != SL_FOLLOW_UNKNOWN ? (int32_t)kernel : SL_NETWORK_UNKNOWN;
}

static void join(const struct sl_network *p, uint32_t kernel, const enum sl_follow *follows,
                 int32_t (*ends)[2])
{
    const struct sl_network_kernel *k = &p->kernels[kernel];
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        if (item->kind != SL_FLOW_OPERATION)
            continue;
        bool any = item->end.offset == SL_ANY_ELEMENT;
        for (uint32_t e = any ? 0 : k->items[i].pipe; e < p->pipe_count; e++) {
            if (may_be(&item->end, &p->pipes[e].end))
                take_end(&ends[e][item->end.write], kernel, follows[i]);
            if (!any)
                break;
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What is behind loops that turn out not to wait is looked at, which may open more pipes. */
int sl_follow(struct sl_following *f, const struct sl_network *p)
{
    enum { MOST_LOOKS = 16 };
    const size_t bytes = p->pipe_count * sizeof *f->ends;
    *f = (struct sl_following){.items = calloc(p->kernel_count + (size_t)1, sizeof *f->items)};
    bool again = true;
    for (uint32_t look = 0; f->items && again && look < MOST_LOOKS; look++) {
        for (uint32_t k = 0; k < p->kernel_count; k++)
            if (follow_items(f, p, k))
                return -1;
        int32_t (*ends)[2] = sl_network_no_ends(p);
        for (uint32_t k = 0; ends && k < p->kernel_count; k++)
            join(p, k, f->items[k], ends);
        again = ends && (!f->ends || memcmp(ends, f->ends, bytes) != 0);
        free(f->ends);
        f->ends = ends;
        if (!ends)
            return -1;
    }
    return f->items ? 0 : -1;
}

void sl_follow_finish(struct sl_following *f, const struct sl_network *p)
{
    for (uint32_t k = 0; f->items && k < p->kernel_count; k++)
        free(f->items[k]);
    free(f->items);
    free(f->ends);
}
