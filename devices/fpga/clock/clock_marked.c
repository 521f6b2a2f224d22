/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_marked.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/clock/clock_varied.h"
#include "sluice/loop_nest.h"
#include "sluice/module.h"

/* ---- a copy of the run ----------------------------------------------------------------------- */

struct round {
    uint64_t base, steps[SL_PIPE_MOST_STEPS];
    struct sl_clock_point points[SL_PIPE_MOST_STEPS + 1];
};

struct sl_clock_trial { /* nothing of it is seen by others */
    struct sl_clock_run run;
    struct sl_clock clock;
    struct sl_clock_kernel_row kernel;
    struct round rounds[2];
};

static void begin_trial(struct sl_clock_trial *t, const struct sl_clock_run *run,
                        struct sl_clock_loop_row *loops)
{
    t->clock = (struct sl_clock){.info = run->clock->info, .loops = loops};
    t->kernel = (struct sl_clock_kernel_row){.schedule = run->kernel->schedule};
    t->run = (struct sl_clock_run){.clock = &t->clock,
                                   .kernel = &t->kernel,
                                   .begin = 1, /* so that `last` tells when a loop is through */
                                   .at = run->at,
                                   .depth = run->depth};
    memcpy(t->run.frames, run->frames, (run->depth + (size_t)1) * sizeof *run->frames);
    for (uint32_t d = 0; d <= run->depth; d++)
        if (run->frames[d].row != SL_CLOCK_NO_ROW)
            t->run.frames[d].counts = &loops[run->frames[d].row];
}

/* The nominal cycle in which the next round begins. */
static uint64_t base_of(struct sl_clock_run *run)
{
    const struct sl_clock_frame *f = sl_clock_scheduled_frame(run);
    return f->loop && f->loop->pipelined && f->iterations ? f->began + f->loop->interval : run->at;
}

/* Where it is, and what it takes. False: not that simple. */
static bool find_varied(struct sl_clock_run *run, struct sl_clock_varied *v,
                        const struct sl_loop_told *told)
{
    const struct sl_clock_frame *f = &run->frames[run->depth];
    const int32_t row = sl_clock_begun_loop(run, f, told->line, told->column);
    *v = (struct sl_clock_varied){.before = told->before, .row = row, .at = run->at};
    if (!f->loop || f->loop->merged_count || f->loop->pipelined)
        return false;
    if (row == SL_CLOCK_NO_ROW)
        return true;
    const struct sl_clock_loop *loop = &run->kernel->schedule->loops[row];
    v->interval = loop->interval;
    v->drain = loop->drain;
    v->pipelined = loop->pipelined;
    return loop->alone;
}

static void tell(struct sl_clock_run *run, const struct sl_loop_told *told,
                 struct sl_clock_point *point, uint32_t varied)
{
    run->last = 0;
    sl_clock_mark_run(run, told->what, told->line, told->column, told->iterations);
    if (!run->last)
        return;
    point->through = run->last - run->begin;
    point->passed = true;
    point->varied = varied;
}

static void clear(struct sl_clock_loop_row *rows, uint32_t count)
{
    for (uint32_t l = 0; l < count; l++) {
        sl_clock_set(&rows[l].entries, 0);
        sl_clock_set(&rows[l].iterations, 0);
    }
}

static void copy(struct sl_clock_loop_row *to, const struct sl_clock_loop_row *from, uint32_t count)
{
    for (uint32_t l = 0; l < count; l++) {
        sl_clock_set(&to[l].entries, sl_clock_get(&from[l].entries));
        sl_clock_set(&to[l].iterations, sl_clock_get(&from[l].iterations));
    }
}

static bool are_same(const struct sl_clock_loop_row *a, const struct sl_clock_loop_row *b,
                     uint32_t count)
{
    bool same = true;
    for (uint32_t l = 0; l < count; l++)
        same &= sl_clock_get(&a[l].entries) == sl_clock_get(&b[l].entries) &&
                sl_clock_get(&a[l].iterations) == sl_clock_get(&b[l].iterations);
    return same;
}

/* The trial goes through a round. `first`: it is noted what is counted; else false: that is not the
 * same. */
