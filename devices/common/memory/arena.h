/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory one thread lends to the work-group it runs: local memory and work-item contexts. Large
 * blocks are address space of their own, of which only what kernels touch is memory.
 */
#ifndef SL_DEVICES_ARENA_H
#define SL_DEVICES_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_item_listener;

struct sl_arena {
    void *local;   /* owned, SL_LOCAL_ALIGN-aligned */
    void *context; /* owned, 64-aligned or better */
    size_t local_bytes, context_bytes;
    struct sl_item_listener *listener; /* borrowed; of the launch that runs; NULL: nobody listens */
    uint64_t *times;                   /* then in `context`, for sl_group.times */
    size_t clear_bytes;                /* of local memory that are zeros when a group begins */
    unsigned small_uses;               /* of blocks that were too large for them, in a row */
};

/* A block beyond that is given back when its owner has been idle for a moment. */
#define SL_ARENA_KEPT ((size_t)4 << 20)

/* Room for at least that much; contents are lost when it grows. A zeroed arena is an empty one.
 * SL_OUT_OF_RESOURCES leaves an arena that can be used again. */
int sl_arena_reserve(struct sl_arena *, size_t local_bytes, size_t context_bytes);
void sl_arena_finish(struct sl_arena *);

/* It holds more than should be kept for nobody; what is beyond SL_ARENA_KEPT is given back. */
bool sl_arena_is_large(const struct sl_arena *);
void sl_arena_trim(struct sl_arena *);

SL_END_C

#endif
