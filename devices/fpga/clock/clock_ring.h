/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times of a pipe's packets: in which cycles its last ones were written and read, what that
 * lets happen at the other end, and what was said to somebody before it was known. Packets are
 * numbered from the first one that a kernel with a clock has moved; operations at one end happen in
 * the order of their cycles. No shared state: of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_RING_H
#define SL_FPGA_CLOCK_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/clock/clock_rate.h"
#include "sluice/pipe.h"

enum sl_clock_answer { SL_CLOCK_NO, SL_CLOCK_YES, SL_CLOCK_OPEN /* nobody knows yet */ };

struct ahead;
struct sl_fiber;

/* Operations that are as many cycles apart, from one number on to the last one, or to `end`. */
struct sl_clock_row {
    uint64_t from, end, stride;
    uint64_t next; /* of the row of last ones: the cycle with which it goes on */
};

struct sl_clock_ring {
    struct ahead *waiting[2]; /* of those ahead of their clock (ahead_data.h): at which end */
    struct sl_fiber *user[2]; /* likewise, whose rounds that are left move packets there */
    bool noted[2]; /* likewise: who moves packets there need not come to the runtime for each */
    bool ahead;    /* there may be more packets in the pipe than `depth` */
    uint32_t depth, mask; /* mask: `room` - 1, a power of two */
    uint64_t count[2];    /* packets moved, by enum sl_pipe_op, as all that follow */
    uint64_t next[2];     /* cycles: the one behind the last operation */
    uint64_t *moved[2];   /* in cycles, of the last packets as far as there is room: when that was
                             done to them */
    struct {              /* it was said that this packet is not moved before this cycle */
        uint64_t packet, cycle;
    } denied[2];
    struct sl_clock_rate rate; /* of the outside at one of its ends */
    bool together;             /* several have moved in one cycle; else each in one of its own */
    struct sl_clock_row row[2], before[2]; /* found by code that cares: clock_steady.c */
    uint64_t left; /* packets written that a run which is given up leaves; ahead_design.c */
    uint64_t due;  /* rate.packets parts of a cycle: when the outside comes next */
    uint64_t cycles[];
};

/* Packets that may have moved behind a cycle that is asked for; where nobody asks. */
enum { SL_CLOCK_BEHIND = 256, SL_CLOCK_LEAST_BEHIND = 64 };
/* For the caller to free(). NULL: no memory. */
struct sl_clock_ring *sl_clock_ring_create(uint32_t depth, uint32_t behind);

/* The outside is as fast as that at the end which is not the kernel's. */
void sl_clock_ring_pace(struct sl_clock_ring *, unsigned op, struct sl_clock_rate);
/* It has moved so many packets in all, as far as there are packets or there is room in time. False:
 * somebody was told that it had not. */
bool sl_clock_ring_supply(struct sl_clock_ring *, unsigned op, uint64_t count);

/* What has to be done to a packet at the other end first; UINT64_MAX: nothing. */
static inline uint64_t sl_clock_ring_needed(const struct sl_clock_ring *ring, unsigned op,
                                            uint64_t number)
{
    if (op == SL_PIPE_READ)
        return number;
    return number < ring->depth ? UINT64_MAX : number - ring->depth;
}

/* It is known when the next packet can be moved at this end. */
static inline bool sl_clock_ring_is_known(const struct sl_clock_ring *ring, unsigned op)
{
    const uint64_t room = op == SL_PIPE_WRITE ? ring->depth : 0;
    return ring->count[op] < ring->count[!op] + room;
}

/* Of how many packets that is so, at a pipe that nobody without a clock has moved any of. A launch
 * that was ended may have moved more than there were, or more than there was room for. */
static inline uint64_t sl_clock_ring_known(const struct sl_clock_ring *ring, unsigned op)
{
    int64_t fill = (int64_t)(ring->count[SL_PIPE_WRITE] - ring->count[SL_PIPE_READ]);
    int64_t known = op == SL_PIPE_WRITE ? ring->depth - fill : fill;
    return known > 0 ? (uint64_t)known : 0;
}

/* Packet `number` can be moved at this end no earlier: one operation a cycle, behind its packet or
 * its room. Packets that nobody with a clock has moved were always there. */
static inline uint64_t sl_clock_ring_allowed(const struct sl_clock_ring *ring, unsigned op,
                                             uint64_t number)
{
    uint64_t first = sl_clock_ring_needed(ring, op, number), peer = 0;
    if (first < ring->count[!op])
        peer = ring->moved[!op][first & ring->mask] + 1;
    return peer > ring->next[op] ? peer : ring->next[op];
}

/* Cycles that are as far apart, one behind the other in memory. */
static inline void sl_clock_set_row(uint64_t *to, uint64_t cycle, uint64_t stride, uint64_t count)
{
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    const pair two = {2 * stride, 2 * stride}, four = two + two;
    pair at = {cycle, cycle + stride}, behind = at + two;
    uint64_t n = 0;
    for (; n + 8 <= count; n += 8) {
        *(pair *)(to + n) = at;
        *(pair *)(to + n + 2) = behind;
        at += four;
        behind += four;
        *(pair *)(to + n + 4) = at;
        *(pair *)(to + n + 6) = behind;
        at += four;
        behind += four;
    }
    for (; n + 2 <= count; n += 2, at += two)
        *(pair *)(to + n) = at;
    if (n < count)
        to[n] = at[0];
}

/* Nothing is known of the last ones. */
static inline void sl_clock_ring_forget_row(struct sl_clock_ring *ring, unsigned op)
{
    ring->row[op].from = UINT64_MAX;
    ring->row[op].next = 0;
}

/* `packets` more were moved in that cycle. False: it was said before that they were not. */
static inline bool sl_clock_ring_move(struct sl_clock_ring *ring, unsigned op, uint64_t packets,
                                      uint64_t cycle)
{
    bool denied =
        packets && ring->denied[op].packet == ring->count[op] && cycle < ring->denied[op].cycle;
    ring->together |= packets > 1;
    sl_clock_ring_forget_row(ring, op);
    for (; packets; packets--)
        ring->moved[op][ring->count[op]++ & ring->mask] = cycle;
    if (ring->next[op] <= cycle)
        ring->next[op] = cycle + 1;
    return !denied;
}

/* Can packet `number` be moved at this end in that cycle? */
enum sl_clock_answer sl_clock_ring_ask(const struct sl_clock_ring *, unsigned op, uint64_t number,
                                       uint64_t cycle);
/* Is it known what is at that end before the cycle? */
bool sl_clock_ring_knows(const struct sl_clock_ring *, unsigned op, uint64_t cycle);
/* Somebody is told that nothing more happens at that end before the cycle. */
void sl_clock_ring_deny(struct sl_clock_ring *, unsigned op, uint64_t cycle);
/* Packets in the pipe as somebody sees it in that cycle. False: that is too long ago. */
bool sl_clock_ring_fill(const struct sl_clock_ring *, uint64_t cycle, uint64_t *fill);

#endif
