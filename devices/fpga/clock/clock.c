/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: a kernel's counters are written by the thread that runs its cluster. */
#include "fpga/clock/clock.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/clock/clock_counted.h"
#include "fpga/clock/clock_marked.h"
#include "fpga/clock/clock_run.h"
#include "sluice/module.h"

/* ---- life ------------------------------------------------------------------------------------ */

/* Compute units have that of the kernel: "k.1" has k's. */
static const struct sl_clock_kernel *find_schedule(const struct sl_clock *clock, uint32_t row)
{
    const struct sl_kernel_info *kernel = &clock->info->kernels[row];
    const char *dot = strrchr(kernel->name, '.');
    char name[256];
    if (!(kernel->flags & SL_KERNEL_COPY) || !dot || (size_t)(dot - kernel->name) >= sizeof name)
        return sl_clock_schedule_find(&clock->schedule, kernel->name);
    snprintf(name, sizeof name, "%.*s", (int)(dot - kernel->name), kernel->name);
    return sl_clock_schedule_find(&clock->schedule, name);
}

/* How many loops all rows have together. */
static uint32_t join_kernels(struct sl_clock *clock)
{
    uint32_t loops = 0;
    for (uint32_t k = 0; k < clock->info->kernel_count; k++) {
        struct sl_clock_kernel_row *row = &clock->kernels[k];
        row->schedule = find_schedule(clock, k);
        row->first_loop = loops;
        sl_clock_set(&row->begin, UINT64_MAX);
        loops += row->schedule ? row->schedule->loop_count : 0;
    }
    return loops;
}

struct sl_clock *sl_clock_create(const struct sl_module_info *info, uint32_t pipe_rows,
                                 const char *rates)
{
    struct sl_clock *clock = calloc(1, sizeof *clock);
    if (!clock)
        return NULL;
    clock->info = info;
    clock->rates = strdup(rates ? rates : "");
    clock->pipe_count = pipe_rows;
    clock->kernels = calloc(info->kernel_count + (size_t)1, sizeof *clock->kernels);
    clock->sites = calloc(info->site_count + (size_t)1, sizeof *clock->sites);
    clock->pipes = calloc(pipe_rows + (size_t)1, sizeof *clock->pipes);
    if (!sl_clock_schedule_read(&clock->schedule, info->timing) && clock->kernels)
        clock->loops = calloc(join_kernels(clock) + (size_t)1, sizeof *clock->loops);
    if (clock->loops && clock->sites && clock->pipes && clock->rates)
        return clock;
    sl_clock_destroy(clock);
    return NULL;
}

void sl_clock_destroy(struct sl_clock *clock)
{
    if (!clock)
        return;
    sl_clock_schedule_finish(&clock->schedule);
    sl_clock_events_destroy(clock->events);
    free(clock->rates);
    free(clock->kernels);
    free(clock->loops);
    free(clock->sites);
    free(clock->pipes);
    free(clock);
}

void sl_clock_lose(struct sl_clock *clock)
{
    atomic_store_explicit(&clock->lost, true, memory_order_relaxed);
}

bool sl_clock_keep_events(struct sl_clock *clock)
{
    clock->events = sl_clock_events_create();
    return clock->events != NULL;
}

