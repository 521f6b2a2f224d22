/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a cluster is divided and joined. What is a part's is touched by its thread alone; fibers, and
 * the rings that only they reach, go from one to the other with a message. No lock.
 */
#include "fpga/cluster/cut_ring.h"
#include "fpga/cluster/parts_data.h"

#include "common/base/values.h"

/* ---- fibers ---------------------------------------------------------------------------------- */

static void detach(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    sl_cluster_withdraw(cluster, fiber);
    sl_cluster_remove(cluster, fiber);
    if (fiber->work)
        sl_cluster_count_launch(cluster, -1);
}

/* Where its design is being unloaded, the fiber ends. */
static void attach(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    bool leaving = atomic_load_explicit(&fiber->design->leaving, memory_order_relaxed);
    sl_cluster_enlist(cluster, fiber);
    if (fiber->work)
        sl_cluster_count_launch(cluster, 1);
    if (!fiber->ring)
        sl_cluster_ready(cluster, fiber);
    else if (sl_ring_is_outside(fiber->ring))
        sl_cluster_wait_outside(cluster, fiber);
    if (leaving && !fiber->work)
        sl_cluster_discard(fiber, SL_OUT_OF_RESOURCES);
}

/* Their list goes by next_fiber: `next` is the ring's where they are parked. */
static void pack(struct sl_parts_message *message, struct sl_cluster *cluster,
                 struct sl_fiber *fiber)
{
    struct sl_fiber **at = &message->fibers;
    while (*at)
        at = &(*at)->next_fiber;
    detach(cluster, fiber);
    fiber->next_fiber = NULL;
    *at = fiber;
}

static bool goes_along(const struct sl_parts_message *message, const struct sl_cluster *cluster,
                       const struct sl_fiber *fiber)
{
    const struct sl_parts *parts = message->parts;
    return cluster != parts->home ||
           parts->of[sl_parts_row(parts, fiber->kernel)] == message->number;
}

static void pack_list(struct sl_parts_message *message, struct sl_cluster *cluster,
                      struct sl_fiber *list)
{
    for (struct sl_fiber *at = list, *next; at; at = next) {
        next = at->next;
        if (goes_along(message, cluster, at))
            pack(message, cluster, at);
    }
}

/* Those that are ready and those that wait outside keep their order. */
static void pack_all(struct sl_parts_message *message, struct sl_cluster *cluster)
{
    message->fibers = NULL;
    pack_list(message, cluster, cluster->ready);
    pack_list(message, cluster, cluster->outside);
    for (struct sl_fiber *at = cluster->fibers, *next; at; at = next) {
        next = at->next_fiber;
        if (goes_along(message, cluster, at))
            pack(message, cluster, at);
    }
}

static void unpack(struct sl_parts_message *message, struct sl_cluster *cluster)
{
    for (struct sl_fiber *at = message->fibers, *next; at; at = next) {
        next = at->next_fiber;
        attach(cluster, at);
    }
    message->fibers = NULL;
}

static void post(struct sl_parts_message *message, struct sl_cluster *cluster,
                 void (*take)(struct sl_cluster *, struct sl_news *))
{
    message->news.take = take;
    sl_cluster_post(cluster, &message->news);
}

