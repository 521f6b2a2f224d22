/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's own memory, handed out in blocks of one size: the first free stretch that is long
 * enough. Any thread.
 */
#ifndef SL_DEVICES_BLOCKS_H
#define SL_DEVICES_BLOCKS_H

#include <pthread.h>
#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

#define SL_BLOCK_BYTES ((size_t)4096)

struct sl_blocks {
    unsigned char *base; /* borrowed */
    size_t count;
    unsigned char *used; /* owned; of each block: 0 free, 1 the first of a stretch, 2 another */
    pthread_mutex_t lock;
};

/* 0, or SL_OUT_OF_HOST_MEMORY. `bytes`, a multiple of a block, are there until finish(). */
int sl_blocks_init(struct sl_blocks *, void *base, size_t bytes);
void sl_blocks_finish(struct sl_blocks *);

/* NULL: there is no such stretch. */
unsigned char *sl_blocks_take(struct sl_blocks *, size_t bytes);
void sl_blocks_give(struct sl_blocks *, void *); /* NULL: nothing */

SL_END_C

#endif
