/* SPDX-License-Identifier: Apache-2.0 */
/* Work-group arithmetic. No state, no lock. */
#include "common/kernel/ndrange.h"

#include <string.h>

#include "common/base/times.h"
#include "common/kernel/item_listener.h"

bool sl_ndrange_init(struct sl_launch *launch, const struct sl_launch_args *args, uint64_t *total)
{
    uint64_t groups = 1;
    *launch = (struct sl_launch){
        .work_dim = (uint16_t)args->work_dim, .stream_kib = UINT32_MAX, .apart = args->apart};
    for (uint32_t i = 0; i < 3; i++) {
        bool used = i < args->work_dim;
        size_t global = used ? args->global_size[i] : 1, local = used ? args->local_size[i] : 1;
        launch->global_offset[i] = used ? args->global_offset[i] : 0;
        launch->global_size[i] = global;
        launch->local_size[i] = local;
        launch->group_count[i] = global / local + (global % local != 0);
        if (__builtin_mul_overflow(groups, launch->group_count[i], &groups))
            return false;
    }
    *total = groups;
    return true;
}

static void exchange(size_t *a, size_t *b)
{
    size_t was = *a;
    *a = *b;
    *b = was;
}

/* The dimension that changes places with dimension 0; 0: none. Its items, or a group's where groups
 * are run one by one, should fill a vector, or be no fewer than those along dimension 0, and not
 * one. */
static uint32_t interchanged_dimension(const struct sl_kernel_info *kernel, const size_t size[3])
{
    uint32_t d = kernel->flags & SL_KERNEL_INTERCHANGED_1   ? 1
                 : kernel->flags & SL_KERNEL_INTERCHANGED_2 ? 2
                                                            : 0;
    bool few = size[d] < kernel->vector_width && (size[d] < size[0] || size[d] == 1);
    return few && kernel->flags & SL_KERNEL_BOTH_FORMS ? 0 : d;
}

void sl_ndrange_interchange(const struct sl_kernel_info *kernel, struct sl_launch *launch)
{
    const size_t *row = kernel->flags & SL_KERNEL_FLAT ? launch->global_size : launch->local_size;
    uint32_t d = interchanged_dimension(kernel, row);
    launch->form = !d;
    exchange(&launch->global_offset[0], &launch->global_offset[d]);
    exchange(&launch->global_size[0], &launch->global_size[d]);
    exchange(&launch->local_size[0], &launch->local_size[d]);
    exchange(&launch->group_count[0], &launch->group_count[d]);
}

uint64_t sl_ndrange_group_items(const struct sl_launch *launch)
{
    return (uint64_t)launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
}

uint64_t sl_ndrange_items(const struct sl_launch_args *args)
{
    uint64_t items = 1;
    for (uint32_t i = 0; i < args->work_dim; i++)
        items = sl_times(items, args->global_size[i]);
    return items;
}

/* Cut between vectors, a row of a flat kernel would be run item by item at each cut; cut at pages
 * of words, threads share neither pages nor lines. */
uint64_t sl_ndrange_grain(const struct sl_kernel_info *kernel, const struct sl_launch *launch,
                          uint64_t total)
{
    enum { PAGE_ITEMS = 1024, ENOUGH = 256 };
    size_t local = launch->local_size[0];
    if (!(kernel->flags & SL_KERNEL_FLAT) || kernel->vector_width <= 1)
        return 1;
    size_t even = local & -local; /* so is the width of vectors */
    uint64_t grain = even < kernel->vector_width ? kernel->vector_width / even : 1;
    uint64_t pages = even < PAGE_ITEMS ? PAGE_ITEMS / even : 1;
    bool one_row = launch->global_size[1] == 1 && launch->global_size[2] == 1;
    return one_row && pages > grain && pages <= total / ENOUGH ? pages : grain;
}

/* Groups that are run one by one for another reason than barriers have nothing to share. */
uint64_t sl_ndrange_strip(const struct sl_kernel_info *kernel, const struct sl_launch *launch,
                          uint32_t item_ps, uint64_t grain)
{
    enum { ITEMS = 64, LONG_ITEM_PS = 10000, FEWEST = 2, SHARED = 512 };
    const uint64_t row_groups = launch->group_count[0];
    size_t local = launch->local_size[0],
           items = kernel->vector_width > ITEMS ? kernel->vector_width : ITEMS;
    uint64_t strip = items / local + (items % local != 0);
    strip = (strip + grain - 1) / grain * grain;
    bool several = row_groups / FEWEST >= strip && launch->group_count[1] >= FEWEST;
    bool free = kernel->flags & (SL_KERNEL_FLAT | SL_KERNEL_USES_BARRIER) &&
                !(kernel->flags & (SL_KERNEL_TILES | SL_KERNEL_USES_PRINT | SL_KERNEL_USES_PIPES));
    /* Rows of words that far apart share their places in the cache, which does not hold a strip. */
    free = free && launch->global_size[0] % SHARED;
    return several && free && item_ps >= LONG_ITEM_PS ? strip : row_groups;
}

