/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What work-items of a kernel without pipes leave of their times (sl_kernel_info.times), added up
 * group by group on whichever thread has run it, until the launch is over. Each group has a row of
 * its own, in a block of neighbours that becomes one row when all of them have been heard, unless
 * compute units take them as they have room; sums over loops are atomic.
 */
#include <stdlib.h>
#include <string.h>

#include "common/kernel/item_listener.h"
#include "common/runtime/code.h"
#include "fpga/clock/clock.h"
#include "fpga/clock/clock_counted.h"
#include "fpga/profile/profile_data.h"

enum { OF_ITEM = 2, OF_LOOP = 2, BLOCK = 4096 };

struct block {
    _Atomic(struct sl_clock_group *) rows; /* owned; NULL: none was heard, or all */
    _Atomic uint64_t heard;
    struct sl_clock_group all;
};

struct listener {
    struct sl_item_listener base;
    struct sl_profile *profile; /* borrowed: the launch holds its code */
    struct sl_work_queue *work_queue;
    const struct sl_clock_kernel *schedule; /* borrowed: the profile's */
    uint32_t kernel, loop_words;
    bool joins;           /* there is one unit: groups that follow each other there are like one */
    bool rows;            /* SL_KERNEL_TIMED_BY_ROWS: what is a group here is a row of it */
    struct block *blocks; /* owned, in the order in which groups begin; NULL: no memory */
    uint64_t group_count, block_size;
    atomic_bool lost;         /* no memory for a block */
    _Atomic uint64_t loops[]; /* of each: entries, iterations */
};

static uint64_t block_count(const struct listener *l)
{
    return l->group_count / l->block_size + (l->group_count % l->block_size != 0);
}

/* The last group in a dimension may have fewer items. */
static uint64_t size_of(const struct sl_launch *launch, const struct sl_group *group, int d)
{
    const size_t left = launch->global_size[d] - group->id[d] * launch->local_size[d];
    return left < launch->local_size[d] ? left : launch->local_size[d];
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t most_of(const uint64_t *words, uint64_t count)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < count; i++)
        most = greater(most, words[i]);
    return most;
}

/* So many items side by side, which go in step through loops that an item enters once at most. */
static struct sl_clock_group time_step(const struct sl_clock_kernel *schedule,
                                       const uint64_t *words, uint64_t stride, uint64_t items)
{
    const struct sl_clock_region *region = schedule->region_count ? schedule->regions : NULL;
    struct sl_clock_group of = {region ? region->depth : 0, region ? greater(region->apart, 1) : 1};
    for (uint32_t i = 0; i < schedule->loop_count; i++) {
        const struct sl_clock_loop *loop = &schedule->loops[i];
        const uint64_t iterations = most_of(words + (OF_ITEM + OF_LOOP * i + 1) * stride, items);
        if (!loop->pipelined || !iterations)
            continue;
        of.through += (iterations - 1) * loop->interval + loop->drain;
        of.apart = greater(of.apart, iterations * loop->slot);
    }
    of.through = greater(of.through, 1);
    return of;
}

/* They begin one after the other. */
static void add_step(struct sl_clock_group *of, uint64_t through, uint64_t apart)
{
    of->through = greater(of->through, of->apart + through);
    of->apart += apart;
}

/* Four of them at a time: none of their sums waits for the one before. */
static uint64_t add_steps(struct sl_clock_group *of, const uint64_t *through, const uint64_t *apart,
                          uint64_t count)
{
    uint64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const uint64_t two = apart[i] + apart[i + 1], three = two + apart[i + 2];
        const uint64_t first = greater(through[i], apart[i] + through[i + 1]);
        const uint64_t last = greater(two + through[i + 2], three + through[i + 3]);
        add_step(of, greater(first, last), three + apart[i + 3]);
    }
    return i;
}

static struct sl_clock_group time_group(const struct sl_clock_kernel *schedule,
                                        const uint64_t *words, uint64_t stride, uint64_t items)
{
    const uint64_t lanes = schedule->lanes;
    struct sl_clock_group of = {0};
    for (uint64_t i = lanes == 1 ? add_steps(&of, words, words + stride, items) : 0;
         lanes == 1 && i < items; i++)
        add_step(&of, words[i], words[stride + i]);
    for (uint64_t i = 0; lanes > 1 && i < items; i += lanes) {
        const uint64_t count = lanes < items - i ? lanes : items - i;
        const struct sl_clock_group step = time_step(schedule, words + i, stride, count);
        add_step(&of, step.through, step.apart);
    }
    return of;
}

/* The rows of a block, made by whoever comes first. */
static struct sl_clock_group *rows_of(struct listener *l, struct block *block)
{
    struct sl_clock_group *rows = atomic_load_explicit(&block->rows, memory_order_acquire);
    struct sl_clock_group *made = rows ? NULL : calloc(l->block_size, sizeof *made);
    if (rows || !made)
        return rows;
    if (atomic_compare_exchange_strong_explicit(&block->rows, &rows, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    free(made);
    return rows;
}

static struct sl_clock_group sum_of_rows(const struct sl_clock_group *rows, uint64_t count)
{
    struct sl_clock_group sum = {0};
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t end = sum.apart + rows[i].through;
        if (rows[i].apart && end > sum.through)
            sum.through = end;
        sum.apart += rows[i].apart;
    }
    return sum;
}

static void put(struct listener *l, uint64_t number, struct sl_clock_group row)
{
    struct block *block = &l->blocks[number / l->block_size];
    struct sl_clock_group *rows = rows_of(l, block);
    if (!rows) {
        atomic_store_explicit(&l->lost, true, memory_order_relaxed);
        return;
    }
    rows[number % l->block_size] = row;
    /* what others have put there is seen */
    if (atomic_fetch_add_explicit(&block->heard, 1, memory_order_acq_rel) + 1 == l->block_size &&
        l->joins) {
        block->all = sum_of_rows(rows, l->block_size);
        atomic_store_explicit(&block->rows, NULL, memory_order_relaxed);
        free(rows);
    }
}

/* Of so many items side by side the one that has most counts. */
static uint64_t sum_of(const uint64_t *words, uint64_t count, uint64_t lanes)
{
    typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));
    uint64_t sum = 0, n = 0;
    four sums = {0};
    for (; lanes == 1 && n + 4 <= count; n += 4)
        sums += *(const four *)(words + n);
    sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (; lanes == 1 && n < count; n++)
        sum += words[n];
    for (uint64_t i = 0; lanes > 1 && i < count; i += lanes)
        sum += most_of(words + i, lanes < count - i ? lanes : count - i);
    return sum;
}