static bool go_round(struct sl_clock_trial *t, struct sl_clock_marked *k,
                     const struct sl_pipe_rounds *r, bool first)
{
    struct sl_clock_run *run = &t->run;
    struct round *round = &t->rounds[!first];
    struct sl_clock_point point = {0};
    bool same = true;
    uint32_t varied = 0;
    clear(t->clock.loops, k->loop_count);
    round->base = base_of(run);
    for (uint32_t i = 0, n = 0; i <= r->step_count; i++) {
        struct sl_clock_loop_row *counts = &k->counts[i * (size_t)k->loop_count];
        for (; n < r->told_count && r->told[n].before == i; n++)
            if (sl_pipe_varies(&r->told[n]))
                same &= find_varied(run, &k->varied[varied++], &r->told[n]);
            else
                tell(run, &r->told[n], &point, varied);
        k->in_front[i] = (uint8_t)varied;
        point.at = run->at;
        round->points[i] = point;
        if (first)
            copy(counts, t->clock.loops, k->loop_count);
        else
            same &= are_same(counts, t->clock.loops, k->loop_count);
        if (i < r->step_count)
            round->steps[i] = sl_clock_nominal(run, sl_pipe_site_of(r, i));
    }
    return same;
}

/* ---- what rounds have in common -------------------------------------------------------------- */

static bool is_later(uint64_t later, uint64_t cycle, uint64_t interval)
{
    return later - cycle == interval;
}

/* The second round is the first one, `interval` later. */
static bool is_like(const struct sl_clock_marked *k, uint32_t count, const struct round *a,
                    const struct round *b)
{
    bool like = is_later(b->base, a->base, k->interval);
    for (uint32_t i = 0; i < count; i++)
        like &= is_later(b->steps[i], a->steps[i], k->interval);
    for (uint32_t i = 0; i <= count; i++) {
        const struct sl_clock_point *p = &a->points[i], *q = &b->points[i];
        like &= p->passed == q->passed &&
                (!p->passed || is_later(q->through, p->through, k->interval)) &&
                is_later(q->at, p->at, k->at_later ? k->interval : 0);
    }
    return like;
}

/* And leaves the run as that has. */
static bool is_frame_like(const struct sl_clock_marked *k, const struct sl_clock_frame *a,
                          const struct sl_clock_frame *b)
{
    return a->line == b->line && a->column == b->column && a->row == b->row && a->last == b->last &&
           a->next == b->next && a->merged == b->merged && a->ahead == b->ahead &&
           !a->iterations == !b->iterations &&
           (a->began == b->began || is_later(b->began, a->began, k->interval));
}

static bool is_run_like(struct sl_clock_marked *k, struct sl_clock_run *run)
{
    const struct sl_clock_frame *f = sl_clock_scheduled_frame(run);
    bool like = run->depth == k->depth;
    for (uint32_t d = 0; d <= k->depth && like; d++) {
        like = is_frame_like(k, &k->frames[d], &run->frames[d]);
        k->begins_later[d] = run->frames[d].began != k->frames[d].began;
        k->goes_round[d] = run->frames[d].iterations != k->frames[d].iterations;
    }
    const bool overlaps = f->loop && f->loop->pipelined && f->iterations;
    const bool counts = overlaps || f->next; /* cycles count from where `f` has begun */
    return like && (!counts || k->begins_later[f - run->frames]) && (k->at_later || overlaps);
}

/* Whichever loop in front of it was the last one, it is the same that is there. */
static bool is_alone(const struct sl_clock_run *run, const struct sl_loop_told *told)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    bool alone = told->what != SL_LOOPS_ARE_THROUGH;
    for (uint32_t l = 0; schedule && l < schedule->loop_count; l++) {
        const struct sl_clock_loop *loop = &schedule->loops[l];
        alone &= loop->alone || loop->line != told->line || loop->column != told->column;
    }
    return alone;
}

/* Loops that end by data put off what is behind them, and nothing else. */
static bool can_vary(const struct sl_clock_marked *k, const struct sl_clock_run *run,
                     const struct sl_pipe_rounds *r)
{
    bool can = k->at_later && k->goes_round[k->depth];
    for (uint32_t d = 0; d <= k->depth; d++)
        can &= !k->begins_later[d];
    for (uint32_t i = 0; i < r->told_count && can; i++)
        can = is_alone(run, &r->told[i]);
    return can;
}

