/* SPDX-License-Identifier: Apache-2.0 */
/* Per-thread memory for work-groups. No lock: an arena belongs to one thread at a time. */
#include "common/arena.h"

#include <stdlib.h>

#include "common/values.h"
#include "sluice/module.h"

enum { SMALLEST = 4096 };

static int grow(void **block, size_t *have, size_t want)
{
    size_t bytes = *have ? *have : SMALLEST;
    while (bytes < want) {
        if (__builtin_mul_overflow(bytes, 2, &bytes))
            return SL_OUT_OF_RESOURCES;
    }
    free(*block);
    *have = 0;
    *block = aligned_alloc(SL_LOCAL_ALIGN, bytes);
    if (!*block)
        return SL_OUT_OF_RESOURCES;
    *have = bytes;
    return 0;
}

int sl_arena_reserve(struct sl_arena *arena, size_t local_bytes, size_t context_bytes)
{
    if (local_bytes > arena->local_bytes) {
        int rc = grow(&arena->local, &arena->local_bytes, local_bytes);
        if (rc)
            return rc;
    }
    if (context_bytes > arena->context_bytes)
        return grow(&arena->context, &arena->context_bytes, context_bytes);
    return 0;
}

void sl_arena_finish(struct sl_arena *arena)
{
    free(arena->local);
    free(arena->context);
    *arena = (struct sl_arena){0};
}
