/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangular copies and fills. No state, no lock. */
#include "common/memory/copy.h"

#include <string.h>

#include "common/memory/memory.h"

/* Rows that follow each other without a gap, on both sides, are one long row. */
static void merge_rows(struct sl_transfer *t)
{
    size_t slice = t->region[0] * t->region[1];
    bool rows_touch = t->dst_pitch[0] == t->region[0] && t->src_pitch[0] == t->region[0];
    if (t->region[1] == 1 || rows_touch) {
        bool slices_touch = t->dst_pitch[1] == slice && t->src_pitch[1] == slice;
        if (slices_touch || t->region[2] == 1) {
            t->region[0] = slice * t->region[2];
            t->region[1] = t->region[2] = 1;
        } else {
            t->region[0] = slice;
            t->region[1] = t->region[2];
            t->region[2] = 1;
            t->dst_pitch[0] = t->dst_pitch[1];
            t->src_pitch[0] = t->src_pitch[1];
        }
    }
}

static void cut(struct sl_transfer *t, size_t granule, uint64_t stream_from)
{
    merge_rows(t);
    t->block_bytes = SL_COPY_BLOCK / granule * granule;
    t->blocks_per_row = (t->region[0] + t->block_bytes - 1) / t->block_bytes;
    t->units = (uint64_t)t->blocks_per_row * t->region[1] * t->region[2];
    t->bytes = (uint64_t)t->region[0] * t->region[1] * t->region[2];
    t->stream = t->bytes >= stream_from;
}

void sl_transfer_copy(struct sl_transfer *t, const struct sl_copy *copy, uint64_t stream_from)
{
    *t = (struct sl_transfer){
        .dst = sl_place_address(copy->dst),
        .src = sl_place_address(copy->src),
        .region = {copy->region[0], copy->region[1], copy->region[2]},
        .dst_pitch = {copy->dst_pitch[0], copy->dst_pitch[1]},
        .src_pitch = {copy->src_pitch[0], copy->src_pitch[1]},
    };
    cut(t, 1, stream_from);
}

void sl_transfer_fill(struct sl_transfer *t, const struct sl_fill *fill, uint64_t stream_from)
{
    *t = (struct sl_transfer){
        .dst = sl_place_address(fill->dst),
        .fill = fill,
        .region = {fill->region[0], fill->region[1], fill->region[2]},
        .dst_pitch = {fill->dst_pitch[0], fill->dst_pitch[1]},
        .src_pitch = {fill->dst_pitch[0], fill->dst_pitch[1]},
    };
    cut(t, fill->pattern_bytes, stream_from);
}

static void copy_stretch(unsigned char *dst, const unsigned char *src, size_t bytes, bool stream)
{
    if (stream)
        sl_stream_copy(dst, src, bytes);
    else
        memcpy(dst, src, bytes);
}

/* `bytes` is a multiple of the pattern; what is written doubles until it is a tile for the cache.
 */
static void fill_stretch(unsigned char *dst, size_t bytes, const struct sl_fill *fill, bool stream)
{
    enum { TILE = 8192 };
    size_t done = fill->pattern_bytes;
    if (done == 1) {
        memset(dst, fill->pattern[0], bytes);
        return;
    }
    memcpy(dst, fill->pattern, done);
    while (done < bytes) {
        size_t step = done < TILE ? done : TILE / fill->pattern_bytes * fill->pattern_bytes;
        if (step > bytes - done)
            step = bytes - done;
        copy_stretch(dst + done, dst, step, stream && done >= TILE);
        done += step;
    }
}

static void run_stretch(const struct sl_transfer *t, size_t row, size_t slice, size_t at,
                        size_t bytes)
{
    unsigned char *dst = t->dst + slice * t->dst_pitch[1] + row * t->dst_pitch[0] + at;
    bool stream = t->stream && bytes >= SL_COPY_BLOCK;
    if (t->fill)
        fill_stretch(dst, bytes, t->fill, stream);
    else
        copy_stretch(dst, t->src + slice * t->src_pitch[1] + row * t->src_pitch[0] + at, bytes,
                     stream);
}

void sl_transfer_run(const struct sl_transfer *t, uint64_t first, uint64_t count)
{
    while (count) {
        size_t line = (size_t)(first / t->blocks_per_row);
        size_t block = (size_t)(first % t->blocks_per_row);
        size_t blocks = t->blocks_per_row - block;
        if (blocks > count)
            blocks = (size_t)count;
        size_t at = block * t->block_bytes, bytes = blocks * t->block_bytes;
        if (bytes > t->region[0] - at)
            bytes = t->region[0] - at;
        run_stretch(t, line % t->region[1], line / t->region[1], at, bytes);
        first += blocks;
        count -= blocks;
    }
}

static struct sl_place addressed(struct sl_place place, void *(*address)(struct sl_memory *))
{
    if (!place.memory)
        return place;
    return (struct sl_place){NULL, (uintptr_t)address(place.memory) + place.offset};
}

bool sl_transfer_work(struct sl_work *work, void *(*address)(struct sl_memory *))
{
    struct sl_transfer transfer;
    switch (work->kind) {
    case SL_WORK_COPY:
        work->u.copy.dst = addressed(work->u.copy.dst, address);
        work->u.copy.src = addressed(work->u.copy.src, address);
        sl_transfer_copy(&transfer, &work->u.copy, UINT64_MAX);
        break;
    case SL_WORK_FILL:
        work->u.fill.dst = addressed(work->u.fill.dst, address);
        sl_transfer_fill(&transfer, &work->u.fill, UINT64_MAX);
        break;
    case SL_WORK_NATIVE:
        work->u.native.function(work->u.native.args);
        return true;
    default:
        return false;
    }
    sl_transfer_run(&transfer, 0, transfer.units);
    return true;
}
