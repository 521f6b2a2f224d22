/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What work-items of a kernel without pipes leave of their times (sl_kernel_info.times), added up
 * group by group on whichever thread has run it, until the launch is over. Each group has a row of
 * its own; sums over loops are atomic.
 */
#include <stdlib.h>

#include "common/kernel/item_listener.h"
#include "common/runtime/code.h"
#include "fpga/profile/clock.h"
#include "fpga/profile/clock_counted.h"
#include "fpga/profile/profile_data.h"

enum { OF_ITEM = 2, OF_LOOP = 2 };

struct listener {
    struct sl_item_listener base;
    struct sl_profile *profile; /* borrowed: the launch holds its code */
    struct sl_work_queue *work_queue;
    uint32_t kernel, loop_words;
    bool rows; /* SL_KERNEL_TIMED_BY_ROWS: what is a group here is a row of it */
    struct sl_clock_group *groups; /* owned, in the order in which they begin; NULL: no memory */
    uint64_t group_count;
    _Atomic uint64_t loops[]; /* of each: entries, iterations */
};

/* The last group in a dimension may have fewer items. */
static uint64_t size_of(const struct sl_launch *launch, const struct sl_group *group, int d)
{
    const size_t left = launch->global_size[d] - group->id[d] * launch->local_size[d];
    return left < launch->local_size[d] ? left : launch->local_size[d];
}

/* They begin one after the other. */
static struct sl_clock_group time_group(const uint64_t *through, const uint64_t *apart,
                                        uint64_t items)
{
    struct sl_clock_group of = {0};
    for (uint64_t i = 0; i < items; i++) {
        const uint64_t end = of.apart + through[i];
        of.through = end > of.through ? end : of.through;
        of.apart += apart[i];
    }
    return of;
}

static uint64_t sum_of(const uint64_t *words, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* A row of the group, or all of it, as if it were one. */
static void time_rows(struct listener *l, const struct sl_launch *launch,
                      const struct sl_group *group, uint64_t stride)
{
    const size_t *all = launch->group_count, *id = group->id;
    const uint64_t wide = size_of(launch, group, 0), high = size_of(launch, group, 1),
                   deep = size_of(launch, group, 2);
    const uint64_t rows = l->rows ? launch->local_size[1] * launch->local_size[2] : 1;
    struct sl_clock_group *first = &l->groups[(id[2] * all[1] + id[1]) * rows * all[0] + id[0]];
    const uint64_t *words = group->times;
    if (!l->rows) {
        *first = time_group(words, words + stride, wide * high * deep);
        return;
    }
    for (uint64_t z = 0; z < deep; z++)
        for (uint64_t y = 0; y < high; y++, words += wide)
            first[(z * launch->local_size[1] + y) * all[0]] =
                time_group(words, words + stride, wide);
}

static void hear(struct sl_item_listener *base, const struct sl_launch *launch,
                 const struct sl_group *group)
{
    struct listener *l = (struct listener *)base;
    const uint64_t stride = launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
    const uint64_t items =
        size_of(launch, group, 0) * size_of(launch, group, 1) * size_of(launch, group, 2);
    if (!l->groups)
        return;
    time_rows(l, launch, group, stride);
    for (uint32_t w = 0; w < l->loop_words; w++)
        atomic_fetch_add_explicit(&l->loops[w],
                                  sum_of(group->times + (OF_ITEM + w) * stride, items),
                                  memory_order_relaxed);
}

static void end(struct sl_item_listener *base)
{
    struct listener *l = (struct listener *)base;
    const struct sl_clock_heard heard = {l->groups, l->group_count, (const uint64_t *)l->loops};
    sl_profile_heard(l->profile, l->kernel, l->work_queue, l->groups ? &heard : NULL);
    free(l->groups);
    free(l);
}

/* Those that are never written are of groups that never ran, or have no such row. */
static struct sl_clock_group *make_groups(const struct sl_launch_args *args, bool rows,
                                          uint64_t *count)
{
    *count = 1;
    for (uint32_t d = 0; d < args->work_dim; d++) {
        *count *= args->global_size[d] / args->local_size[d] +
                  (args->global_size[d] % args->local_size[d] != 0);
        *count *= d && rows ? args->local_size[d] : 1;
    }
    return calloc(*count + 1, sizeof(struct sl_clock_group));
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
                           .kernel = args->kernel_index,
                           .loop_words = OF_LOOP * loops,
                           .rows = sl_launch_kernel(args)->flags & SL_KERNEL_TIMED_BY_ROWS};
    l->groups = make_groups(args, l->rows, &l->group_count);
    return &l->base;
}