/* A row of the group, or all of it, as if it were one. Rows that it does not have are empty. */
static void time_rows(struct listener *l, const struct sl_launch *launch,
                      const struct sl_group *group, uint64_t stride)
{
    const size_t *all = launch->group_count, *id = group->id, *local = launch->local_size;
    const uint64_t wide = size_of(launch, group, 0), high = size_of(launch, group, 1),
                   deep = size_of(launch, group, 2);
    const uint64_t rows = l->rows ? local[1] * local[2] : 1;
    const uint64_t first = (id[2] * all[1] + id[1]) * rows * all[0] + id[0];
    const uint64_t *words = group->times;
    if (!l->rows) {
        put(l, first, time_group(l->schedule, words, stride, wide * high * deep));
        return;
    }
    for (uint64_t z = 0; z < local[2]; z++)
        for (uint64_t y = 0; y < local[1]; y++) {
            const bool is = y < high && z < deep;
            put(l, first + (z * local[1] + y) * all[0],
                time_group(l->schedule, words, stride, is ? wide : 0));
            words += is ? wide : 0;
        }
}

static void hear(struct sl_item_listener *base, const struct sl_launch *launch,
                 const struct sl_group *group)
{
    struct listener *l = (struct listener *)base;
    const uint64_t stride = launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
    const uint64_t items =
        size_of(launch, group, 0) * size_of(launch, group, 1) * size_of(launch, group, 2);
    if (!l->blocks)
        return;
    time_rows(l, launch, group, stride);
    for (uint32_t w = 0; w < l->loop_words; w++)
        atomic_fetch_add_explicit(
            &l->loops[w], sum_of(group->times + (OF_ITEM + w) * stride, items, l->schedule->lanes),
            memory_order_relaxed);
}

/* A row for each block, or all rows of the only one. Groups that never ran have left nothing. NULL:
 * no memory. Owned by the caller. */
static struct sl_clock_group *take_rows(struct listener *l, uint64_t *count)
{
    *count = l->joins ? block_count(l) : l->group_count;
    struct sl_clock_group *sums = calloc(*count + 1, sizeof *sums);
    for (uint64_t b = 0; l->blocks && b < block_count(l); b++) {
        struct block *block = &l->blocks[b];
        struct sl_clock_group *rows = atomic_load_explicit(&block->rows, memory_order_acquire);
        if (sums && rows && !l->joins)
            memcpy(sums, rows, *count * sizeof *sums);
        else if (sums && l->joins)
            sums[b] = rows ? sum_of_rows(rows, l->block_size) : block->all;
        free(rows);
    }
    return sums;
}

static void end(struct sl_item_listener *base)
{
    struct listener *l = (struct listener *)base;
    uint64_t count;
    struct sl_clock_group *sums = take_rows(l, &count);
    const bool whole = l->blocks && sums && !atomic_load_explicit(&l->lost, memory_order_relaxed);
    const struct sl_clock_heard heard = {sums, count, (const uint64_t *)l->loops};
    sl_profile_heard(l->profile, l->kernel, l->work_queue, whole ? &heard : NULL);
    free(sums);
    free(l->blocks);
    free(l);
}

static uint64_t count_groups(const struct sl_launch_args *args, bool rows)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < args->work_dim; d++) {
        count *= args->global_size[d] / args->local_size[d] +
                 (args->global_size[d] % args->local_size[d] != 0);
        count *= d && rows ? args->local_size[d] : 1;
    }
    return count;
}

struct sl_item_listener *sl_profile_listen(const struct sl_launch_args *args,
                                           struct sl_work_queue *work_queue)
{
    const struct sl_design *design = args->code->design;
    struct sl_profile *profile = design ? design->profile : NULL;
    const uint32_t loops = profile && profile->clock
                               ? sl_clock_heard_loops(profile->clock, args->kernel_index)
                               : UINT32_MAX;
    if (loops > UINT32_MAX / OF_LOOP - OF_ITEM ||
        sl_launch_kernel(args)->times != OF_ITEM + OF_LOOP * loops)
        return NULL;
    struct listener *l = calloc(1, sizeof *l + OF_LOOP * loops * sizeof l->loops[0]);
    if (!l) {
        sl_clock_lose(profile->clock);
        return NULL;
    }
    *l = (struct listener){.base = {hear, end},
                           .profile = profile,
                           .work_queue = work_queue,
                           .schedule = sl_clock_schedule_of(profile->clock, args->kernel_index),
                           .kernel = args->kernel_index,
                           .loop_words = OF_LOOP * loops,
                           .rows = sl_launch_kernel(args)->flags & SL_KERNEL_TIMED_BY_ROWS};
    l->group_count = count_groups(args, l->rows);
    l->joins = l->schedule->units == 1;
    l->block_size = l->joins ? BLOCK : l->group_count + 1;
    l->blocks = calloc(block_count(l) + 1, sizeof *l->blocks);
    return &l->base;
}