/* Cycles never go back in a round, nor behind the begin of the next one, so that whoever waits
 * holds up all that follows. Where a loop is through in front of a step that came since, that one
 * tells how far the run has come, in whatever cycle the other was. */
static bool is_in_order(const struct sl_clock_marked *k, uint32_t count, const struct round *r)
{
    const uint64_t end = r->base + k->interval, last = r->steps[count - 1];
    bool good = last >= r->base && last - r->steps[0] <= k->interval;
    uint64_t before = r->base;
    for (uint32_t i = 0; i <= count; i++) {
        const struct sl_clock_point *p = &r->points[i];
        if (p->passed)
            good &= p->through >= r->base && p->through <= end && p->through + k->interval >= last;
        if (i < count)
            good &= r->steps[i] >= before;
        before = i < count ? r->steps[i] : before;
    }
    return good;
}

void sl_clock_marked_destroy(struct sl_clock_marked *k)
{
    if (k) {
        free(k->trial);
        free(k->counts);
    }
    free(k);
}

static struct sl_clock_marked *make(struct sl_clock_run *run, uint32_t points)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    struct sl_clock_marked *k = run->marked;
    if (k && k->point_count >= points)
        return k;
    sl_clock_marked_destroy(k);
    run->marked = NULL;
    k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->point_count = points;
    k->loop_count = schedule ? schedule->loop_count : 0;
    k->counts = calloc((points + (size_t)1) * k->loop_count + 1, sizeof *k->counts);
    k->trial = malloc(sizeof *k->trial);
    if (k->counts && k->trial)
        return run->marked = k;
    sl_clock_marked_destroy(k);
    return NULL;
}

static void keep_state(struct sl_clock_marked *k, const struct sl_clock_run *run)
{
    memcpy(k->frames, run->frames, (run->depth + (size_t)1) * sizeof *run->frames);
    k->at = run->at;
}

/* In each of its rounds a loop inside may be another one. */
static bool tells_copies_apart(const struct sl_clock_run *run)
{
    const struct sl_clock_kernel *schedule = run->kernel->schedule;
    const struct sl_clock_frame *f = &run->frames[run->depth];
    bool tells = false;
    for (uint32_t l = 0; schedule && l < schedule->loop_count; l++)
        for (uint32_t i = 0; i < schedule->loops[l].around_count; i++)
            tells |= schedule->loops[l].around[i].line == f->line &&
                     schedule->loops[l].around[i].column == f->column;
    return tells;
}

bool sl_clock_marked_find(struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                          struct sl_clock_moves *m)
{
    const bool small = run->depth < SL_CLOCK_MARKED_FRAMES && !tells_copies_apart(run);
    struct sl_clock_marked *k = small ? make(run, r->step_count + 1) : NULL;
    if (!k)
        return false;
    struct sl_clock_trial *t = k->trial;
    k->depth = run->depth;
    begin_trial(t, run, &k->counts[k->point_count * (size_t)k->loop_count]);
    go_round(t, k, r, true);
    if (t->run.depth != k->depth)
        return false;
    keep_state(k, &t->run);
    const bool same = go_round(t, k, r, false);
    const struct round *first = &t->rounds[0], *second = &t->rounds[1];
    k->interval = second->base - first->base;
    k->at_later = t->run.at != k->at;
    if (!same || atomic_load_explicit(&t->clock.doubts, memory_order_relaxed) ||
        second->base <= first->base || !is_like(k, r->step_count, first, second) ||
        !is_run_like(k, &t->run) || !is_later(base_of(&t->run), second->base, k->interval) ||
        !is_in_order(k, r->step_count, first) || (m->varied && !can_vary(k, &t->run, r)))
        return false;
    for (uint32_t i = 0; i < m->varied; i++)
        k->varied[i].at -= second->base;
    k->first = k->ended = k->base = first->base;
    for (uint32_t i = 0; i < r->step_count; i++)
        m->offsets[i] = first->steps[i] - first->base;
    if (!sl_clock_moves_are_apart(m, k->interval))
        return false;
    for (uint32_t i = 0; i <= r->step_count; i++)
        k->points[i] = (struct sl_clock_point){.at = first->points[i].at - first->base,
                                               .through = first->points[i].through - first->base,
                                               .passed = first->points[i].passed,
                                               .varied = first->points[i].varied};
    m->marked = k;
    return true;
}

