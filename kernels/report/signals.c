/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/signals.h"

#include <stdlib.h>
#include <string.h>

bool sl_pipe_has_fill(const struct sl_design_pipe *pipe)
{
    return pipe->writer >= 0 && pipe->reader >= 0 && !*pipe->io && !*pipe->host;
}

static void add(struct sl_changes *c, size_t signal, uint64_t cycle, int64_t by,
                const struct sl_report_event *event)
{
    c->rows[c->count++] = (struct sl_change){
        .cycle = cycle, .signal = signal, .by = by, .pipe = event->pipe, .write = event->write};
}

static void add_pulse(struct sl_changes *c, size_t signal, uint64_t from, uint64_t to,
                      const struct sl_report_event *event)
{
    if (from == to)
        return;
    add(c, signal, from, 1, event);
    add(c, signal, to, -1, event);
}

static void add_move(struct sl_changes *c, const struct sl_report_event *event)
{
    uint64_t cycle = event->cycle, since = cycle - event->waited;
    add_pulse(c, sl_signal_of_kernel(event->kernel, SL_SIGNAL_WAITS), since, cycle, event);
    if (event->pipe < 0)
        return;
    size_t pipe = (size_t)event->pipe;
    add_pulse(c, sl_signal_of_pipe(c, pipe, event->write ? SL_SIGNAL_FULL : SL_SIGNAL_EMPTY), since,
              cycle + (event->failed ? event->cycles : 0), event);
    if (event->failed || !event->count)
        return;
    add_pulse(c, sl_signal_of_pipe(c, pipe, event->write ? SL_SIGNAL_WRITTEN : SL_SIGNAL_READ),
              cycle, cycle + 1, event);
    if (sl_pipe_has_fill(&c->events.design.pipes[pipe]))
        add(c, sl_signal_of_pipe(c, pipe, SL_SIGNAL_FILL), cycle + 1,
            event->write ? (int64_t)event->count : -(int64_t)event->count, event);
}

static void add_event(struct sl_changes *c, const struct sl_report_event *event)
{
    size_t runs = sl_signal_of_kernel(event->kernel, SL_SIGNAL_RUNS);
    if (event->kind == SL_EVENT_MOVES)
        add_move(c, event);
    else
        add(c, runs, event->cycle, event->kind == SL_EVENT_BEGINS ? 1 : -1, event);
}

/* ---- a run that stood still ------------------------------------------------------------------ */

/* Of a kernel that waits to the end. */
struct last {
    bool began;
    uint64_t since; /* behind what it has done last */
    size_t end;     /* the event that says where its launch was ended, and one more; 0: none, the
                       process was */
};

static size_t kernel_called(const struct sl_report_design *design, const char *name)
{
    size_t k = 0;
    while (k < design->kernel_count && strcmp(design->kernels[k].name, name) != 0)
        k++;
    return k;
}

static size_t pipe_called(const struct sl_report_design *design, const char *name)
{
    size_t p = 0;
    while (p < design->pipe_count && strcmp(design->pipes[p].name, name) != 0)
        p++;
    return p;
}

static void find_last(const struct sl_changes *c, struct last *last)
{
    for (size_t i = 0; i < c->events.count; i++) {
        const struct sl_report_event *event = &c->events.rows[i];
        struct last *of = &last[event->kernel];
        uint64_t since = event->cycle + (event->kind == SL_EVENT_MOVES);
        of->began = true;
        if (event->kind == SL_EVENT_ENDS)
            of->end = i + 1;
        else
            of->since = since > of->since ? since : of->since;
    }
}

/* Whoever waited when the run was ended goes on waiting until its last cycle, and a cycle at least.
 */
static void add_waits(struct sl_changes *c, const struct last *last)
{
    const struct sl_report_design *design = &c->events.design;
    uint64_t *end = &c->events.cycles;
    for (size_t w = 0; w < design->wait_count; w++) {
        size_t k = kernel_called(design, design->waits[w].kernel);
        if (k < design->kernel_count && last[k].began && last[k].since >= *end)
            *end = last[k].since + 1;
    }
    for (size_t w = 0; w < design->wait_count; w++) {
        const struct sl_design_wait *wait = &design->waits[w];
        size_t k = kernel_called(design, wait->kernel), p = pipe_called(design, wait->pipe);
        if (k == design->kernel_count || !last[k].began)
            continue;
        const bool known = p < design->pipe_count;
        const struct sl_report_event waits = {
            .kernel = (uint32_t)k, .pipe = known ? (int32_t)p : -1, .write = wait->write};
        if (last[k].end)
            c->events.rows[last[k].end - 1].cycle = *end;
        add_pulse(c, sl_signal_of_kernel(waits.kernel, SL_SIGNAL_WAITS), last[k].since, *end,
                  &waits);
        if (known)
            add_pulse(c, sl_signal_of_pipe(c, p, wait->write ? SL_SIGNAL_FULL : SL_SIGNAL_EMPTY),
                      last[k].since, *end, &waits);
    }
}

static int add_still(struct sl_changes *c)
{
    struct last *last = calloc(c->events.design.kernel_count + 1, sizeof *last);
    if (!last)
        return -1;
    find_last(c, last);
    add_waits(c, last);
    free(last);
    return 0;
}

/* What ends in a cycle comes before what begins in it, but for packets: they come before they go.
 */
static int by_cycle(const void *a, const void *b)
{
    const struct sl_change *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->signal != y->signal)
        return x->signal < y->signal ? -1 : 1;
    return (x->by < y->by) - (x->by > y->by);
}

int sl_changes_read(struct sl_changes *c, const char *profile, size_t bytes, char *why, size_t size)
{
    enum { MOST_CHANGES = 7 /* of an event */, OF_WAIT = 4 };
    *c = (struct sl_changes){0};
    if (sl_events_read(&c->events, profile, bytes, why, size))
        return -1;
    c->signal_count = sl_signal_of_pipe(c, c->events.design.pipe_count, SL_SIGNAL_FILL);
    size_t waits = c->events.design.wait_count;
    c->rows = calloc(c->events.count * MOST_CHANGES + waits * OF_WAIT + 1, sizeof *c->rows);
    if (!c->rows || (waits && add_still(c))) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < c->events.count; i++)
        add_event(c, &c->events.rows[i]);
    qsort(c->rows, c->count, sizeof *c->rows, by_cycle);
    return 0;
}

void sl_changes_finish(struct sl_changes *c)
{
    sl_events_finish(&c->events);
    free(c->rows);
}
