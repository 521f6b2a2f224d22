/* SPDX-License-Identifier: Apache-2.0 */
/* What the watch wants to know of pipes, and does to those where nothing can move. */
#include "fpga/host_pipe/host_pipe_data.h"

bool sl_pipe_is_awaited(const struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->pending_count, memory_order_acquire) != 0;
}

/* Looks in a row in which it has waited and nothing has moved. */
static uint32_t progress_seen(struct sl_pipe *pipe, uint32_t look, bool waits)
{
    uint64_t progress = __atomic_load_n(&pipe->ring->head, __ATOMIC_RELAXED) +
                        __atomic_load_n(&pipe->ring->tail, __ATOMIC_RELAXED);
    bool same = waits && pipe->seen.look + 1 == look && pipe->seen.progress == progress;
    pipe->seen.still = same ? pipe->seen.still + 1 : 0;
    pipe->seen.look = look;
    pipe->seen.progress = progress;
    if (!pipe->seen.still)
        pipe->seen.told = false;
    return pipe->seen.still;
}

uint32_t sl_pipe_look(struct sl_pipe *pipe, uint32_t look, unsigned *op)
{
    pthread_mutex_lock(&pipe->lock);
    const struct sl_work *work = pipe->pending;
    if (work)
        *op = work->u.pipe.write ? SL_PIPE_WRITE : SL_PIPE_READ;
    pthread_mutex_unlock(&pipe->lock);
    return progress_seen(pipe, look, work != NULL);
}

struct sl_work *sl_pipe_first(struct sl_pipe *pipe)
{
    pthread_mutex_lock(&pipe->lock);
    struct sl_work *work = pipe->pending;
    pthread_mutex_unlock(&pipe->lock);
    return work;
}

struct sl_pipe *sl_pipe_next_asked_locked(struct sl_machine *machine, struct sl_pipe *pipe)
{
    return pipe ? pipe->next_asked : machine->asked;
}

bool sl_pipe_hold_asked_locked(struct sl_pipe *pipe)
{
    enum { SILENT = 32 };
    uint32_t misses = sl_pipe_misses(pipe);
    pipe->seen.silent = misses == pipe->seen.misses ? pipe->seen.silent + 1 : 0;
    pipe->seen.misses = misses;
    if (!misses || pipe->seen.silent > SILENT) {
        sl_pipe_delist_asked_locked(pipe);
        return false;
    }
    atomic_fetch_add_explicit(&pipe->looked_at, 1, memory_order_relaxed);
    return true;
}

void sl_pipe_drop_asked(struct sl_pipe *pipe)
{
    atomic_fetch_sub_explicit(&pipe->looked_at, 1, memory_order_release);
}

struct sl_pipe_ring *sl_pipe_asked_ring(const struct sl_pipe *pipe, unsigned *op)
{
    *op = __atomic_load_n(&pipe->asked_write, __ATOMIC_RELAXED) ? SL_PIPE_WRITE : SL_PIPE_READ;
    return pipe->ring;
}

struct sl_cluster *sl_pipe_cluster(const struct sl_pipe *pipe)
{
    return pipe->cluster;
}

uint32_t sl_pipe_look_asked(struct sl_pipe *pipe, uint32_t look)
{
    return progress_seen(pipe, look, sl_pipe_misses(pipe) != 0);
}

bool *sl_pipe_told(struct sl_pipe *pipe)
{
    return &pipe->seen.told;
}

void sl_pipe_fail(struct sl_pipe *pipe, int status)
{
    pthread_mutex_lock(&pipe->lock);
    struct sl_work *done = sl_pipe_complete_locked(pipe), *failed = pipe->pending;
    for (struct sl_work *work = failed; work; work = work->next)
        atomic_fetch_sub_explicit(&pipe->pending_count, 1, memory_order_release);
    pipe->pending = NULL;
    __atomic_store_n(&pipe->ring->attention, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&pipe->lock);
    sl_pipe_end_works(pipe->machine, done, 0);
    sl_pipe_end_works(pipe->machine, failed, status);
}
