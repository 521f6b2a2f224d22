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
