/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations of kernels. No lock: of the thread that runs the cluster. */
#include "fpga/ring/reserve.h"

#include "fpga/ahead/ask.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/segments.h"
#include "fpga/profile/profile.h"
#include "fpga/ring/ring.h"

/* Never 0; the two ends' differ. */
static uint64_t make_id(uint64_t first, unsigned op)
{
    return 2 * first + op + 1;
}

static struct sl_segment *find(struct sl_pipe_ring *ring, uint64_t id)
{
    const struct sl_ring_state *state = sl_ring_state(ring);
    return id ? sl_segments_find(state->reserved[(id - 1) & 1], (id - 1) / 2) : NULL;
}

/* While there are reservations every operation at that end comes to the slow path. */
static void close_fast_path(struct sl_pipe_ring *ring, unsigned op)
{
    ring->special |= SL_RING_RESERVED << op;
    *sl_ring_limit(ring, op) = *sl_ring_index(ring, op);
}

/* As the clock of the kernel has it, if it has one. */
static bool is_possible(struct sl_fiber *self, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, uint32_t count)
{
    if (sl_ask_is_timed(self, ring, site->op))
        return sl_ask_packets(self, ring, site, count);
    if (self->clock) {
        sl_clock_guess(self->clock, SL_CLOCK_NO_PEER);
        sl_clock_ask(self->clock, ring, site, true);
    }
    if (sl_ring_available(ring, site->op) >= count)
        return true;
    if (self->clock) {
        sl_clock_answered(self->clock, ring, site, true);
        sl_profile_failed(self, ring, site);
    }
    self->settled = self->cluster->changes;
    sl_cluster_failed(self, ring, site);
    return false;
}

uint64_t sl_ring_reserve(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site, uint32_t count)
{
    struct sl_fiber *self = launch->owner;
    struct sl_ring_state *state = sl_ring_state(ring);
    unsigned op = site->op;
    if (!state->reserved[op])
        state->reserved[op] = sl_segments_create();
    if (!count || !state->reserved[op]) {
        sl_cluster_failed(self, ring, site);
        return 0;
    }
    if (!is_possible(self, ring, site, count))
        return 0;
    if (self->clock)
        sl_clock_answered(self->clock, ring, site, true);
    if (!sl_segments_push(state->reserved[op], *sl_ring_index(ring, op), count, true))
        return 0;
    close_fast_path(ring, op);
    sl_ring_note_taken(ring);
    return make_id(state->reserved[op]->end - count, op);
}

void *sl_ring_reserved(const struct sl_launch *launch, struct sl_pipe_ring *ring, uint64_t id,
                       uint32_t index)
{
    const struct sl_segment *segment = find(ring, id);
    (void)launch;
    if (!segment || index >= segment->count)
        return NULL;
    return ring->slots + ((segment->first + index) & ring->mask) * ring->packet_bytes;
}

void sl_ring_commit(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, uint64_t id)
{
    struct sl_fiber *self = launch->owner;
    struct sl_ring_state *state = sl_ring_state(ring);
    unsigned op = site->op;
    struct sl_segment *segment = find(ring, id);
    if (!segment || ((id - 1) & 1) != op)
        return;
    segment->open = false;
    uint64_t *index = sl_ring_index(ring, op), before = *index;
    uint64_t now = sl_segments_pop(state->reserved[op], before);
    if (!state->reserved[op]->used)
        ring->special &= ~((uint32_t)SL_RING_RESERVED << op);
    if (self->cluster->machine->profile)
        sl_profile_committed(self, ring, site, now - before);
    if (now == before)
        return;
    __atomic_store_n(index, now, __ATOMIC_RELEASE);
    *sl_ring_limit(ring, op) = now;
    sl_ring_note_taken(ring);
    sl_ring_moved(self, ring, op);
}
