/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: the index of a foreign end is read with acquire. */
#include "fpga/cluster/ring_state.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/segments.h"
#include "fpga/stream/shm_ring.h"

void sl_ring_init(struct sl_pipe_ring *ring, struct sl_cluster *cluster)
{
    ring->taken = ring->read_within = ring->write_within = 0;
    memset(ring->writers, 0, sizeof ring->writers);
    memset(ring->readers, 0, sizeof ring->readers);
    memset(ring->device, 0, sizeof ring->device);
    memset(ring->claim, 0, sizeof ring->claim);
    memset(ring->claim_site, 0, sizeof ring->claim_site);
    ring->cluster = cluster;
    ring->special = ring->flags & SL_PIPE_FOREIGN ? SL_RING_FOREIGN : 0;
    if (cluster->machine->profile)
        ring->write_limit = ring->tail; /* the first packets are counted, too */
}

void sl_ring_finish(struct sl_pipe_ring *ring)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    for (int op = 0; op < 2; op++)
        sl_segments_destroy(state->reserved[op]);
    free(state->clock);
    memset(state, 0, sizeof *state);
}

int32_t sl_ring_kernel(const struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_pipe_info *pipe = ring->info;
    if (!(ring->flags & (uint32_t)SL_PIPE_CONTESTED << op))
        return op == SL_PIPE_WRITE ? pipe->writer : pipe->reader;
    return (int32_t)__atomic_load_n(&ring->claim[op], __ATOMIC_RELAXED) - 1;
}

void sl_ring_refresh(struct sl_pipe_ring *ring)
{
    struct sl_shm *shm = sl_ring_state(ring)->shm;
    if (!shm)
        return;
    uint64_t *peer = sl_ring_index(ring, !shm->op), was = *peer;
    uint64_t now = sl_shm_peer_index(shm, *sl_ring_index(ring, shm->op), was);
    if (now != was)
        __atomic_store_n(peer, now, __ATOMIC_RELEASE);
}

uint64_t sl_ring_look_available(struct sl_pipe_ring *ring, unsigned op)
{
    sl_ring_refresh(ring);
    const struct sl_ring_state *state = sl_ring_state(ring);
    uint64_t peer = __atomic_load_n(sl_ring_index(ring, !op), __ATOMIC_ACQUIRE);
    uint64_t own = sl_segments_end(state->reserved[op], *sl_ring_index(ring, op));
    return op == SL_PIPE_WRITE ? ring->depth - (own - peer) : peer - own;
}

void sl_ring_forget(struct sl_fiber *fiber)
{
    struct sl_ring_parked *parked = sl_ring_parked(fiber->ring, fiber->site->op);
    struct sl_fiber *before = NULL, *at = parked->first;
    while (at && at != fiber) {
        before = at;
        at = at->next;
    }
    if (!at)
        return;
    *(before ? &before->next : &parked->first) = fiber->next;
    if (!fiber->next)
        parked->last = before;
}
