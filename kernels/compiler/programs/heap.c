/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A chunk is aligned to its size, so that a block's address leads to its head. A
 * chunk is cut into spans; a block is part of a span of blocks of its size or, if that is more than
 * half a span, some spans of its own; a larger one has a chunk for itself.
 *
 * `owned` belongs to the thread that claimed it, `common` to whoever has common_lock; a block may
 * be freed by another thread than took it, and is then that one's.
 */
#include "compiler/programs/heap.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK ((size_t)4 << 20)
#define SPAN ((size_t)16 << 10)
#define SPANS (CHUNK / SPAN)
#define UNIT 16u
#define FINE 64u /* sizes of one unit each; then there are four for each doubling */
#define LARGEST ((size_t)512 << 10)
#define SIZES (FINE + 1 + 4 * 9)

_Static_assert(UNIT *FINE << 9 == LARGEST, "nine doublings");

struct chunk {               /* its head; the first span has nothing else */
    size_t bytes;            /* of a chunk for one block; 0: spans */
    unsigned char of[SPANS]; /* span -> number of a size; a block's first span counts */
};

struct block { /* while nobody has it */
    struct block *next;
};

struct heap {
    struct block *free[SIZES];
    char *span[SIZES], *span_end[SIZES]; /* what is left of the last one of this size */
    char *chunk, *chunk_end;             /* spans that are left */
};

static struct heap owned, common;
static pthread_mutex_t common_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool owner __attribute__((tls_model("initial-exec")));

void sl_heap_claim(void)
{
    owner = true;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static unsigned size_number(size_t bytes)
{
    if (bytes <= UNIT * FINE)
        return bytes ? (unsigned)((bytes + UNIT - 1) / UNIT) : 1;
    unsigned log = 63 - (unsigned)__builtin_clzll(bytes - 1);
    unsigned quarter = (unsigned)((bytes - 1) >> (log - 2)) & 3;
    return FINE + 1 + (log - 10) * 4 + quarter;
}

static size_t size_bytes(unsigned number)
{
    if (number <= FINE)
        return number * UNIT;
    number -= FINE + 1;
    return (size_t)(5 + number % 4) << (8 + number / 4);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static struct chunk *chunk_of(const void *block)
{
    return (struct chunk *)((uintptr_t)block & ~(CHUNK - 1));
}

/* Memory that begins at a multiple of CHUNK. */
static struct chunk *map(size_t bytes)
{
    char *all = mmap(NULL, bytes + CHUNK, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    char *start = (char *)(((uintptr_t)all + CHUNK - 1) & ~(CHUNK - 1));
    if (start > all)
        munmap(all, (size_t)(start - all));
    munmap(start + bytes, (size_t)(all + CHUNK - start));
    return (struct chunk *)start;
}

static void *take_large(size_t alignment, size_t bytes)
{
    size_t head = alignment > sizeof(struct chunk) ? alignment : 512;
    if (head >= CHUNK || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + head + 4095) & ~(size_t)4095;
    struct chunk *chunk = map(bytes);
    if (!chunk)
        return NULL;
    chunk->bytes = bytes;
    return (char *)chunk + head;
}

static bool start_span(struct heap *heap, unsigned number)
{
    size_t bytes = size_bytes(number);
    size_t span = bytes <= SPAN / 2 ? SPAN : (bytes + SPAN - 1) & ~(SPAN - 1);
    if ((size_t)(heap->chunk_end - heap->chunk) < span) {
        struct chunk *chunk = map(CHUNK);
        if (!chunk)
            return false;
        madvise(chunk, CHUNK, MADV_HUGEPAGE);
        heap->chunk = (char *)chunk + SPAN;
        heap->chunk_end = (char *)chunk + CHUNK;
    }
    char *at = heap->chunk;
    heap->chunk += span;
    chunk_of(at)->of[(size_t)(at - (char *)chunk_of(at)) / SPAN] = (unsigned char)number;
    heap->span[number] = at;
    heap->span_end[number] = at + (bytes <= SPAN / 2 ? SPAN / bytes * bytes : bytes);
    return true;
}

static void *take(struct heap *heap, unsigned number)
{
    struct block *block = heap->free[number];
    if (block) {
        heap->free[number] = block->next;
        return block;
    }
    if (heap->span[number] == heap->span_end[number] && !start_span(heap, number))
        return NULL;
    block = (struct block *)heap->span[number];
    heap->span[number] += size_bytes(number);
    return block;
}

static void give(struct heap *heap, unsigned number, void *memory)
{
    struct block *block = memory;
    block->next = heap->free[number];
    heap->free[number] = block;
}

static unsigned number_of(const struct chunk *chunk, const void *block)
{
    return chunk->of[((uintptr_t)block - (uintptr_t)chunk) / SPAN];
}

static size_t room(const void *block)
{
    const struct chunk *chunk = chunk_of(block);
    return chunk->bytes ? chunk->bytes - (size_t)((const char *)block - (const char *)chunk)
                        : size_bytes(number_of(chunk, block));
}

/* ---- the C library's functions --------------------------------------------------------------- */

/* The sizes that this finds are multiples of the alignment, and so are places in spans. */
static void *take_aligned(size_t alignment, size_t bytes)
{
    if (alignment > UNIT && bytes < LARGEST) {
        bytes = ((bytes ? bytes : 1) + alignment - 1) & ~(alignment - 1);
        if (bytes > UNIT * FINE)
            bytes = (size_t)1 << (64 - __builtin_clzll(bytes - 1));
    }
    void *block;
    if (bytes > LARGEST || alignment > SPAN) {
        block = take_large(alignment, bytes);
    } else if (owner) {
        block = take(&owned, size_number(bytes));
    } else {
        pthread_mutex_lock(&common_lock);
        block = take(&common, size_number(bytes));
        pthread_mutex_unlock(&common_lock);
    }
    if (!block)
        errno = ENOMEM;
    return block;
}

void *malloc(size_t bytes)
{
    return take_aligned(UNIT, bytes);
}

void free(void *block)
{
    if (!block)
        return;
    struct chunk *chunk = chunk_of(block);
    if (chunk->bytes) {
        int before = errno;
        munmap(chunk, chunk->bytes);
        errno = before;
    } else if (owner) {
        give(&owned, number_of(chunk, block), block);
    } else {
        pthread_mutex_lock(&common_lock);
        give(&common, number_of(chunk, block), block);
        pthread_mutex_unlock(&common_lock);
    }
}

void *calloc(size_t count, size_t bytes)
{
    if (__builtin_mul_overflow(count, bytes, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = take_aligned(UNIT, bytes);
    if (block && !chunk_of(block)->bytes) /* else it is new */
        memset(block, 0, bytes);
    return block;
}

void *realloc(void *old, size_t bytes)
{
    size_t had = old ? room(old) : 0;
    if (old && bytes <= had && bytes >= had / 2)
        return old;
    void *block = malloc(bytes);
    if (!block || !old)
        return block;
    memcpy(block, old, bytes < had ? bytes : had);
    free(old);
    return block;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return take_aligned(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes)
{
    return take_aligned(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *block = take_aligned(alignment, bytes);
    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

size_t malloc_usable_size(void *block);
size_t malloc_usable_size(void *block)
{
    return block ? room(block) : 0;
}
