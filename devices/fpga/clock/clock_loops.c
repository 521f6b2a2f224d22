/* SPDX-License-Identifier: Apache-2.0 */
/* Where a run is in the loops of its kernel, and in which nominal cycle: see clock_run.h. */
#include "fpga/ahead/ahead.h"
#include "fpga/clock/clock_run.h"
#include "fpga/cluster/fiber.h"
#include "sluice/loop_nest.h"
#include "sluice/module.h"

static struct sl_clock_loop_row *counts_of(const struct sl_clock_run *run, int32_t row)
{
    return &run->clock->loops[run->kernel->first_loop + (uint32_t)row];
}

static bool is_at(const struct sl_clock_frame *f, uint32_t line, uint32_t column)
{
    return f->line == line && f->column == column;
}

struct sl_clock_frame *sl_clock_scheduled_frame(struct sl_clock_run *run)
{
    uint32_t depth = run->depth;
    while (depth && run->frames[depth].row == SL_CLOCK_NO_ROW)
        depth--;
    return &run->frames[depth];
}

/* It is of the iterations that the run is in, as far as that is told: in loops inside of `around`
 * that have vanished, and in that one. */
static bool is_copy_here(const struct sl_clock_run *run, const struct sl_clock_frame *around,
                         const struct sl_clock_loop *loop)
{
    bool here = true;
    for (uint32_t i = 0; i < loop->around_count; i++) {
        const struct sl_clock_around *of = &loop->around[i];
        for (const struct sl_clock_frame *f = around; f <= &run->frames[run->depth]; f++)
            if (is_at(f, of->line, of->column) && f->iterations)
                here &=
                    (of->of ? (f->iterations - 1) % of->of : f->iterations - 1) == of->iteration;
    }
    return here;
}

int32_t sl_clock_find_loop(const struct sl_clock_run *run, const struct sl_clock_frame *around,
                           uint32_t line, uint32_t column)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    uint32_t count = schedule ? schedule->loop_count : 0;
    if (around->last >= 0 && schedule->loops[around->last].alone &&
        schedule->loops[around->last].line == line &&
        schedule->loops[around->last].column == column)
        return around->last;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t row = (uint32_t)(around->last + 1) + n;
        const struct sl_clock_loop *loop = &schedule->loops[row < count ? row : row - count];
        if (loop->parent == around->row && loop->line == line && loop->column == column &&
            is_copy_here(run, around, loop))
            return (int32_t)(loop - schedule->loops);
    }
    return SL_CLOCK_NO_ROW;
}

/* A loop at this place is one with the pipelined one around it. */
static bool is_merged(const struct sl_clock_frame *around, uint32_t line, uint32_t column)
{
    const struct sl_clock_loop *loop = around->loop;
    for (uint32_t i = 0; loop && i < loop->merged_count; i++)
        if (loop->merged[i].line == line && loop->merged[i].column == column)
            return true;
    return false;
}

int32_t sl_clock_begun_loop(struct sl_clock_run *run, const struct sl_clock_frame *around,
                            uint32_t line, uint32_t column)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    const int32_t row = sl_clock_find_loop(run, around, line, column);
    for (uint32_t i = 0; row == SL_CLOCK_NO_ROW && schedule && i < schedule->loop_count; i++)
        if (schedule->loops[i].line == line && schedule->loops[i].column == column &&
            !schedule->loops[i].copied && !schedule->loops[i].around_count)
            sl_clock_guess(run, SL_CLOCK_ELSEWHERE);
    return row;
}

static void count_entry(const struct sl_clock_run *run, struct sl_clock_loop_row *counts)
{
    if (!run->beside)
        sl_clock_add(&counts->entries, 1);
}

static void count_iterations(const struct sl_clock_run *run, struct sl_clock_loop_row *counts,
                             uint64_t iterations)
{
    if (!run->beside)
        sl_clock_add(&counts->iterations, iterations);
}

/* What is more than of others beside it counts. */
static void leave_beside(struct sl_clock_run *run, int32_t row, uint64_t iterations)
{
    struct sl_clock_loop_row *counts = counts_of(run, row);
    const struct sl_clock_lead lead =
        sl_clock_items_leave(run, &run->kernel->schedule->loops[row], iterations);
    sl_clock_add(&counts->entries, lead.entries);
    sl_clock_add(&counts->iterations, lead.iterations);
}

