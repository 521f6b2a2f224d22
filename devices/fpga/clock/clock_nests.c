/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests of loops in which a run has done nothing that others could see, told of when they have
 * ended. An iteration of a loop around others takes no time of its own, so the cycles of each
 * innermost one add up, in whatever order it was entered: see clock_run.h.
 */
#include "fpga/clock/clock_run.h"
#include "sluice/loop_nest.h"

static bool has_merged(const struct sl_clock_loop *loop, const struct sl_nest_row *row)
{
    uint32_t i = 0;
    while (i < loop->merged_count &&
           (loop->merged[i].line != row->line || loop->merged[i].column != row->column))
        i++;
    return i < loop->merged_count;
}

struct nest {
    const struct sl_clock_kernel *schedule;
    const struct sl_nest_row *rows;
    uint32_t count;
    int32_t first; /* the outermost loop's */
};

/* There is one at most. */
static int32_t find_inside(const struct nest *nest, const struct sl_nest_row *row)
{
    const uint32_t count = nest->schedule->loop_count;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = ((uint32_t)(nest->first + 1) + n) % count;
        const struct sl_clock_loop *loop = &nest->schedule->loops[i];
        if (loop->line == row->line && loop->column == row->column)
            return (int32_t)i;
    }
    return SL_CLOCK_NO_ROW;
}

static int32_t find_row(const struct nest *nest, uint32_t i)
{
    return i ? find_inside(nest, &nest->rows[i]) : nest->first;
}

/* Of loops inside that are one with it: the first of each time is in an iteration of its own. */
static uint64_t merged_iterations(const struct nest *nest, const struct sl_clock_loop *loop)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; loop->merged_count && i < nest->count; i++)
        if (has_merged(loop, &nest->rows[i]))
            sum += nest->rows[i].iterations - nest->rows[i].filled;
    return sum;
}

static void add_loop(struct sl_clock_run *run, const struct nest *nest, uint32_t i, int32_t row)
{
    const struct sl_clock_loop *loop = &nest->schedule->loops[row];
    struct sl_clock_loop_row *counts = &run->clock->loops[run->kernel->first_loop + (uint32_t)row];
    const uint64_t iterations = nest->rows[i].iterations + merged_iterations(nest, loop);
    const uint64_t filled = nest->rows[i].filled;
    sl_clock_add(&counts->entries, nest->rows[i].entries);
    sl_clock_add(&counts->iterations, iterations);
    if (loop->pipelined)
        run->at += (iterations - filled) * loop->interval + filled * loop->drain;
}

void sl_clock_nest_is_through(struct sl_clock_run *run, const struct sl_nest_row *rows,
                              uint32_t count)
{
    struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    struct nest nest = {.schedule = run->kernel->schedule, .rows = rows, .count = count};
    if (!rows->entries || !nest.schedule)
        return;
    const uint64_t before = run->at;
    nest.first = sl_clock_begun_loop(run, around, rows->line, rows->column);
    if (nest.first != SL_CLOCK_NO_ROW)
        around->last = nest.first;
    for (uint64_t n = around->loop ? merged_iterations(&nest, around->loop) : 0; n; n--)
        sl_clock_iterate_counted(run, around);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t row = find_row(&nest, i);
        if (row != SL_CLOCK_NO_ROW)
            add_loop(run, &nest, i, row);
    }
    if (run->at == before)
        return;
    sl_clock_pass(run, run->at);
    sl_clock_come_through(run);
}
