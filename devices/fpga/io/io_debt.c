/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch that has written to I/O pipes ends when its packets have left them, or wait for a peer
 * to take them, so that what cannot be written is an error of the launch. end->lock guards the list
 * of those that wait at an end; a debt belongs to whoever settles the last of its entries.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "common/runtime/hosted.h"
#include "common/runtime/scheduler.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/stream/io_error.h"

struct sl_io_entry {
    struct sl_io_entry *next;
    struct sl_io_debt *debt;
    uint64_t target; /* of the ring's head */
};

struct sl_io_debt {
    struct sl_news news;
    struct sl_work *work;
    struct sl_work_queue *work_queue;
    struct sl_design *design; /* held */
    struct sl_cluster *cluster;
    atomic_uint left; /* entries, and one for the maker */
    atomic_int status;
    char why[256];
    uint32_t used;
    struct sl_io_entry entries[];
};

static uint64_t head_of(const struct sl_io_end *end)
{
    return __atomic_load_n(&end->info->ring->head, __ATOMIC_ACQUIRE);
}

static void explain(const struct sl_io_end *end, int error, char *why, size_t bytes)
{
    char text[96];
    snprintf(why, bytes, "packets of I/O pipe %s could not be %s %s: %s", end->info->name,
             end->input ? "read from" : "written to",
             end->binding ? end->binding->row : end->info->io,
             sl_io_error_text(error, text, sizeof text));
}

/* ---- the end of a launch --------------------------------------------------------------------- */

static void finish(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_io_debt *debt =
        (struct sl_io_debt *)((char *)news - offsetof(struct sl_io_debt, news));
    const struct sl_host_ops *host = cluster->machine->host;
    struct sl_design *design = debt->design;
    struct sl_work_queue *work_queue = debt->work_queue;
    int status = atomic_load_explicit(&debt->status, memory_order_acquire);
    if (status)
        host->failed(debt->work, debt->why);
    struct sl_work *work = debt->work;
    free(debt);
    host->finished(work, status);
    sl_work_queue_done(work_queue);
    sl_design_drop(design);
}

/* Not here: whoever waits for it may take down the end whose thread this is. */
static void drop_debt(struct sl_io_debt *debt)
{
    if (atomic_fetch_sub_explicit(&debt->left, 1, memory_order_acq_rel) == 1)
        sl_cluster_post(debt->cluster, &debt->news);
}

static void blame(struct sl_io_debt *debt, const struct sl_io_end *end, int error)
{
    int none = 0;
    char why[sizeof debt->why];
    explain(end, error, why, sizeof why);
    if (atomic_compare_exchange_strong_explicit(&debt->status, &none, SL_IO_FAILED,
                                                memory_order_acq_rel, memory_order_acquire))
        memcpy(debt->why, why, sizeof why);
}

/* What is sure already needs no entry. */
static void owe(struct sl_io_debt *debt, struct sl_io_end *end)
{
    uint64_t target = __atomic_load_n(&end->info->ring->tail, __ATOMIC_ACQUIRE);
    pthread_mutex_lock(&end->lock);
    if (end->failed && target != end->blamed) {
        end->blamed = target;
        blame(debt, end, end->failed);
    } else if (!end->failed && !end->unbound && !end->waiting && head_of(end) < target) {
        struct sl_io_entry *entry = &debt->entries[debt->used++];
        atomic_fetch_add_explicit(&debt->left, 1, memory_order_relaxed);
        *entry = (struct sl_io_entry){end->entries, debt, target};
        end->entries = entry;
    }
    pthread_mutex_unlock(&end->lock);
}

static bool is_output_of(const struct sl_design *design, uint32_t row, const struct sl_fiber *fiber)
{
    const struct sl_io_end *end = design->ends[row];
    return end && !end->input &&
           sl_ring_kernel(end->info->ring, SL_PIPE_WRITE) == fiber->kernel - design->info->kernels;
}

static uint32_t count_outputs(const struct sl_fiber *fiber)
{
    const struct sl_design *design = fiber->design;
    uint32_t count = 0;
    for (uint32_t i = 0; design && design->ends && i < design->info->pipe_count; i++)
        count += is_output_of(design, i, fiber);
    return count;
}

