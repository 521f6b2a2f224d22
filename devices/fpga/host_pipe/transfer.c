/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers of the host as work: done at once, or left to the cluster, which completes them when a
 * kernel has moved. pipe->lock guards those that wait.
 */
#include "common/base/values.h"
#include "fpga/base/barrier.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe_data.h"
#include "fpga/stream/shm_ring.h"
#include "sluice/base/wait.h"

/* How long a transfer that has to wait is tried again before it is left to the cluster. */
static const uint64_t patience_ns = 3000;

static void append_locked(struct sl_pipe *pipe, struct sl_work *work)
{
    work->next = NULL;
    if (pipe->pending)
        pipe->pending_tail->next = work;
    else
        pipe->pending = work;
    pipe->pending_tail = work;
    atomic_fetch_add_explicit(&pipe->pending_count, 1, memory_order_release);
}

struct sl_work *sl_pipe_complete_locked(struct sl_pipe *pipe)
{
    struct sl_work *done = NULL, **tail = &done, *work;
    while ((work = pipe->pending) && !sl_pipe_move(pipe, work->u.pipe.write, work->u.pipe.packet)) {
        pipe->pending = work->next;
        atomic_fetch_sub_explicit(&pipe->pending_count, 1, memory_order_release);
        *tail = work;
        tail = &work->next;
    }
    *tail = NULL;
    if (!pipe->pending)
        __atomic_store_n(&pipe->ring->attention, 0, __ATOMIC_RELAXED);
    return done;
}

void sl_pipe_end_works(struct sl_machine *machine, struct sl_work *work, int status)
{
    while (work) {
        struct sl_work *next = work->next; /* gone once finished */
        machine->host->finished(work, status);
        work = next;
    }
}

/* News: a transfer began to wait where no barrier could be had. The transfer may be over, and the
 * pipe destroyed, but for its memory. */
static void serve_news(struct sl_cluster *cluster, struct sl_news *news)
{
    struct sl_pipe *pipe = (struct sl_pipe *)((char *)news - offsetof(struct sl_pipe, news));
    (void)cluster;
    atomic_store_explicit(&pipe->told, false, memory_order_release);
    pthread_mutex_lock(&pipe->lock);
    struct sl_work *done = pipe->pending ? sl_pipe_complete_locked(pipe) : NULL;
    pthread_mutex_unlock(&pipe->lock);
    sl_pipe_end_works(pipe->machine, done, 0);
    sl_pipe_let_go(pipe);
}

bool sl_pipe_is_served_by(const struct sl_news *news)
{
    return news->take == serve_news;
}

static void wait_for_kernel_locked(struct sl_pipe *pipe, struct sl_work *work)
{
    append_locked(pipe, work);
    __atomic_store_n(&pipe->ring->attention, 1, __ATOMIC_SEQ_CST);
    sl_machine_may_stall(pipe->machine);
    if (!sl_barrier() && !atomic_exchange_explicit(&pipe->told, true, memory_order_acq_rel)) {
        atomic_fetch_add_explicit(&pipe->holds, 1, memory_order_relaxed);
        pipe->news.take = serve_news;
        sl_cluster_post(pipe->cluster, &pipe->news);
    }
}

/* The kernel may be about to move: a moment's patience is cheaper than a hand-over. */
static bool moves_soon(struct sl_pipe *pipe, const struct sl_work *work)
{
    int state = atomic_load_explicit(&pipe->cluster->state, memory_order_relaxed);
    if (pipe->machine->units < 2 || sl_machine_is_inside(pipe->machine) ||
        state == SL_CLUSTER_IDLE || state == SL_CLUSTER_LENT)
        return false;
    uint64_t start = sl_clock_ns();
    do {
        sl_pause();
        if (!sl_pipe_move(pipe, work->u.pipe.write, work->u.pipe.packet))
            return true;
    } while (sl_clock_ns() - start < patience_ns);
    return false;
}

void sl_pipe_submit(struct sl_machine *machine, struct sl_work_queue *work_queue,
                    struct sl_work *work)
{
    struct sl_pipe *pipe = work->u.pipe.pipe;
    struct sl_work *done = NULL;
    bool write = work->u.pipe.write, moved = false, wait = work->u.pipe.blocking;
    (void)work_queue;
    machine->host->started(work);
    pthread_mutex_lock(&pipe->lock);
    if (!pipe->pending)
        moved = !sl_pipe_move(pipe, write, work->u.pipe.packet) || (wait && moves_soon(pipe, work));
    if (!moved && wait) {
        wait_for_kernel_locked(pipe, work);
        done = sl_pipe_complete_locked(pipe);
    }
    pthread_mutex_unlock(&pipe->lock);
    sl_pipe_end_works(machine, done, 0);
    if (moved || !wait)
        machine->host->finished(work, moved ? 0 : SL_PIPE_WOULD_WAIT);
}

void sl_pipe_announce(struct sl_pipe_ring *ring)
{
    struct sl_pipe *pipe = ring->owner;
    atomic_store_explicit(&pipe->sleeping, 1, memory_order_seq_cst);
    if (pipe->shm)
        sl_shm_announce(pipe->shm);
    sl_pipe_tell_listener(pipe);
}

void sl_pipe_notify(struct sl_fiber *self, struct sl_pipe_ring *ring)
{
    struct sl_pipe *pipe = ring->owner;
    struct sl_cluster *cluster = self->cluster;
    if (pipe->shm) {
        sl_shm_publish(pipe->shm, *sl_ring_index(ring, pipe->shm->op));
        return;
    }
    if (!pipe->notified) {
        pipe->notified = true;
        pipe->next_notified = cluster->notified;
        cluster->notified = pipe;
    }
    sl_cluster_step_out(self);
}

void sl_pipe_serve(struct sl_cluster *cluster)
{
    struct sl_pipe *pipe = cluster->notified;
    cluster->notified = pipe->next_notified;
    pipe->notified = false;
    pthread_mutex_lock(&pipe->lock);
    struct sl_work *done = sl_pipe_complete_locked(pipe);
    pthread_mutex_unlock(&pipe->lock);
    sl_pipe_end_works(pipe->machine, done, 0);
    if (sl_pipe_poll_moved(pipe))
        return;
    pthread_mutex_lock(&pipe->lock);
    if (pipe->changed)
        pipe->changed(pipe->changed_data);
    pthread_mutex_unlock(&pipe->lock);
}