/* A loop has run dry before anything behind it begins. */
static void leave_loop(struct sl_clock_run *run)
{
    const struct sl_clock_frame *f = &run->frames[run->depth--];
    const struct sl_clock_loop *loop = f->loop;
    if (loop && run->beside)
        leave_beside(run, f->row, f->iterations);
    if (!loop || !loop->pipelined || !f->iterations)
        return;
    sl_clock_end_iteration(run, f);
    run->at = f->began + loop->drain;
    if (run->items && !run->beside)
        sl_clock_items_leave(run, loop, f->iterations);
    sl_clock_pass(run, run->at);
    sl_clock_come_through(run);
}

/* Out of the loop at this place, and all that are inside of it. False: the run is not in it. */
static bool leave_to(struct sl_clock_run *run, uint32_t line, uint32_t column, bool itself)
{
    uint32_t at = run->depth;
    while (at && !is_at(&run->frames[at], line, column))
        at--;
    while (at && run->depth > at)
        leave_loop(run);
    if (at && itself)
        leave_loop(run);
    return at > 0;
}

static void enter_loop(struct sl_clock_run *run, uint32_t line, uint32_t column)
{
    leave_to(run, line, column, true);
    struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    int32_t row = sl_clock_begun_loop(run, around, line, column);
    if (row != SL_CLOCK_NO_ROW)
        around->last = row;
    if (run->depth == SL_CLOCK_FRAMES)
        return;
    struct sl_clock_frame *f = &run->frames[++run->depth];
    *f = (struct sl_clock_frame){
        .loop = row == SL_CLOCK_NO_ROW ? NULL : &run->kernel->schedule->loops[row],
        .counts = row == SL_CLOCK_NO_ROW ? NULL : counts_of(run, row),
        .line = line,
        .column = column,
        .row = row,
        .last = SL_CLOCK_NO_ROW,
        .merged = is_merged(around, line, column),
        .began = run->at};
    if (row != SL_CLOCK_NO_ROW)
        count_entry(run, f->counts);
}

void sl_clock_iterate_counted(struct sl_clock_run *run, struct sl_clock_frame *f)
{
    sl_clock_iterate(run, f);
    count_iterations(run, f->counts, 1);
}

/* The first one of a loop that is part of another is in an iteration of that one already. */
static void iterate_merged(struct sl_clock_run *run, struct sl_clock_frame *f)
{
    struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    if (f->iterations++ && !around->ahead)
        sl_clock_iterate_counted(run, around);
    around->ahead = false;
}

static void begin_iteration(struct sl_clock_run *run, uint32_t line, uint32_t column)
{
    if (!leave_to(run, line, column, false))
        return;
    struct sl_clock_frame *f = &run->frames[run->depth];
    const struct sl_clock_loop *loop = f->loop;
    if (f->merged) {
        iterate_merged(run, f);
        return;
    }
    if (loop && loop->pipelined && !f->ahead) {
        sl_clock_iterate_counted(run, f);
    } else if (loop && !loop->pipelined) {
        count_iterations(run, f->counts, 1);
        f->iterations++;
        f->next = 0;
    } else if (!loop) {
        f->iterations++;
    }
    f->ahead = false;
}

/* Nothing has happened in it: only when its last iteration has run dry counts. */
static void go_through(struct sl_clock_run *run, uint32_t line, uint32_t column,
                       uint64_t iterations)
{
    struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    int32_t row = sl_clock_begun_loop(run, around, line, column);
    if (is_merged(around, line, column))
        for (uint64_t n = 1; n < iterations; n++)
            sl_clock_iterate_counted(run, around);
    if (row == SL_CLOCK_NO_ROW)
        return;
    const struct sl_clock_loop *loop = &run->kernel->schedule->loops[row];
    struct sl_clock_loop_row *counts = counts_of(run, row);
    around->last = row;
    count_entry(run, counts);
    count_iterations(run, counts, iterations);
    if (run->beside)
        leave_beside(run, row, iterations);
    if (!loop->pipelined || !iterations)
        return;
    run->at += (iterations - 1) * loop->interval + loop->drain;
    if (run->items && !run->beside)
        sl_clock_items_leave(run, loop, iterations);
    sl_clock_pass(run, run->at);
    sl_clock_come_through(run);
}

/* A kernel's work-item begins: the next iteration of what is like a loop around all of it, but has
 * no mark at its end. */
