/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory behind sl_memory. No lock: an object is only written while it is created. */
#include "common/memory/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/values.h"
#include "common/base/zeroed.h"

struct sl_memory {
    unsigned char *bytes;
    void *owned;         /* for free(); NULL when mapped or the application's */
    void *mapped;        /* from mmap, owned */
    size_t mapped_bytes; /* > 0: there is such a mapping */
};

enum { LEAST_ALIGN = 128 };
enum { STAGGERED_FROM = 64 << 10, STEP_BYTES = 256, STEPS = 16, STRIDE = 7 };
enum { COMPARED_BYTES = STEP_BYTES * STEPS };
static const size_t huge_from = (size_t)4 << 20, huge_page = (size_t)2 << 20;

static size_t round_up(size_t bytes, size_t to)
{
    return bytes > SIZE_MAX - to ? SIZE_MAX : (bytes + to - 1) / to * to;
}

/*
 * Where a large block begins within 4 KiB. The system and malloc() give all of them the same place,
 * and a processor that compares a load's address with those of stores before it by twelve bits then
 * lets rows of one buffer wait for those of another (a solver for tridiagonal rows took 1.7 times
 * as long). Blocks that are made one after the other, up to six, lie two steps apart or more.
 */
static size_t stagger(void)
{
    static atomic_uint created;
    unsigned at = atomic_fetch_add_explicit(&created, 1, memory_order_relaxed);
    return at * STRIDE % STEPS * STEP_BYTES;
}

/* Large blocks are their own mapping: huge pages on request, and back to the system when freed. */
static int map_large(struct sl_memory *memory, size_t bytes, size_t align)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t slack = align > huge_page ? align : huge_page;
    size_t want = round_up(bytes, page);
    if (want > SIZE_MAX - slack)
        return SL_MEM_ALLOCATION_FAILURE;
    unsigned char *at = mmap(NULL, want + slack, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return SL_MEM_ALLOCATION_FAILURE;
    unsigned char *start = (unsigned char *)round_up((uintptr_t)at, slack);
    if (start > at)
        munmap(at, (size_t)(start - at));
    if (start + want < at + want + slack)
        munmap(start + want, (size_t)(at + want + slack - (start + want)));
    madvise(start, want, MADV_HUGEPAGE);
    memory->bytes = start;
    memory->mapped = start;
    memory->mapped_bytes = want;
    return 0;
}

static int allocate_small(struct sl_memory *memory, size_t bytes, size_t align, bool filled)
{
    if (filled)
        memory->bytes = memory->owned = aligned_alloc(align, round_up(bytes, align));
    else
        memory->bytes = sl_zeroed_alloc(align, bytes, &memory->owned);
    return memory->owned ? 0 : SL_MEM_ALLOCATION_FAILURE;
}

/* Who asks for more than a step's alignment gets that. Whole units of the least alignment, as a
 * board's memory has them: designs write all of a wide word where their buffer ends in its middle.
 */
static int allocate(struct sl_memory *memory, const struct sl_memory_desc *desc)
{
    size_t bytes = round_up(desc->size_bytes ? desc->size_bytes : 1, LEAST_ALIGN), before = 0;
    size_t align = desc->align_bytes < LEAST_ALIGN ? LEAST_ALIGN : desc->align_bytes;
    if (bytes >= STAGGERED_FROM && bytes < SIZE_MAX - COMPARED_BYTES && align <= STEP_BYTES) {
        before = stagger();
        bytes += before;
        align = COMPARED_BYTES;
    }
    int rc = bytes < huge_from ? allocate_small(memory, bytes, align, desc->filled)
                               : map_large(memory, bytes, align);
    if (!rc)
        memory->bytes += before;
    return rc;
}

int sl_host_memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                          struct sl_memory **out)
{
    (void)device;
    struct sl_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return SL_OUT_OF_HOST_MEMORY;
    memory->bytes = desc->host_ptr;
    int rc = desc->host_ptr ? 0 : allocate(memory, desc);
    if (rc) {
        free(memory);
        return rc;
    }
    *out = memory;
    return 0;
}

void sl_host_memory_destroy(struct sl_memory *memory)
{
    if (!memory)
        return;
    if (memory->mapped_bytes)
        munmap(memory->mapped, memory->mapped_bytes);
    free(memory->owned);
    free(memory);
}

bool sl_host_memory_is_own(const struct sl_memory *memory)
{
    return memory->owned || memory->mapped_bytes;
}

void *sl_host_memory_host(struct sl_memory *memory)
{
    return memory->bytes;
}

unsigned char *sl_place_address(struct sl_place place)
{
    return place.memory ? place.memory->bytes + place.offset : (unsigned char *)place.offset;
}