static struct sl_parts_message *message_of(struct sl_news *news)
{
    return (struct sl_parts_message *)((char *)news - offsetof(struct sl_parts_message, news));
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void cut(struct sl_parts *parts, struct sl_pipe_ring *ring)
{
    sl_cut_ring_begin(ring);
    for (unsigned op = 0; op < 2; op++) {
        struct sl_ring_parked *parked = sl_ring_parked(ring, op);
        for (struct sl_fiber *at = parked->first, *next; at; at = next) {
            next = at->next;
            sl_cluster_wait_outside(parts->home, at);
        }
        parked->first = parked->last = NULL;
    }
}

/* Of the component, and not the host's or a peripheral's. */
static bool is_inner(const struct sl_parts *parts, const struct sl_pipe_info *pipe)
{
    int32_t kernel = pipe->reader >= 0 ? pipe->reader : pipe->writer;
    return !(pipe->flags & SL_PIPE_FOREIGN) && kernel >= 0 &&
           parts->design->info->kernels[kernel].component == parts->component;
}

static uint32_t part_of(const struct sl_parts *parts, int32_t kernel, int32_t other)
{
    return parts->of[kernel >= 0 ? kernel : other];
}

static void place_ring(struct sl_parts *parts, const struct sl_pipe_info *pipe)
{
    uint32_t reader = part_of(parts, pipe->reader, pipe->writer);
    uint32_t writer = part_of(parts, pipe->writer, pipe->reader);
    if (reader != writer) {
        cut(parts, pipe->ring);
        sl_cut_ring_give(pipe->ring, SL_PIPE_READ, parts->part[reader].cluster);
    }
    sl_cut_ring_give(pipe->ring, SL_PIPE_WRITE, parts->part[writer].cluster);
}

/* The ends that were the part's are the home's. */
static void take_rings(struct sl_parts *parts, uint32_t number)
{
    const struct sl_module_info *info = parts->design->info;
    for (uint32_t i = 0; i < info->pipe_count; i++) {
        const struct sl_pipe_info *pipe = &info->pipes[i];
        if (!is_inner(parts, pipe))
            continue;
        if (part_of(parts, pipe->writer, pipe->reader) == number)
            sl_cut_ring_give(pipe->ring, SL_PIPE_WRITE, parts->home);
        if (part_of(parts, pipe->reader, pipe->writer) == number && sl_ring_is_cut(pipe->ring))
            sl_cut_ring_give(pipe->ring, SL_PIPE_READ, parts->home);
    }
}

/* ---- dividing -------------------------------------------------------------------------------- */

static void take_out(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_parts_message *message = message_of(news);
    struct sl_design *design = message->parts->design;
    cluster->load = (struct sl_load){.size = 1};
    unpack(message, cluster);
    sl_design_drop(design);
}

void sl_parts_divide(struct sl_parts *parts, uint32_t count)
{
    const struct sl_module_info *info = parts->design->info;
    for (uint32_t i = 0; i < info->pipe_count; i++)
        if (is_inner(parts, &info->pipes[i]))
            place_ring(parts, &info->pipes[i]);
    parts->count = count;
    parts->away = count - 1;
    parts->recalled = false;
    atomic_store_explicit(&parts->light, 0, memory_order_relaxed);
    for (uint32_t i = 1; i < count; i++) {
        parts->part[i].away = true;
        pack_all(&parts->part[i].out, parts->home);
        sl_design_hold(parts->design);
        post(&parts->part[i].out, parts->part[i].cluster, take_out);
    }
    parts->home->load = (struct sl_load){.size = 1};
}

/* ---- fibers that come later ------------------------------------------------------------------ */

static void take_fiber(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_fiber *fiber = (struct sl_fiber *)((char *)news - offsetof(struct sl_fiber, news));
    attach(cluster, fiber);
}

static void hold(struct sl_parts *parts, struct sl_fiber *fiber)
{
    struct sl_fiber **at = &parts->held;
    while (*at)
        at = &(*at)->next;
    sl_cluster_withdraw(parts->home, fiber);
    sl_cluster_remove(parts->home, fiber); /* it goes on counting as launched */
    fiber->next = NULL;
    *at = fiber;
}

void sl_parts_send_on(struct sl_parts *parts, struct sl_fiber *fiber)
{
    struct sl_part *part = &parts->part[parts->of[sl_parts_row(parts, fiber->kernel)]];
    if (parts->count == 1 || !part->away)
        return;
    if (parts->recalled) {
        hold(parts, fiber); /* sent, it would come back behind launches that came later */
        return;
    }
    detach(parts->home, fiber);
    fiber->news.take = take_fiber;
    sl_cluster_post(part->cluster, &fiber->news);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Operations that are possible: then who waits to read finds its ring empty, who waits to write
 * full, as it is where one thread has both ends. */
static void settle(struct sl_cluster *home)
{
    bool any = true;
    while (any) {
        any = false;
        for (struct sl_fiber *at = home->outside, *next; at; at = next) {
            next = at->next;
            if (!sl_ring_is_cut(at->ring) ||
                !sl_cut_ring_operate(at, at->ring, at->site->op, at->packet))
                continue;
            sl_cluster_withdraw(home, at);
            at->ring = NULL;
            sl_cluster_ready(home, at);
            any = true;
        }
    }
}

static void park_again(struct sl_cluster *home)
{
    for (struct sl_fiber *at = home->outside, *next; at; at = next) {
        next = at->next;
        if (!sl_ring_is_cut(at->ring))
            continue;
        struct sl_ring_parked *parked = sl_ring_parked(at->ring, at->site->op);
        sl_cluster_withdraw(home, at);
        at->next = NULL;
        if (!parked->first)
            parked->first = at;
        else
            (parked->first->next ? parked->last : parked->first)->next = at;
        parked->last = at;
    }
}

void sl_parts_hold(struct sl_parts *parts, struct sl_fiber *fiber)
{
    hold(parts, fiber);
    sl_parts_recall(parts);
}

static void let_go(struct sl_parts *parts, bool spared)
{
    struct sl_fiber **at = &parts->held, *fiber;
    while ((fiber = *at)) {
        if (fiber->spared != spared) {
            at = &fiber->next;
            continue;
        }
        *at = fiber->next;
        fiber->spared = false;
        if (fiber->work)
            sl_cluster_count_launch(parts->home, -1);
        attach(parts->home, fiber);
    }
}

bool sl_parts_await_whole(struct sl_parts *parts, struct sl_news *news)
{
    if (parts->count == 1)
        return true;
    for (struct sl_fiber *at = parts->held; at; at = at->next)
        at->spared = false; /* it came before this one, too */
    news->next = parts->later;
    parts->later = news;
    sl_parts_recall(parts);
    return false;
}

void sl_parts_spare(struct sl_parts *parts, struct sl_fiber *fiber)
{
    fiber->spared = true;
    hold(parts, fiber);
}

static void join(struct sl_parts *parts)
{
    const struct sl_module_info *info = parts->design->info;
    settle(parts->home);
    park_again(parts->home);
    for (uint32_t i = 0; i < info->pipe_count; i++)
        if (is_inner(parts, &info->pipes[i]) && sl_ring_is_cut(info->pipes[i].ring))
            sl_cut_ring_end(info->pipes[i].ring);
    parts->count = 1;
    take_rings(parts, 0);
    parts->home->load = (struct sl_load){.size = 1};
    let_go(parts, false);
    for (struct sl_news *news; (news = parts->later);) {
        parts->later = news->next;
        news->take(parts->home, news);
    }
    let_go(parts, true);
}

static void take_back(struct sl_cluster *home, struct sl_news *news)
{
    struct sl_parts_message *message = message_of(news);
    struct sl_parts *parts = message->parts;
    struct sl_design *design = parts->design;
    take_rings(parts, message->number);
    parts->part[message->number].away = false;
    unpack(message, home);
    if (!--parts->away)
        join(parts);
    sl_design_drop(design);
}

static void take_recall(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_parts *parts = message_of(news)->parts;
    struct sl_part *part = &parts->part[message_of(news)->number];
    pack_all(&part->back, cluster);
    post(&part->back, parts->home, take_back); /* the design stays held */
}

void sl_parts_recall(struct sl_parts *parts)
{
    if (parts->count == 1 || parts->recalled)
        return;
    parts->recalled = true;
    for (uint32_t i = 1; i < parts->count; i++) {
        sl_design_hold(parts->design);
        post(&parts->part[i].recall, parts->part[i].cluster, take_recall);
    }
}

static void take_wish(struct sl_cluster *home, struct sl_news *news)
{
    struct sl_parts *parts = message_of(news)->parts;
    struct sl_design *design = parts->design;
    (void)home;
    atomic_store_explicit(&parts->wished, false, memory_order_release);
    sl_parts_recall(parts);
    sl_design_drop(design);
}

void sl_parts_wish(struct sl_parts *parts)
{
    if (atomic_exchange_explicit(&parts->wished, true, memory_order_acq_rel))
        return;
    sl_design_hold(parts->design);
    post(&parts->wish, parts->home, take_wish);
}
