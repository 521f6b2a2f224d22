/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies and fills of host-addressable memory, cut into units that several threads can share.
 * A unit is a block of at most SL_COPY_BLOCK bytes of one row.
 */
#ifndef SL_DEVICES_COPY_H
#define SL_DEVICES_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

#define SL_COPY_BLOCK ((size_t)64 << 10)

struct sl_transfer {
    unsigned char *dst;
    const unsigned char *src;                     /* NULL: a fill */
    const struct sl_fill *fill;                   /* borrowed from the work; NULL: a copy */
    size_t region[3], dst_pitch[2], src_pitch[2]; /* as struct sl_copy, adjoining rows merged */
    size_t block_bytes, blocks_per_row;
    uint64_t units, bytes;
    bool stream; /* past the caches */
};

/* `stream_from`: total bytes from which stores should not go through the caches. */
void sl_transfer_copy(struct sl_transfer *, const struct sl_copy *, uint64_t stream_from);
void sl_transfer_fill(struct sl_transfer *, const struct sl_fill *, uint64_t stream_from);
/* Does units first..first+count-1. Different units touch different bytes: any
 * threads, any order. */
void sl_transfer_run(const struct sl_transfer *, uint64_t first, uint64_t count);

/* Does a copy, a fill or a native function on this thread, of a device whose memory the host sees
 * at `address`. false: another kind of work, of which nothing is done. */
bool sl_transfer_work(struct sl_work *, void *(*address)(struct sl_memory *));

/* One stretch with stores that bypass the caches; ends with a store fence. stream.c */
void sl_stream_copy(void *dst, const void *src, size_t bytes);

SL_END_C

#endif
