/* SPDX-License-Identifier: Apache-2.0 */
#include "common/memory/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"

int sl_blocks_init(struct sl_blocks *blocks, void *base, size_t bytes)
{
    *blocks = (struct sl_blocks){.base = base, .count = bytes / SL_BLOCK_BYTES};
    blocks->used = calloc(blocks->count, 1);
    if (!blocks->used)
        return SL_OUT_OF_HOST_MEMORY;
    pthread_mutex_init(&blocks->lock, NULL);
    return 0;
}

void sl_blocks_finish(struct sl_blocks *blocks)
{
    free(blocks->used);
    pthread_mutex_destroy(&blocks->lock);
}

unsigned char *sl_blocks_take(struct sl_blocks *blocks, size_t bytes)
{
    size_t want = bytes / SL_BLOCK_BYTES + 1, run = 0;
    unsigned char *found = NULL;
    pthread_mutex_lock(&blocks->lock);
    for (size_t i = 0; i < blocks->count && !found && want <= blocks->count; i++) {
        run = blocks->used[i] ? 0 : run + 1;
        if (run < want)
            continue;
        size_t first = i + 1 - want;
        memset(&blocks->used[first], 2, want);
        blocks->used[first] = 1;
        found = blocks->base + first * SL_BLOCK_BYTES;
    }
    pthread_mutex_unlock(&blocks->lock);
    return found;
}

void sl_blocks_give(struct sl_blocks *blocks, void *at)
{
    if (!at)
        return;
    size_t i = (size_t)((unsigned char *)at - blocks->base) / SL_BLOCK_BYTES;
    pthread_mutex_lock(&blocks->lock);
    do
        blocks->used[i++] = 0;
    while (i < blocks->count && blocks->used[i] == 2);
    pthread_mutex_unlock(&blocks->lock);
}