/* A group, and the strip that it is in: columns `from` to `to`. */
struct place {
    uint64_t plane, row, column, from, to;
};

static void begin_strip(struct place *p, const struct sl_launch *launch, uint64_t strip)
{
    uint64_t left = launch->group_count[0] - p->from;
    p->to = p->from + (left < strip ? left : strip);
    p->column = p->from;
}

static struct place place_of(const struct sl_launch *launch, uint64_t strip, uint64_t group)
{
    const uint64_t rows = launch->group_count[1], plane = launch->group_count[0] * rows;
    struct place p = {.plane = group / plane};
    group %= plane;
    p.from = group / (strip * rows) * strip;
    group -= p.from * rows;
    begin_strip(&p, launch, strip);
    p.row = group / (p.to - p.from);
    p.column += group % (p.to - p.from);
    return p;
}

static void move_on(struct place *p, const struct sl_launch *launch, uint64_t strip, uint64_t by)
{
    p->column += by;
    if (p->column < p->to)
        return;
    p->column = p->from;
    if (++p->row < launch->group_count[1])
        return;
    p->row = 0;
    p->from = p->to;
    if (p->from == launch->group_count[0]) {
        p->from = 0;
        p->plane++;
    }
    begin_strip(p, launch, strip);
}

void sl_ndrange_run(const struct sl_kernel_info *kernel, const void *args,
                    const struct sl_launch *launch, const struct sl_arena *arena, uint64_t strip,
                    uint64_t first, uint64_t count)
{
    const bool tiles = kernel->flags & SL_KERNEL_TILES && launch->local_size[0] > 1 &&
                       launch->local_size[1] > 1; /* or there is no use in groups apart */
    if (!count)
        return;
    struct place p = place_of(launch, strip, first);
    while (count) {
        uint64_t here = p.to - p.column;
        if (here > count)
            here = count;
        if (tiles || arena->clear_bytes || arena->listener)
            here = 1;
        if (arena->clear_bytes)
            memset(arena->local, 0, arena->clear_bytes);
        struct sl_group group = {
            .id = {p.column, p.row, p.plane},
            .count = here,
            .local = arena->local,
            .context = arena->context,
            .local_bytes = arena->local_bytes,
            .context_bytes = arena->context_bytes,
            .times = arena->listener ? arena->times : NULL,
        };
        kernel->run(args, launch, &group);
        if (arena->listener)
            arena->listener->heard(arena->listener, launch, &group);
        count -= here;
        move_on(&p, launch, strip, here);
    }
}

/* ---- local sizes ----------------------------------------------------------------------------- */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The largest divisor of n up to `most` that is a multiple of `step`, or 0. */
static size_t divisor(size_t n, size_t most, size_t step)
{
    for (size_t d = least_of(n, most) / step * step; d; d -= step) {
        bool divides = n <= UINT32_MAX ? (uint32_t)n % (uint32_t)d == 0 : n % d == 0;
        if (divides)
            return d;
    }
    return 0;
}

/* A divisor of n up to `most` of which little is left over when rows go in step. */
static size_t rows_of_group(size_t n, size_t most)
{
    enum { IN_STEP = 4, ENOUGH = 2 * IN_STEP };
    size_t best = 1;
    for (size_t d = IN_STEP; d <= least_of(most, 2 * ENOUGH); d++) {
        size_t left = d % IN_STEP, best_left = best < IN_STEP ? best : best % IN_STEP;
        bool better = left * best < best_left * d;
        if (n % d == 0 && (better || (left * best == best_left * d && d <= ENOUGH)))
            best = d;
    }
    return best;
}

/* Work-items a group should have: enough to drown the call, few enough to give every thread
 * several. */
static size_t wanted_items(const struct sl_kernel_info *kernel, uint64_t items, unsigned threads,
                           size_t most)
{
    enum { GROUPS_PER_THREAD = 4, WITH_BARRIER = 256, WITHOUT = 1024 };
    size_t want = kernel->flags & SL_KERNEL_USES_BARRIER ? WITH_BARRIER : WITHOUT;
    uint64_t share = items / ((uint64_t)threads * GROUPS_PER_THREAD);
    if (share < want)
        want = share;
    if (want < kernel->vector_width)
        want = kernel->vector_width;
    return least_of(want ? want : 1, most);
}

/* Rows of as few items as this are less than a call. */
static const size_t narrow = 64;

/* How many rows a group should have, of `most` items; 1: as many as it has. */
static size_t rows_joined(const struct sl_kernel_info *kernel, const struct sl_launch *launch,
                          size_t most)
{
    enum { ENOUGH = 4, WANTED = 8, NARROW_ITEMS = 1024 };
    size_t high = launch->global_size[1], own = launch->local_size[1],
           wide = launch->global_size[0];
    size_t room = most / (sl_ndrange_group_items(launch) / own), rows = 1;
    bool must_divide = kernel->flags & SL_KERNEL_UNIFORM_GROUPS;
    if (kernel->flags & SL_KERNEL_ROWS_IN_STEP && own < ENOUGH) {
        room = least_of(room, 2 * WANTED);
        rows = must_divide ? rows_of_group(high, room) : least_of(WANTED, room);
        rows = rows < ENOUGH ? 1 : rows;
    }
    if (rows > 1 || !(kernel->flags & SL_KERNEL_FLAT) || !wide || wide > narrow)
        return rows;
    room = least_of(room, NARROW_ITEMS / wide);
    rows = must_divide ? divisor(high, room, 1) : least_of(high, room);
    return rows < 2 * own ? 1 : rows;
}

