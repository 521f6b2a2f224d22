/* SPDX-License-Identifier: Apache-2.0 */
/* Per-thread memory for work-groups. No lock: an arena belongs to one thread at a time. */
#include "common/memory/arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "common/base/values.h"
#include "sluice/module.h"

enum { SMALLEST = 4096, MAPPED_FROM = 128 << 10, STEP = 64 << 10 };
/* Launches that need an eighth of a large block or less, one after the other, that end it. */
enum { SMALL_USES = 64 };

static void release(void **block, size_t *have)
{
    if (*have >= MAPPED_FROM)
        munmap(*block, *have);
    else
        free(*block);
    *block = NULL;
    *have = 0;
}

/* Not by MAP_NORESERVE: a system that counts what it promises is to refuse here, not to end the
 * process when the memory is touched. */
static void *map(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static size_t rounded(size_t want)
{
    if (want > SIZE_MAX - STEP)
        return 0;
    if (want >= MAPPED_FROM)
        return (want + STEP - 1) / STEP * STEP;
    size_t bytes = SMALLEST;
    while (bytes < want)
        bytes *= 2;
    return bytes;
}

static int grow(void **block, size_t *have, size_t want)
{
    size_t bytes = rounded(want);
    release(block, have);
    if (!bytes)
        return SL_OUT_OF_RESOURCES;
    *block = bytes >= MAPPED_FROM ? map(bytes) : aligned_alloc(SL_LOCAL_ALIGN, bytes);
    if (!*block)
        return SL_OUT_OF_RESOURCES;
    *have = bytes;
    return 0;
}

/* Whoever only launches small kernels from now on, and never rests, is not to keep it for ever. */
static void count_use(struct sl_arena *arena, size_t local_bytes, size_t context_bytes)
{
    bool small =
        (arena->local_bytes <= SL_ARENA_KEPT || local_bytes <= arena->local_bytes / 8) &&
        (arena->context_bytes <= SL_ARENA_KEPT || context_bytes <= arena->context_bytes / 8);
    arena->small_uses = small ? arena->small_uses + 1 : 0;
    if (arena->small_uses >= SMALL_USES)
        sl_arena_trim(arena);
}

int sl_arena_reserve(struct sl_arena *arena, size_t local_bytes, size_t context_bytes)
{
    if (sl_arena_is_large(arena))
        count_use(arena, local_bytes, context_bytes);
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
    release(&arena->local, &arena->local_bytes);
    release(&arena->context, &arena->context_bytes);
    arena->small_uses = 0;
}

bool sl_arena_is_large(const struct sl_arena *arena)
{
    return arena->local_bytes > SL_ARENA_KEPT || arena->context_bytes > SL_ARENA_KEPT;
}

void sl_arena_trim(struct sl_arena *arena)
{
    if (arena->local_bytes > SL_ARENA_KEPT)
        release(&arena->local, &arena->local_bytes);
    if (arena->context_bytes > SL_ARENA_KEPT)
        release(&arena->context, &arena->context_bytes);
    arena->small_uses = 0;
}
