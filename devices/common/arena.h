/* SPDX-License-Identifier: Apache-2.0 */
/* The memory one thread lends to the work-group it runs: local memory and work-item contexts. */
#ifndef SL_DEVICES_ARENA_H
#define SL_DEVICES_ARENA_H

#include <stddef.h>

struct sl_arena {
    void *local;   /* owned, SL_LOCAL_ALIGN-aligned */
    void *context; /* owned, 64-aligned or better */
    size_t local_bytes, context_bytes;
};

/* Room for at least that much; contents are lost when it grows. A zeroed arena is an empty one. */
int sl_arena_reserve(struct sl_arena *, size_t local_bytes, size_t context_bytes);
void sl_arena_finish(struct sl_arena *);

#endif
