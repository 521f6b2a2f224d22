/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_ring.h"

#include <stdlib.h>
#include <string.h>

struct sl_clock_ring *sl_clock_ring_create(uint32_t depth, uint32_t behind)
{
    uint64_t room = 1;
    while (room < 2 * (uint64_t)behind || room < (uint64_t)depth + behind)
        room *= 2;
    enum { LINE = 64 }; /* what others look at is in the first one */
    const size_t bytes = sizeof(struct sl_clock_ring) + 2 * room * sizeof(uint64_t);
    struct sl_clock_ring *ring = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (!ring)
        return NULL;
    memset(ring, 0, bytes);
    ring->depth = depth;
    ring->mask = (uint32_t)(room - 1);
    ring->moved[0] = ring->cycles;
    ring->moved[1] = ring->cycles + room;
    sl_clock_ring_forget_row(ring, SL_PIPE_READ);
    sl_clock_ring_forget_row(ring, SL_PIPE_WRITE);
    return ring;
}

void sl_clock_ring_pace(struct sl_clock_ring *ring, unsigned op, struct sl_clock_rate rate)
{
    ring->rate = rate;
    ring->together = true;
    ring->due = rate.latency * rate.packets;
    ring->next[op] = rate.latency;
}

/* The outside comes no earlier; true: it would have. */
static bool wait_for(struct sl_clock_ring *ring, uint64_t cycle)
{
    uint64_t due = cycle * ring->rate.packets;
    if (ring->due >= due)
        return false;
    bool earlier = (ring->due + ring->rate.packets - 1) / ring->rate.packets < cycle;
    ring->due = due;
    return earlier;
}

bool sl_clock_ring_supply(struct sl_clock_ring *ring, unsigned op, uint64_t count)
{
    const uint64_t parts = ring->rate.packets;
    bool good = true;
    sl_clock_ring_forget_row(ring, op);
    while (parts && ring->count[op] < count) {
        uint64_t number = ring->count[op], first = sl_clock_ring_needed(ring, op, number),
                 cycle = 0;
        if (first != UINT64_MAX && first >= ring->count[!op])
            break;
        if (first != UINT64_MAX)
            cycle = ring->moved[!op][first & ring->mask] + 1;
        wait_for(ring, cycle);
        if (ring->denied[op].packet == number)
            good &= !wait_for(ring, ring->denied[op].cycle);
        ring->moved[op][ring->count[op]++ & ring->mask] = (ring->due + parts - 1) / parts;
        ring->due += ring->rate.cycles;
        ring->next[op] = (ring->due + parts - 1) / parts;
    }
    return good;
}

enum sl_clock_answer sl_clock_ring_ask(const struct sl_clock_ring *ring, unsigned op,
                                       uint64_t number, uint64_t cycle)
{
    uint64_t first = sl_clock_ring_needed(ring, op, number);
    if (first == UINT64_MAX)
        return SL_CLOCK_YES;
    if (first < ring->count[!op])
        return ring->moved[!op][first & ring->mask] < cycle ? SL_CLOCK_YES : SL_CLOCK_NO;
    return ring->next[!op] >= cycle ? SL_CLOCK_NO : SL_CLOCK_OPEN;
}

/* A pipe that is full is written by nobody, and an empty one not read, before its other end moves:
 * that end is the asker's, or known by itself. */
bool sl_clock_ring_knows(const struct sl_clock_ring *ring, unsigned op, uint64_t cycle)
{
    uint64_t fill = ring->count[SL_PIPE_WRITE] - ring->count[SL_PIPE_READ];
    return ring->next[op] >= cycle || fill == (op == SL_PIPE_WRITE ? ring->depth : 0);
}

void sl_clock_ring_deny(struct sl_clock_ring *ring, unsigned op, uint64_t cycle)
{
    if (ring->denied[op].packet != ring->count[op])
        ring->denied[op].cycle = 0;
    ring->denied[op].packet = ring->count[op];
    if (cycle > ring->denied[op].cycle)
        ring->denied[op].cycle = cycle;
}

/* False: more have moved since than anybody has noted. */
static bool moved_before(const struct sl_clock_ring *ring, unsigned op, uint64_t cycle,
                         uint64_t *count)
{
    uint64_t room = (uint64_t)ring->mask + 1;
    uint64_t least = ring->count[op] > room ? ring->count[op] - room : 0;
    *count = ring->count[op];
    while (*count > least && ring->moved[op][(*count - 1) & ring->mask] >= cycle)
        --*count;
    return *count > least || !least;
}

bool sl_clock_ring_fill(const struct sl_clock_ring *ring, uint64_t cycle, uint64_t *fill)
{
    uint64_t written, read;
    bool known = moved_before(ring, SL_PIPE_WRITE, cycle, &written);
    known &= moved_before(ring, SL_PIPE_READ, cycle, &read);
    *fill = written > read ? written - read : 0;
    return known;
}
