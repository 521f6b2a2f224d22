/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was taken from one end of a ring but not yet given to its peer: reservations of kernels,
 * mapped regions of the host. Indices are published in order, so a piece that is done waits for
 * those before it.
 */
#ifndef SL_FPGA_SEGMENTS_H
#define SL_FPGA_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct sl_segment {
    uint64_t first, count; /* packets */
    bool open;
};

struct sl_segments {
    struct sl_segment *rows; /* owned; a circle of `capacity`, a power of two */
    uint32_t start, used, capacity;
    uint64_t end; /* behind the last; only when used */
};

struct sl_segments *sl_segments_create(void);
void sl_segments_destroy(struct sl_segments *); /* NULL is a no-op */

/* Where the next packet goes, the published index being `index`. `segments` may be NULL. */
static inline uint64_t sl_segments_end(const struct sl_segments *segments, uint64_t index)
{
    return segments && segments->used ? segments->end : index;
}

/* Takes `count` packets behind all others; a piece that is not open is done already. False: no
 * memory. */
bool sl_segments_push(struct sl_segments *, uint64_t index, uint64_t count, bool open);
/* The open piece that begins with packet `first`, or NULL. */
struct sl_segment *sl_segments_find(struct sl_segments *, uint64_t first);
/* Removes what is done at the front; the new published index. `index`: the present one. */
uint64_t sl_segments_pop(struct sl_segments *, uint64_t index);
/* Gives back the oldest `count` packets of open pieces; the new published index. */
uint64_t sl_segments_give(struct sl_segments *, uint64_t index, uint64_t count);

#endif
