/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that wait for those of other processes, joined to one cycle: at rings in shared memory
 * (stream/shm_wait.h), and at I/O pipes by libraries (stall_far.h). The clusters of all rows are
 * claimed; machine->ends_lock: ends of a program that goes are still there.
 */
#include <stdlib.h>

#include "fpga/cluster/fiber.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/stall/stall.h"
#include "fpga/stall/stall_far.h"
#include "fpga/stream/shm_wait.h"

enum { MOST_HOPS = 64 };

static struct sl_shm *shm_of(struct sl_pipe_ring *ring)
{
    return ring ? sl_ring_state(ring)->shm : NULL;
}

/* It is parked at such a ring, and stands still. */
static struct sl_shm *waits_at(const struct sl_stall_row *row)
{
    bool parked = row->hope != SL_HOPE_MOVES && row->fiber && row->fiber->ring;
    return parked ? shm_of(row->ring) : NULL;
}

/* The row with which the kernel waits in the end, by way of others of this process: at a foreign
 * ring; NULL: at none. */
static const struct sl_stall_row *ends_at(const struct sl_stall_rows *rows, uint32_t n)
{
    const struct sl_stall_row *row = &rows->at[n];
    for (uint32_t steps = 0; steps < rows->count; steps++) {
        if (row->hope == SL_HOPE_MOVES || !row->fiber || !row->fiber->ring)
            return NULL;
        if (sl_ring_is_foreign(row->ring))
            return row;
        int32_t next = sl_stall_peer_of(rows, (uint32_t)(row - rows->at));
        if (next < 0)
            return NULL;
        row = &rows->at[next];
    }
    return NULL;
}

/* At each end that the kernel has. */
static void tell(const struct sl_stall_rows *rows, uint32_t n)
{
    const struct sl_fiber *fiber = rows->at[n].fiber;
    const struct sl_stall_row *at = fiber ? ends_at(rows, n) : NULL;
    struct sl_reach reach;
    if (!fiber)
        return;
    sl_far_tell(&rows->at[n], at);
    sl_reach_of(fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++) {
        struct sl_pipe_ring *ring = sl_reach_ring(&reach, i);
        struct sl_shm *shm = shm_of(ring);
        if (shm && sl_stall_uses(fiber, ring, shm->op))
            sl_shm_tell_wait(shm, fiber->kernel->name, at ? waits_at(at) : NULL);
    }
}

static uint32_t count_waits(const struct sl_stall_rows *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        count += waits_at(&rows->at[i]) || sl_far_waits(&rows->at[i]);
    return count;
}

static void join(struct sl_stall_rows *rows)
{
    uint32_t count = count_waits(rows), used = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        tell(rows, i);
    if (count)
        rows->hops = calloc(count, MOST_HOPS * sizeof *rows->hops);
    for (uint32_t i = 0; rows->hops && i < rows->count; i++) {
        struct sl_stall_row *row = &rows->at[i];
        const struct sl_shm *shm = waits_at(row);
        struct sl_shm_hop *hops = &rows->hops[used * MOST_HOPS];
        if (!shm && !sl_far_waits(row))
            continue;
        used++;
        row->hop_count =
            shm ? sl_shm_find_cycle(shm, hops, MOST_HOPS) : sl_far_find_cycle(row, hops, MOST_HOPS);
        row->hops = hops;
        /* Which may tell more a moment later; others want to be told until they know it all. */
        rows->hopes_process |= !shm || !row->hop_count;
    }
}

void sl_stall_join(struct sl_machine *machine, struct sl_stall_rows *rows)
{
    pthread_mutex_lock(&machine->ends_lock);
    join(rows);
    pthread_mutex_unlock(&machine->ends_lock);
}