static void begin_item(struct sl_clock_run *run, uint32_t line, uint32_t column, uint64_t number)
{
    if (run->items) {
        run->depth = 0;
        run->frames[0].next = 0;
        run->frames[0].last = SL_CLOCK_NO_ROW;
        sl_clock_items_begin(run, line, column, number);
        return;
    }
    if (column) /* items that follow each other meet */
        return;
    if (!leave_to(run, line, 0, false))
        enter_loop(run, line, 0);
    begin_iteration(run, line, 0);
    const struct sl_clock_frame *f = &run->frames[run->depth];
    if (f->loop)
        run->at = f->began + f->loop->drain;
}

/* As it mostly is: the loop goes round, and nothing is out of the ordinary. */
static inline bool goes_round_plainly(struct sl_clock_run *run, uint32_t what, uint32_t line,
                                      uint32_t column)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    if (what != SL_LOOP_ITERATES || !is_at(f, line, column) || !f->loop || f->ahead)
        return false;
    if (f->loop->pipelined)
        sl_clock_iterate(run, f);
    else
        f->iterations++;
    f->next = 0;
    count_iterations(run, f->counts, 1);
    return true;
}

/* The same of a loop that nothing happens in, the one that was last entered here. */
static inline bool passes_plainly(struct sl_clock_run *run, uint32_t what, uint32_t line,
                                  uint32_t column, uint64_t iterations)
{
    const struct sl_clock_frame *f = &run->frames[run->depth];
    if (what != SL_LOOP_IS_THROUGH || iterations < 2 || !f->loop || f->last < 0 || run->items ||
        f->loop->merged_count)
        return false;
    const struct sl_clock_loop *loop = &run->kernel->schedule->loops[f->last];
    if (!loop->alone || loop->line != line || loop->column != column || !loop->pipelined)
        return false;
    struct sl_clock_loop_row *counts = counts_of(run, f->last);
    sl_clock_add(&counts->entries, 1);
    sl_clock_add(&counts->iterations, iterations - 1);
    run->at += (iterations - 2) * loop->interval + loop->drain;
    sl_clock_pass(run, run->at);
    sl_clock_come_through(run);
    return true;
}

void sl_clock_mark_run(struct sl_clock_run *run, uint32_t what, uint32_t line, uint32_t column,
                       uint64_t iterations)
{
    if (goes_round_plainly(run, what, line, column))
        return;
    if (what == SL_LOOPS_ARE_THROUGH) {
        sl_clock_nest_is_through(run, (const struct sl_nest_row *)(uintptr_t)iterations, line);
        return;
    }
    switch ((enum sl_loop_mark)what) {
    case SL_LOOP_BEGINS:
        enter_loop(run, line, column);
        break;
    case SL_LOOP_ITERATES:
        begin_iteration(run, line, column);
        break;
    case SL_LOOP_ENDS:
        leave_to(run, line, column, true);
        break;
    case SL_LOOP_IS_THROUGH:
        if (iterations)
            go_through(run, line, column, iterations - 1);
        break;
    case SL_LOOP_IS_ITEM:
        begin_item(run, line, column, iterations);
        break;
    }
}

void sl_clock_mark(const struct sl_launch *launch, uint32_t what, uint32_t line, uint32_t column,
                   uint64_t iterations)
{
    struct sl_fiber *fiber = launch->owner;
    if (__builtin_expect(sl_ahead_is_behind(fiber), 0))
        sl_ahead_wait(fiber);
    if (fiber->clock && !goes_round_plainly(fiber->clock, what, line, column) &&
        !passes_plainly(fiber->clock, what, line, column, iterations))
        sl_clock_mark_run(fiber->clock, what, line, column, iterations);
}

/* Operations outside of pipelined loops that have cycles of the schedule; how many. */
static uint32_t stretches_of(const struct sl_clock_run *run, const struct sl_clock_frame *f,
                             const struct sl_clock_step **steps)
{
    const struct sl_clock_loop *loop = f->loop;
    const struct sl_clock_kernel *kernel = run->kernel->schedule;
    *steps = loop ? loop->steps : kernel ? kernel->steps : NULL;
    return loop ? loop->step_count : kernel ? kernel->step_count : 0;
}

