/* SPDX-License-Identifier: Apache-2.0 */
/* The outside end of a pipe as the threads that serve I/O pipes have it, beside packets and maps.
 */
#include "fpga/base/barrier.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe_data.h"
#include "fpga/stream/shm_ring.h"
#include "sluice/base/wait.h"

void sl_pipe_listen(struct sl_pipe *pipe, void (*changed)(void *data), void *data)
{
    pthread_mutex_lock(&pipe->lock);
    pipe->changed = changed;
    pipe->changed_data = data;
    pthread_mutex_unlock(&pipe->lock);
}

/* ---- taking turns ---------------------------------------------------------------------------- */

void sl_pipe_take_turn(struct sl_pipe *pipe)
{
    pthread_mutex_lock(&pipe->turn);
}

void sl_pipe_give_turn(struct sl_pipe *pipe)
{
    pthread_mutex_unlock(&pipe->turn);
}

void sl_pipe_poll_by(struct sl_pipe *pipe, bool (*poll)(void *data, bool moved), void *data)
{
    sl_pipe_take_turn(pipe);
    pipe->poll = poll;
    atomic_store_explicit(&pipe->poll_data, data, memory_order_relaxed);
    sl_pipe_give_turn(pipe);
}

static bool poll_end(struct sl_pipe *pipe, bool moved)
{
    if (!atomic_load_explicit(&pipe->poll_data, memory_order_relaxed))
        return false;
    if (pthread_mutex_trylock(&pipe->turn))
        return false;
    void *data = atomic_load_explicit(&pipe->poll_data, memory_order_relaxed);
    bool done = data && pipe->poll(data, moved);
    if (done)
        atomic_store_explicit(&pipe->polls, sl_pipe_polls(pipe) + 1, memory_order_relaxed);
    pthread_mutex_unlock(&pipe->turn);
    return done;
}

uint32_t sl_pipe_polls(const struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->polls, memory_order_relaxed);
}

void sl_pipe_rest(struct sl_pipe *pipe, bool rests)
{
    atomic_store_explicit(&pipe->rests, rests, memory_order_seq_cst);
}

bool sl_pipe_is_resting(const struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->rests, memory_order_seq_cst);
}

bool sl_pipe_sleeps(const struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->sleeping, memory_order_seq_cst) != 0;
}

void sl_pipe_tell_listener(struct sl_pipe *pipe)
{
    if (!atomic_load_explicit(&pipe->rests, memory_order_seq_cst) ||
        !atomic_exchange_explicit(&pipe->rests, false, memory_order_acq_rel))
        return;
    pthread_mutex_lock(&pipe->lock);
    if (pipe->changed)
        pipe->changed(pipe->changed_data);
    pthread_mutex_unlock(&pipe->lock);
}

bool sl_pipe_poll(struct sl_pipe_ring *ring)
{
    return ring->owner && poll_end(ring->owner, false);
}

bool sl_pipe_poll_moved(struct sl_pipe *pipe)
{
    return poll_end(pipe, true);
}

/* The kernel runs on this very thread. */
void sl_pipe_watch_kernel(struct sl_pipe *pipe)
{
    __atomic_store_n(&pipe->ring->attention, 1, __ATOMIC_RELAXED);
}

/* ---- waiting, and who is there --------------------------------------------------------------- */

bool sl_pipe_await(struct sl_pipe *pipe, bool write, bool *told)
{
    uint64_t at = sl_segments_end(&pipe->taken, pipe->index);
    __atomic_store_n(&pipe->ring->attention, 1, __ATOMIC_SEQ_CST);
    *told = sl_barrier();
    if (!sl_pipe_available(pipe, write, at, 1))
        return false;
    __atomic_store_n(&pipe->ring->attention, 0, __ATOMIC_RELAXED);
    return true;
}

void sl_pipe_link(struct sl_pipe *pipe, struct sl_shm *shm)
{
    struct sl_pipe_ring *ring = pipe->ring;
    pipe->shm = shm;
    ring->slots = shm->slots;
    ring->head = atomic_load(&shm->header->index[SL_PIPE_READ].at);
    ring->tail = atomic_load(&shm->header->index[SL_PIPE_WRITE].at);
    ring->read_limit = ring->head;
    ring->write_limit = ring->tail;
    ring->attention = 1; /* always: what a kernel publishes has another place as well */
    sl_ring_state(ring)->shm = shm;
}

void *sl_pipe_set_apart(struct sl_pipe *pipe, uint64_t slot_count)
{
    struct sl_pipe_ring *ring = pipe->ring;
    if (sl_slots_map(&pipe->slots, ring->packet_bytes, slot_count))
        return NULL;
    ring->slots = pipe->slots.at;
    ring->mask = slot_count - 1;
    return ring->slots;
}

void sl_pipe_moved(struct sl_pipe *pipe)
{
    if (atomic_exchange_explicit(&pipe->sleeping, 0, memory_order_seq_cst))
        sl_cluster_poke(pipe->cluster);
}

void sl_pipe_at_end(struct sl_pipe *pipe)
{
    atomic_store_explicit(&pipe->at_end, true, memory_order_release);
}

bool sl_pipe_is_at_end(const struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->at_end, memory_order_acquire);
}

void sl_pipe_lacks_peer(struct sl_pipe *pipe, const char *where)
{
    struct sl_machine *machine = pipe->machine;
    atomic_store_explicit(&pipe->alone_since, sl_clock_ns(), memory_order_relaxed);
    atomic_store_explicit(&pipe->alone_at, where, memory_order_release);
    /* what was settled may not be any more */
    atomic_fetch_add_explicit(&machine->activity, 1, memory_order_seq_cst);
    sl_machine_may_stall(machine);
}

const char *sl_pipe_lacked_peer(const struct sl_pipe *pipe, uint64_t *since_ns)
{
    const char *where = atomic_load_explicit(&pipe->alone_at, memory_order_acquire);
    *since_ns = atomic_load_explicit(&pipe->alone_since, memory_order_relaxed);
    return where;
}