void sl_ndrange_join_rows(const struct sl_kernel_info *kernel, struct sl_launch *launch,
                          unsigned threads, uint64_t *total)
{
    enum { GROUPS_PER_THREAD = 8, MOST_ITEMS = 8192 };
    if (kernel->reqd_size[0])
        return;
    size_t rows = rows_joined(kernel, launch, MOST_ITEMS), high = launch->global_size[1];
    uint64_t columns = launch->group_count[0] * launch->group_count[2];
    if (rows == 1)
        return;
    size_t count = high / rows + (high % rows != 0);
    if (columns * count < (uint64_t)threads * GROUPS_PER_THREAD)
        return;
    launch->local_size[1] = rows;
    launch->group_count[1] = count;
    *total = columns * count;
}

/* The size of a group's side; 0: there is none. Lines that far apart share their places in the
 * first cache, which are eight: no wider than a vector. */
static size_t side_of(const struct sl_kernel_info *kernel, size_t items, size_t wanted)
{
    return kernel->flags & SL_KERNEL_UNIFORM_GROUPS ? divisor(items, wanted, wanted / 4)
                                                    : least_of(items, wanted);
}

void sl_ndrange_make_tiles(const struct sl_kernel_info *kernel, struct sl_launch *launch,
                           unsigned threads, uint64_t *total)
{
    enum { WIDE = 8, HIGH = 64, GROUPS_PER_THREAD = 4 };
    size_t wide = kernel->vector_width > WIDE ? kernel->vector_width : WIDE;
    size_t side[2] = {side_of(kernel, launch->global_size[0], wide),
                      side_of(kernel, launch->global_size[1], HIGH)};
    if (!(kernel->flags & SL_KERNEL_TILES) || side[0] < WIDE || side[1] < WIDE)
        return;
    uint64_t count = launch->group_count[2], groups[2];
    for (uint32_t d = 0; d < 2; d++) {
        groups[d] = launch->global_size[d] / side[d] + (launch->global_size[d] % side[d] != 0);
        if (__builtin_mul_overflow(count, groups[d], &count))
            return;
    }
    if (count < (uint64_t)threads * GROUPS_PER_THREAD)
        return;
    for (uint32_t d = 0; d < 2; d++) {
        launch->local_size[d] = side[d];
        launch->group_count[d] = groups[d];
    }
    *total = count;
}

/* Dimensions as the kernel's code has them. */
static void suggest(const struct sl_kernel_info *kernel, uint32_t work_dim, const size_t global[3],
                    unsigned threads, size_t most, size_t local[3])
{
    const struct sl_launch_args all = {
        .work_dim = work_dim,
        .global_size = {global[0], work_dim > 1 ? global[1] : 1, work_dim > 2 ? global[2] : 1}};
    for (uint32_t i = 0; i < 3; i++)
        local[i] = kernel->reqd_size[i] ? kernel->reqd_size[i] : 1;
    if (kernel->reqd_size[0])
        return;
    if (kernel->max_work_group_size)
        most = least_of(most, kernel->max_work_group_size);
    size_t want = wanted_items(kernel, sl_ndrange_items(&all), threads, most);
    size_t step = kernel->vector_width ? kernel->vector_width : 1;
    if (kernel->flags & SL_KERNEL_ROWS_IN_STEP && work_dim > 1)
        local[1] = rows_of_group(global[1], want / step);
    size_t row = want / local[1];
    local[0] = divisor(global[0], row, step);
    if (!local[0]) /* merged rows make the size of a flat kernel's groups meaningless */
        local[0] =
            divisor(global[0], kernel->flags & SL_KERNEL_FLAT ? least_of(row, narrow) : row, 1);
    if (!local[0])
        local[0] = 1;
    for (uint32_t i = 1; i < work_dim && global[0] <= narrow; i++) {
        size_t room = want / (local[0] * local[1] * local[2]);
        if (local[i] == 1 && room > 1)
            local[i] = divisor(global[i], room, 1);
    }
}

void sl_ndrange_suggest(const struct sl_kernel_info *kernel, uint32_t work_dim,
                        const size_t global[3], unsigned threads, size_t most, size_t local[3])
{
    size_t interchanged[3];
    for (uint32_t i = 0; i < 3; i++)
        interchanged[i] = i < work_dim ? global[i] : 1;
    uint32_t d = interchanged_dimension(kernel, interchanged);
    exchange(&interchanged[0], &interchanged[d]);
    suggest(kernel, d < work_dim ? work_dim : d + 1, interchanged, threads, most, local);
    exchange(&local[0], &local[d]);
}