/* A stretch is like a loop of one iteration: what is behind it comes when it is through. */
static uint64_t in_stretch(struct sl_clock_run *run, struct sl_clock_frame *f,
                           const struct sl_pipe_site *site)
{
    const struct sl_clock_step *steps;
    uint32_t count = stretches_of(run, f, &steps);
    uint32_t step = sl_clock_find_step(steps, count, f->next, site);
    bool again = step == count;
    if (again)
        step = sl_clock_find_step(steps, count, 0, site);
    if (step == count || !steps[step].stretch) {
        sl_clock_pass(run, run->at);
        return run->at++;
    }
    if (again || !f->next || steps[f->next - 1].stretch != steps[step].stretch) {
        f->began = run->at;
        sl_clock_pass(run, f->began);
        for (uint32_t i = 0; i < count; i++)
            if (steps[i].stretch == steps[step].stretch && run->at <= f->began + steps[i].cycle)
                run->at = f->began + steps[i].cycle + 1;
    }
    f->next = step + 1;
    return f->began + steps[step].cycle;
}

static bool has_step(const struct sl_clock_loop *loop, const struct sl_pipe_site *site)
{
    return sl_clock_find_step(loop->steps, loop->step_count, 0, site) < loop->step_count;
}

/* Which of the loops that the run is in has the operation, 0: it is in none; SL_CLOCK_FRAMES + 1:
 * the schedule has it elsewhere. */
static uint32_t depth_of(const struct sl_clock_run *run, const struct sl_pipe_site *site)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    uint32_t depth = run->depth;
    while (depth && !(run->frames[depth].loop && has_step(run->frames[depth].loop, site)))
        depth--;
    for (uint32_t i = 0; !depth && i < schedule->loop_count; i++)
        if (has_step(&schedule->loops[i], site))
            return SL_CLOCK_FRAMES + 1;
    return depth;
}

/* An operation that the pipelined loop does not have. The compiler has found that it comes but once
 * the loop is over, whatever code it stands in: the loop has run dry before it. */
static uint64_t behind_loop(struct sl_clock_run *run, struct sl_clock_frame *f,
                            const struct sl_pipe_site *site)
{
    const uint32_t depth = f->loop->items ? SL_CLOCK_FRAMES + 1 : depth_of(run, site);
    if (depth > SL_CLOCK_FRAMES) {
        sl_clock_guess(run, SL_CLOCK_ELSEWHERE);
        return f->began;
    }
    while (run->depth > depth)
        leave_loop(run);
    return sl_clock_nominal(run, site);
}

uint64_t sl_clock_nominal(struct sl_clock_run *run, const struct sl_pipe_site *site)
{
    struct sl_clock_frame *f = sl_clock_scheduled_frame(run);
    const struct sl_clock_loop *loop = f->loop;
    if (!loop || !loop->pipelined || !f->iterations)
        return in_stretch(run, f, site);
    uint32_t step = sl_clock_find_step(loop->steps, loop->step_count, f->next, site);
    if (step == loop->step_count &&
        (step = sl_clock_find_step(loop->steps, loop->step_count, 0, site)) < loop->step_count) {
        sl_clock_iterate_counted(run, f); /* it stands in front of the mark */
        f->ahead = true;
    }
    if (step == loop->step_count)
        return behind_loop(run, f, site);
    f->next = step + 1;
    return f->began + loop->steps[step].cycle;
}

void sl_clock_shift(struct sl_clock_run *run, uint64_t cycles)
{
    run->nominal += cycles;
    run->at += cycles;
    sl_clock_scheduled_frame(run)->began += cycles;
}

/* What is left of the stretch that the run is in may come before its end. */
static uint64_t least_in_stretch(const struct sl_clock_run *run, const struct sl_clock_frame *f)
{
    const struct sl_clock_step *steps;
    uint32_t count = stretches_of(run, f, &steps);
    uint64_t least = run->at;
    for (uint32_t i = f->next; f->next && i < count; i++)
        if (steps[i].stretch && steps[i].stretch == steps[f->next - 1].stretch &&
            f->began + steps[i].cycle < least)
            least = f->began + steps[i].cycle;
    return least;
}

/* Later iterations begin later, what is behind a loop comes later still, and delays only grow. */
uint64_t sl_clock_least(struct sl_clock_run *run)
{
    const struct sl_clock_frame *f = sl_clock_scheduled_frame(run);
    const struct sl_clock_loop *loop = f->loop;
    bool pipelined = loop && loop->pipelined && f->iterations;
    uint64_t nominal = pipelined ? f->began : least_in_stretch(run, f);
    if (run->items && sl_clock_items_next(run) < nominal)
        nominal = sl_clock_items_next(run);
    return run->begin + nominal + sl_delays_at(&run->time, nominal);
}
