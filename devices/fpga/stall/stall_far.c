/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the watch, and the clusters of all rows are claimed. */
#include "fpga/stall/stall_far.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/io/io_pipe.h"
#include "fpga/stream/shm_wait.h"
#include "sluice/base/wait.h"

enum { MOST_FAR = 20, NAME_BYTES = 48 };
static const uint32_t far_magic = 0x31726166;

struct far_hop {
    char who[NAME_BYTES], kernel[NAME_BYTES], pipe[NAME_BYTES]; /* which has the pipe's other end */
    uint64_t mark;                                              /* of this wait: no other has it */
    uint32_t process, unused;
};

/* Between hosts of one kind. */
struct far_word {
    uint32_t magic, count;         /* of the hops; 0: it does not wait */
    uint64_t index;                /* packets that the teller's kernel has moved at this pipe */
    struct far_hop hops[MOST_FAR]; /* the teller, whom it waits for, and so on */
};

static struct sl_io_end *end_of(const struct sl_stall_row *row, const struct sl_pipe_ring *ring)
{
    const struct sl_design *design = row->fiber ? row->fiber->design : NULL;
    const struct sl_pipe_info *pipe = ring ? ring->info : NULL;
    if (!design || !design->ends || !pipe || pipe < design->info->pipes ||
        pipe >= design->info->pipes + design->info->pipe_count)
        return NULL;
    struct sl_io_end *end = design->ends[pipe - design->info->pipes];
    return end && sl_io_has_words(end) ? end : NULL;
}

bool sl_far_waits(const struct sl_stall_row *row)
{
    return row->hope != SL_HOPE_MOVES && row->fiber && row->fiber->ring &&
           end_of(row, row->ring) != NULL;
}

static uint64_t index_of(struct sl_pipe_ring *ring, unsigned op)
{
    return __atomic_load_n(sl_ring_index(ring, op), __ATOMIC_RELAXED);
}

/* Changes with each packet that ends such a wait. */
static uint64_t mark_of(const struct sl_stall_row *at)
{
    static uint64_t process;
    if (!process)
        process = sl_clock_ns() << 20 ^ (uint64_t)getpid();
    uint64_t mark = process ^ (uint64_t)(uintptr_t)at->ring;
    return (mark * 0x9e3779b97f4a7c15) ^ (index_of(at->ring, at->op) + 1) * 0xbf58476d1ce4e5b9;
}

/* What the other end of the pipe where it waits has said, if that is so now. */
static bool hear(const struct sl_stall_row *at, struct far_word *word)
{
    size_t bytes = sl_io_hear(end_of(at, at->ring), word, sizeof *word);
    const size_t head = offsetof(struct far_word, hops);
    if (bytes < head || word->magic != far_magic || word->count > MOST_FAR || !word->count ||
        bytes < head + word->count * sizeof *word->hops)
        return false;
    for (uint32_t i = 0; i < word->count; i++) {
        struct far_hop *hop = &word->hops[i];
        hop->who[NAME_BYTES - 1] = hop->kernel[NAME_BYTES - 1] = hop->pipe[NAME_BYTES - 1] = 0;
    }
    return at->op == SL_PIPE_WRITE || word->index == index_of(at->ring, SL_PIPE_READ);
}

static void name(struct far_hop *self, const struct sl_stall_row *row,
                 const struct sl_pipe_ring *ring, struct sl_io_end *end)
{
    sl_io_name_self(end, self->who, sizeof self->who);
    snprintf(self->kernel, sizeof self->kernel, "%s", row->fiber->kernel->name);
    snprintf(self->pipe, sizeof self->pipe, "%s", ring->info->name);
    self->process = (uint32_t)getpid();
}

/* Without memory nothing is said, or what was heard is left out. */
static void tell_at(const struct sl_stall_row *row, const struct sl_stall_row *at,
                    struct sl_pipe_ring *ring, struct sl_io_end *end)
{
    struct far_word *word = calloc(1, sizeof *word), *heard = malloc(sizeof *heard);
    if (word) {
        word->magic = far_magic;
        word->index = index_of(ring, sl_io_is_input(end) ? SL_PIPE_READ : SL_PIPE_WRITE);
    }
    if (word && at) {
        name(&word->hops[0], row, ring, end);
        word->hops[0].mark = mark_of(at);
        word->count = 1;
    }
    if (word && at && heard && hear(at, heard)) {
        uint32_t more = heard->count < MOST_FAR - 1 ? heard->count : MOST_FAR - 1;
        memcpy(&word->hops[1], heard->hops, more * sizeof *word->hops);
        word->count += more;
    }
    if (word)
        sl_io_tell(end, word, offsetof(struct far_word, hops) + word->count * sizeof *word->hops);
    free(word);
    free(heard);
}

void sl_far_tell(const struct sl_stall_row *row, const struct sl_stall_row *at)
{
    struct sl_reach reach;
    if (!row->fiber)
        return;
    sl_reach_of(row->fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++) {
        struct sl_pipe_ring *ring = sl_reach_ring(&reach, i);
        struct sl_io_end *end = end_of(row, ring);
        unsigned op = end && sl_io_is_input(end) ? SL_PIPE_READ : SL_PIPE_WRITE;
        if (end && sl_stall_uses(row->fiber, ring, op))
            tell_at(row, at && sl_far_waits(at) ? at : NULL, ring, end);
    }
}

/* Up to the one whose wait has that mark. */
static uint32_t follow(const struct far_word *word, uint64_t mark, struct sl_shm_hop *hops,
                       uint32_t most)
{
    for (uint32_t i = 0; i < word->count && i < most; i++) {
        const struct far_hop *from = &word->hops[i];
        hops[i].process = from->process;
        snprintf(hops[i].who, sizeof hops[i].who, "%s", from->who);
        snprintf(hops[i].kernel, sizeof hops[i].kernel, "%s", from->kernel);
        snprintf(hops[i].pipe, sizeof hops[i].pipe, "%s", from->pipe);
        if (from->mark == mark)
            return i + 1;
    }
    return 0;
}

uint32_t sl_far_find_cycle(const struct sl_stall_row *row, struct sl_shm_hop *hops, uint32_t most)
{
    struct far_word *word = malloc(sizeof *word);
    uint32_t count = word && hear(row, word) ? follow(word, mark_of(row), hops, most) : 0;
    free(word);
    return count;
}