/* ---- rounds that have been done -------------------------------------------------------------- */

/* Of what comes so much behind the begin of the present round. */
static uint64_t cycle_of(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                         uint64_t offset)
{
    const uint64_t nominal = m->marked->base + offset;
    return m->steady ? m->start + offset : run->begin + nominal + sl_delays_at(&run->time, nominal);
}

static void count_until(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                        uint32_t point, uint64_t times)
{
    const struct sl_clock_marked *k = m->marked;
    const struct sl_clock_loop_row *counts = &k->counts[point * (size_t)k->loop_count];
    struct sl_clock_loop_row *loops = &run->clock->loops[run->kernel->first_loop];
    for (uint32_t l = 0; l < k->loop_count && times; l++) {
        sl_clock_add(&loops[l].entries, times * sl_clock_get(&counts[l].entries));
        sl_clock_add(&loops[l].iterations, times * sl_clock_get(&counts[l].iterations));
    }
}

void sl_clock_marked_count(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                           uint32_t point, uint64_t times)
{
    count_until(run, m, point, times);
    if (m->varied)
        sl_clock_varied_count(run, m, m->marked->in_front[point], times);
}

void sl_clock_marked_stand(struct sl_clock_run *run, const struct sl_clock_moves *m, uint32_t point)
{
    const struct sl_clock_point *p = &m->marked->points[point];
    sl_clock_marked_count(run, m, point, 1);
    if (p->passed)
        sl_clock_reach(run, cycle_of(run, m, p->through + sl_clock_varied_by(m, p->varied)));
    for (uint32_t i = m->marked->in_front[point]; m->varied && i-- > 0;)
        if (sl_clock_varied_takes(&m->marked->varied[i], sl_clock_varied_trips(m, i))) {
            const uint64_t at = m->marked->varied[i].at + sl_clock_varied_by(m, i + 1);
            sl_clock_reach(run, cycle_of(run, m, at));
            break;
        }
}

static void come_through(const struct sl_clock_run *run, struct sl_clock_moves *m, uint64_t offset)
{
    const uint64_t through = cycle_of(run, m, offset);
    m->through = m->through < through ? through : m->through;
}

void sl_clock_marked_note(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    const struct sl_clock_marked *k = m->marked;
    const struct sl_clock_point *end = &k->points[m->step_count];
    count_until(run, m, m->step_count, m->iterations);
    if (m->varied)
        sl_clock_varied_note(run, m);
    if (!m->iterations)
        return;
    if (end->passed)
        come_through(run, m, end->through - k->interval - sl_clock_varied_since(m, end->varied));
    for (uint32_t i = m->varied; i-- > 0;)
        if (sl_clock_varied_takes(&k->varied[i], k->varied[i].trips)) {
            come_through(run, m, k->varied[i].at - k->interval - sl_clock_varied_since(m, i + 1));
            break;
        }
}

void sl_clock_marked_end(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    struct sl_clock_marked *k = m->marked;
    const uint64_t rounds = k->base == k->ended ? 0 : m->since;
    const uint64_t later = rounds ? (rounds - 1) * k->interval : 0;
    for (uint32_t d = 0; d <= k->depth && rounds; d++) {
        struct sl_clock_loop_row *counts = run->frames[d].counts;
        run->frames[d] = k->frames[d];
        run->frames[d].counts = counts;
        run->frames[d].began += k->begins_later[d] ? later : 0;
        run->frames[d].iterations += k->goes_round[d] ? rounds - 1 : 0;
    }
    if (rounds)
        run->at = m->varied ? k->base : k->at + (k->at_later ? later : 0);
    k->ended = k->base;
    if (m->part && k->at_later)
        run->at = k->base + k->points[m->part].at + sl_clock_varied_by(m, k->in_front[m->part]);
}