void sl_clock_note(const struct sl_clock_run *run, enum sl_clock_what what, int32_t pipe,
                   uint64_t packets)
{
    const struct sl_clock *clock = run->clock;
    if (!clock->events)
        return;
    const struct sl_clock_event event = {
        .cycle = run->cycle,
        .kernel = (uint32_t)(run->kernel - clock->kernels),
        .what = what,
        .pipe = pipe,
        .count = packets,
        .waited = run->waited,
    };
    sl_clock_events_add(clock->events, &event);
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct sl_clock_run *sl_clock_begin(struct sl_clock *clock, uint32_t kernel, uint64_t cycle,
                                    _Atomic uint64_t *through)
{
    struct sl_clock_run *run = calloc(1, sizeof *run);
    if (!run) {
        sl_clock_lose(clock);
        return NULL;
    }
    run->clock = clock;
    run->through = through;
    run->kernel = &clock->kernels[kernel];
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    if (schedule && schedule->items && !(run->items = sl_clock_items_create(schedule)))
        sl_clock_lose(clock);
    run->beside = run->items && schedule->lanes > 1;
    run->begin = run->last = cycle;
    run->cycle = cycle;
    run->frames[0].row = run->frames[0].last = SL_CLOCK_NO_ROW;
    sl_clock_note(run, SL_CLOCK_BEGINS, -1, 0);
    sl_clock_add(&run->kernel->runs, 1);
    if (cycle < sl_clock_get(&run->kernel->begin))
        sl_clock_set(&run->kernel->begin, cycle);
    if (cycle > sl_clock_get(&run->kernel->end)) /* it may have nothing that takes time */
        sl_clock_set(&run->kernel->end, cycle);
    return run;
}

static void note_run(const struct sl_clock *clock, uint32_t kernel, enum sl_clock_what what,
                     uint64_t cycle)
{
    const struct sl_clock_event event = {
        .cycle = cycle, .kernel = kernel, .what = what, .pipe = -1};
    if (clock->events)
        sl_clock_events_add(clock->events, &event);
}

/* The only row of a kernel whose work-items are iterations. NULL: they are not. */
static const struct sl_clock_loop *items_of(const struct sl_clock_kernel *schedule)
{
    bool are = schedule && !schedule->items && schedule->loop_count == 1 &&
               schedule->loops[0].pipelined && schedule->loops[0].items;
    return are ? &schedule->loops[0] : NULL;
}

/* Work-items of the unit that has most: groups are spread evenly. */
static uint64_t most_of_unit(const struct sl_clock_loop *loop, const size_t items[3],
                             const size_t group[3], uint64_t lanes)
{
    const uint64_t units = loop->units ? loop->units : 1;
    uint64_t all = (items[0] + lanes - 1) / lanes * items[1] * items[2], groups = 1;
    for (int d = 0; d < 3; d++)
        groups *= (items[d] + group[d] - 1) / group[d];
    const uint64_t own = (group[0] + lanes - 1) / lanes * group[1] * group[2];
    const uint64_t most = (groups + units - 1) / units * own;
    return units > 1 && most < all ? most : all;
}

static void count_run(struct sl_clock *clock, uint32_t kernel, uint64_t cycle, uint64_t cycles)
{
    struct sl_clock_kernel_row *row = &clock->kernels[kernel];
    note_run(clock, kernel, SL_CLOCK_BEGINS, cycle);
    note_run(clock, kernel, SL_CLOCK_ENDS, cycle + cycles);
    sl_clock_add(&row->runs, 1);
    sl_clock_add(&row->busy, cycles);
    if (cycle < sl_clock_get(&row->begin))
        sl_clock_set(&row->begin, cycle);
    if (cycle + cycles > sl_clock_get(&row->end))
        sl_clock_set(&row->end, cycle + cycles);
}

/* Loops that items meet in are not told of by others either. */
static uint64_t go_counted(struct sl_clock *clock, uint32_t kernel, uint64_t cycle,
                           const size_t items[3], const size_t group[3])
{
    const struct sl_clock_kernel_row *row = &clock->kernels[kernel];
    uint64_t cycles, steps;
    if (!sl_clock_counted(row->schedule, items, group, &cycles, &steps)) {
        sl_clock_lose(clock);
        return cycle;
    }
    for (uint32_t i = 0; i < row->schedule->loop_count; i++) {
        const struct sl_clock_loop *loop = &row->schedule->loops[i];
        struct sl_clock_loop_row *counts = &clock->loops[row->first_loop + i];
        if (loop->meets)
            continue;
        sl_clock_add(&counts->entries, steps * loop->times);
        sl_clock_add(&counts->iterations, steps * loop->times * loop->trips);
    }
    count_run(clock, kernel, cycle, cycles);
    return cycle + cycles;
}

uint32_t sl_clock_heard_loops(const struct sl_clock *clock, uint32_t kernel)
{
    const struct sl_clock_kernel *schedule = clock->kernels[kernel].schedule;
    const bool alone = schedule && schedule->items && !schedule->groups && !schedule->visits;
    return alone ? schedule->loop_count : UINT32_MAX;
}

const struct sl_clock_kernel *sl_clock_schedule_of(const struct sl_clock *clock, uint32_t kernel)
{
    return clock->kernels[kernel].schedule;
}

uint64_t sl_clock_go_heard(struct sl_clock *clock, uint32_t kernel, uint64_t cycle,
                           const struct sl_clock_heard *heard)
{
    const struct sl_clock_kernel_row *row = &clock->kernels[kernel];
    uint64_t cycles;
    if (!heard || !sl_clock_heard(row->schedule, heard->groups, heard->group_count, &cycles)) {
        sl_clock_lose(clock);
        return cycle;
    }
    for (uint32_t i = 0; i < row->schedule->loop_count; i++) {
        struct sl_clock_loop_row *counts = &clock->loops[row->first_loop + i];
        sl_clock_add(&counts->entries, heard->loops[2 * i]);
        sl_clock_add(&counts->iterations, heard->loops[2 * i + 1]);
    }
    count_run(clock, kernel, cycle, cycles);
    return cycle + cycles;
}

/* Iterations have neighbours in dimension 0. What is outside of loops takes no time. */
uint64_t sl_clock_go_through(struct sl_clock *clock, uint32_t kernel, uint64_t cycle,
                             const size_t items[3], const size_t group[3])
{
    const struct sl_clock_kernel_row *row = &clock->kernels[kernel];
    const struct sl_clock_loop *loop = items_of(row->schedule);
    if (row->schedule && row->schedule->items && row->schedule->visits)
        return go_counted(clock, kernel, cycle, items, group);
    if (!loop && row->schedule && clock->info->kernels[kernel].line && !row->schedule->items &&
        !row->schedule->loop_count)
        count_run(clock, kernel, cycle, 0);
    if (!loop)
        return cycle;
    const uint64_t lanes = loop->lanes ? loop->lanes : 1;
    const uint64_t iterations = (items[0] + lanes - 1) / lanes * items[1] * items[2];
    const uint64_t steps = most_of_unit(loop, items, group, lanes);
    const uint64_t cycles = steps ? (steps - 1) * loop->interval + loop->drain : 0;
    struct sl_clock_loop_row *counts = &clock->loops[row->first_loop];
    sl_clock_add(&counts->entries, 1);
    sl_clock_add(&counts->iterations, iterations);
    count_run(clock, kernel, cycle, cycles);
    return cycle + cycles;
}

uint64_t sl_clock_present(const struct sl_clock_run *run)
{
    return run->nominal;
}

uint64_t sl_clock_end(struct sl_clock *clock, struct sl_clock_run *run)
{
    (void)clock;
    if (!run)
        return 0;
    if (run->items)
        sl_clock_items_end(run);
    sl_clock_come_through(run);
    uint64_t end = run->cycle = run->last;
    run->waited = 0;
    sl_clock_note(run, SL_CLOCK_ENDS, -1, 0);
    sl_delays_finish(&run->time);
    sl_clock_items_destroy(run->items);
    sl_clock_marked_destroy(run->marked);
    free(run->moves);
    free(run);
    return end;
}

void sl_clock_guess(struct sl_clock_run *run, enum sl_clock_doubt why)
{
    if (run)
        atomic_fetch_or_explicit(&run->clock->doubts, 1u << why, memory_order_relaxed);
}