struct sl_io_debt *sl_io_debt_make(const struct sl_fiber *fiber)
{
    struct sl_design *design = fiber->design;
    uint32_t outputs = count_outputs(fiber);
    struct sl_io_debt *debt =
        outputs ? calloc(1, sizeof *debt + outputs * sizeof *debt->entries) : NULL;
    if (!debt)
        return NULL;
    debt->news.take = finish;
    debt->work = fiber->work;
    debt->work_queue = fiber->work_queue;
    debt->cluster = fiber->cluster;
    debt->design = design;
    sl_design_hold(design);
    atomic_init(&debt->left, 1);
    for (uint32_t i = 0; i < design->info->pipe_count; i++)
        if (is_output_of(design, i, fiber))
            owe(debt, design->ends[i]);
    return debt;
}

void sl_io_debt_leave(struct sl_io_debt *debt)
{
    struct sl_cluster *cluster = debt->cluster;
    if (atomic_fetch_sub_explicit(&debt->left, 1, memory_order_acq_rel) == 1)
        finish(cluster, &debt->news);
}

/* ---- on the thread of an end ----------------------------------------------------------------- */

enum settling { LEFT, ALL, FAILED };

static void settle_locked(struct sl_io_end *end, enum settling how)
{
    struct sl_io_entry **at = &end->entries, *entry;
    uint64_t head = head_of(end);
    while ((entry = *at)) {
        if (how == LEFT && entry->target > head) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        if (how == FAILED)
            blame(entry->debt, end, end->failed);
        if (how == FAILED && entry->target > end->blamed)
            end->blamed = entry->target;
        drop_debt(entry->debt);
    }
}

void sl_io_settle(struct sl_io_end *end)
{
    pthread_mutex_lock(&end->lock);
    end->waiting = false;
    settle_locked(end, LEFT);
    pthread_mutex_unlock(&end->lock);
}

void sl_io_let_be(struct sl_io_end *end)
{
    pthread_mutex_lock(&end->lock);
    end->waiting = true;
    settle_locked(end, ALL);
    pthread_mutex_unlock(&end->lock);
}

void sl_io_fail(struct sl_io_end *end, int error)
{
    pthread_mutex_lock(&end->lock);
    settle_locked(end, LEFT);
    end->failed = error ? error : EIO;
    end->blamed = head_of(end);
    settle_locked(end, FAILED);
    pthread_mutex_unlock(&end->lock);
}

/* ---- kernels that wait ----------------------------------------------------------------------- */

static struct sl_fiber *next_waiting(const struct sl_cluster *cluster, const struct sl_io_end *end)
{
    struct sl_fiber *at = cluster->fibers;
    while (at && !(at->work && at->ring == end->info->ring))
        at = at->next_fiber;
    return at;
}

/* Whoever is told may release the program: the end may be closed before and meanwhile. */
static void refuse(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_io_end *end = (struct sl_io_end *)((char *)news - offsetof(struct sl_io_end, news));
    const struct sl_host_ops *host = cluster->machine->host;
    struct sl_design *design = end->design;
    char why[256];
    pthread_mutex_lock(&end->lock);
    explain(end, end->failed, why, sizeof why);
    end->refused = false;
    end->blamed = __atomic_load_n(&end->info->ring->tail, __ATOMIC_ACQUIRE);
    pthread_mutex_unlock(&end->lock);
    for (struct sl_fiber *fiber; (fiber = next_waiting(cluster, end));) {
        host->failed(fiber->work, why);
        sl_cluster_discard(fiber, SL_IO_FAILED);
    }
    sl_io_end_drop(end);
    sl_design_drop(design); /* with which info and bindings may go */
}

static bool may_wait(const struct sl_io_end *end)
{
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t packets = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) - head_of(end);
    return end->input ? !packets && sl_cluster_launched(sl_pipe_cluster(end->pipe))
                      : packets >= ring->depth;
}

void sl_io_refuse_waiting(struct sl_io_end *end)
{
    if (!may_wait(end))
        return;
    pthread_mutex_lock(&end->lock);
    bool post = !end->refused && sl_design_hold_alive(end->design);
    end->refused |= post;
    pthread_mutex_unlock(&end->lock);
    if (!post)
        return;
    sl_io_end_hold(end);
    end->news.take = refuse;
    sl_cluster_post(sl_pipe_cluster(end->pipe), &end->news);
}
