/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The trace's lock guards all of it. */
#include "fpga/profile/trace.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 24, MOST_RUNS = 1 << 20, NONE = -1 };

struct kind { /* an operation at a site on a pipe */
    uint32_t site, pipe;
    enum sl_trace_what what;
    int32_t next; /* of the same site */
};

struct event {
    uint32_t kind;
    int32_t later; /* nominal cycles since the one in front; 1 where nobody knows */
};

struct sl_trace_run {
    struct sl_trace_run *next;
    struct event *events; /* owned */
    size_t count, room;
    uint32_t number, kernel, after;
    int32_t rank;             /* of its end; NONE: it has not ended */
    uint64_t nominal;         /* of the last event, and one more */
    bool timed;               /* the four that follow have a meaning */
    int64_t behind;           /* the number of the run that it began behind; NONE */
    uint64_t since;           /* how many cycles after the end of that one */
    uint64_t begin;           /* in which cycle */
    _Atomic uint64_t through; /* nominal */
};

struct sl_trace {
    pthread_mutex_t lock;
    uint32_t number;    /* of the process's, from 1 */
    struct kind *kinds; /* owned */
    int32_t *of_site;   /* owned; first kind, NONE */
    uint32_t kind_count, kind_room;
    struct sl_trace_run *runs, *last; /* owned; in the order of their begin */
    uint32_t run_count, ended;
    uint64_t *end_ns; /* owned; of those that have ended, in that order */
    size_t end_room;
    uint64_t event_count;
    bool whole; /* nothing was lost */
};

struct sl_trace *sl_trace_create(uint32_t site_count)
{
    struct sl_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    static _Atomic uint32_t traces;
    trace->whole = true;
    trace->number = atomic_fetch_add_explicit(&traces, 1, memory_order_relaxed) + 1;
    trace->of_site = malloc((site_count + (size_t)1) * sizeof *trace->of_site);
    if (!trace->of_site) {
        free(trace);
        return NULL;
    }
    memset(trace->of_site, 0xff, site_count * sizeof *trace->of_site);
    pthread_mutex_init(&trace->lock, NULL);
    return trace;
}

void sl_trace_destroy(struct sl_trace *trace)
{
    if (!trace)
        return;
    while (trace->runs) {
        struct sl_trace_run *run = trace->runs;
        trace->runs = run->next;
        free(run->events);
        free(run);
    }
    pthread_mutex_destroy(&trace->lock);
    free(trace->kinds);
    free(trace->of_site);
    free(trace->end_ns);
    free(trace);
}

/* How many had ended before that. */
static uint32_t ended_before(const struct sl_trace *trace, uint64_t ns)
{
    uint32_t count = trace->ended;
    while (count && ns < UINT64_MAX && trace->end_ns[count - 1] >= ns)
        count--;
    return count;
}

struct sl_trace_run *sl_trace_begin(struct sl_trace *trace, uint32_t kernel, uint64_t heard_ns)
{
    struct sl_trace_run *run = calloc(1, sizeof *run);
    pthread_mutex_lock(&trace->lock);
    if (run && trace->run_count == MOST_RUNS) {
        free(run);
        run = NULL;
    }
    if (run) {
        run->kernel = kernel;
        run->after = ended_before(trace, heard_ns);
        run->rank = NONE;
        run->behind = NONE;
        run->number = trace->run_count;
        *(trace->last ? &trace->last->next : &trace->runs) = run;
        trace->last = run;
        trace->run_count++;
    }
    trace->whole &= run != NULL;
    pthread_mutex_unlock(&trace->lock);
    return run;
}

sl_trace_id sl_trace_id_of(const struct sl_trace *trace, const struct sl_trace_run *run)
{
    return trace && run ? (uint64_t)trace->number << 32 | run->number : 0;
}

_Atomic uint64_t *sl_trace_time(struct sl_trace *trace, struct sl_trace_run *run, uint64_t begin,
                                sl_trace_id behind, uint64_t since)
{
    if (!trace || !run)
        return NULL;
    pthread_mutex_lock(&trace->lock);
    run->timed = true;
    run->begin = begin;
    if (behind >> 32 == trace->number) {
        run->behind = (int64_t)(behind & UINT32_MAX);
        run->since = since;
    }
    pthread_mutex_unlock(&trace->lock);
    return &run->through;
}

void sl_trace_lose(struct sl_trace *trace)
{
    pthread_mutex_lock(&trace->lock);
    trace->whole = false;
    pthread_mutex_unlock(&trace->lock);
}

/* Room for one more behind `count`; false: no memory. */
static bool grow(void **rows, uint32_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(*rows, more * bytes);
    if (!grown)
        return false;
    *rows = grown;
    *room = more;
    return true;
}

void sl_trace_end(struct sl_trace *trace, struct sl_trace_run *run, uint64_t now_ns)
{
    if (!run)
        return;
    pthread_mutex_lock(&trace->lock);
    void *ends = trace->end_ns;
    if (grow(&ends, trace->ended, &trace->end_room, sizeof *trace->end_ns)) {
        trace->end_ns = ends;
        /* who looked at the clock first may come second */
        const uint64_t last = trace->ended ? trace->end_ns[trace->ended - 1] : 0;
        trace->end_ns[trace->ended] = now_ns > last ? now_ns : last;
        run->rank = (int32_t)trace->ended++;
    } else {
        trace->whole = false;
    }
    pthread_mutex_unlock(&trace->lock);
}

/* NONE: no memory. */
static int32_t find_kind(struct sl_trace *trace, uint32_t site, uint32_t pipe,
                         enum sl_trace_what what)
{
    int32_t at = trace->of_site[site];
    while (at != NONE && (trace->kinds[at].pipe != pipe || trace->kinds[at].what != what))
        at = trace->kinds[at].next;
    size_t room = trace->kind_room;
    void *kinds = trace->kinds;
    if (at != NONE || !grow(&kinds, trace->kind_count, &room, sizeof *trace->kinds))
        return at;
    trace->kinds = kinds;
    trace->kind_room = (uint32_t)room;
    trace->kinds[trace->kind_count] = (struct kind){site, pipe, what, trace->of_site[site]};
    return trace->of_site[site] = (int32_t)trace->kind_count++;
}

/* False: it is too far from the one in front. */
static bool find_distance(struct sl_trace_run *run, uint64_t nominal, int32_t *later)
{
    *later = 1;
    if (nominal == SL_TRACE_NO_CYCLE)
        return true;
    int64_t distance = (int64_t)(nominal + 1 - run->nominal);
    run->nominal = nominal + 1;
    *later = (int32_t)distance;
    return distance == *later;
}

/* ---- attempts in vain ------------------------------------------------------------------------ */

enum { MOST_IN_ROUND = 8 };

/* Of so many events: from the first one to the begin of the next round, if `next` is that. */
static int64_t length_of(const struct event *events, size_t count, const struct event *next)
{
    int64_t length = next->later;
    for (size_t i = 1; i < count; i++)
        length += events[i].later;
    return length;
}

/* Do so many attempts, all in vain, follow each other just as those behind them do? */
static bool is_round(const struct sl_trace *trace, const struct event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (trace->kinds[events[i].kind].what != SL_TRACE_FAILS ||
            events[i].kind != events[count + i].kind ||
            (i && events[i].later != events[count + i].later))
            return false;
    return true;
}

/* No two at one end, which would wait for each other. */
static bool are_apart(const struct sl_trace *trace, const struct event *events, size_t count)
{
    bool apart = true;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            apart &= trace->kinds[events[i].kind].pipe != trace->kinds[events[j].kind].pipe;
    return apart;
}

/*
 * Who polls does so millions of times. Of rounds of attempts in vain that follow each other the
 * first and the last say all: each attempt takes an end of a pipe for a cycle, and nobody else is
 * held up; those between come a round behind each other whatever happened before.
 */
static bool forget_round(struct sl_trace *trace, struct sl_trace_run *run, size_t count)
{
    if (run->count < 3 * count)
        return false;
    struct event *first = run->events + run->count - 3 * count, *second = first + count,
                 *third = second + count;
    int64_t length = length_of(second, count, third);
    int64_t later = second->later + length;
    if (length < 1 || later != (int32_t)later || !is_round(trace, first, count) ||
        !is_round(trace, second, count) || !are_apart(trace, third, count))
        return false;
    second->later = (int32_t)later;
    run->count -= count;
    trace->event_count -= count;
    return true;
}

static void forget_attempts(struct sl_trace *trace, struct sl_trace_run *run)
{
    bool forgot = false;
    for (size_t count = 1; count <= MOST_IN_ROUND && !forgot; count++)
        forgot = forget_round(trace, run, count);
}

void sl_trace_add(struct sl_trace *trace, struct sl_trace_run *run, uint32_t site, uint32_t pipe,
                  enum sl_trace_what what, uint64_t nominal)
{
    pthread_mutex_lock(&trace->lock);
    int32_t later = 1, kind = NONE;
    if (run && trace->event_count < MOST_EVENTS && find_distance(run, nominal, &later))
        kind = find_kind(trace, site, pipe, what);
    void *events = run ? run->events : NULL;
    bool room =
        kind != NONE && grow(&events, (uint32_t)run->count, &run->room, sizeof *run->events);
    if (room) {
        run->events = events;
        run->events[run->count++] = (struct event){(uint32_t)kind, later};
        trace->event_count++;
        if (what == SL_TRACE_FAILS)
            forget_attempts(trace, run);
    }
    trace->whole &= room;
    pthread_mutex_unlock(&trace->lock);
}

/* ---- as text --------------------------------------------------------------------------------- */

enum { LONGEST_PATTERN = 64 };

static size_t repeats(const struct event *events, size_t left, size_t length)
{
    size_t times = 1;
    while ((times + 1) * length <= left &&
           !memcmp(events, events + times * length, length * sizeof *events))
        times++;
    return times;
}

/* The pattern at the begin that covers most: its length, and how often it is there. */
static size_t best_pattern(const struct event *events, size_t left, size_t *times)
{
    size_t best = 1;
    *times = repeats(events, left, 1);
    for (size_t length = 2; length <= LONGEST_PATTERN && 2 * length <= left; length++) {
        size_t found = repeats(events, left, length);
        if (found < 2 || found * length <= *times * best)
            continue;
        best = length;
        *times = found;
    }
    return best;
}

static void print_event(const struct event *event, FILE *out)
{
    fprintf(out, "%u", event->kind);
    if (event->later != 1)
        fprintf(out, "%+d", (int)event->later);
}

/* "0+0 1+5*5 (2 3-1)*1000": loops are short. */
static void print_events(const struct sl_trace_run *run, FILE *out)
{
    const char *space = "";
    for (size_t at = 0; at < run->count;) {
        size_t times, length = best_pattern(run->events + at, run->count - at, &times);
        fputs(space, out);
        for (size_t i = 0; i < length; i++) {
            fputs(i ? " " : length > 1 ? "(" : "", out);
            print_event(&run->events[at + i], out);
        }
        if (length > 1)
            putc(')', out);
        if (times > 1)
            fprintf(out, "*%zu", times);
        at += length * times;
        space = " ";
    }
}

static void print_run(const struct sl_trace_run *run, FILE *out)
{
    fprintf(out, "{\"kernel\":%u,\"after\":%u,\"end\":%d,", run->kernel, run->after,
            (int)run->rank);
    if (run->timed)
        fprintf(out, "\"behind\":%lld,\"since\":%llu,\"begin\":%llu,\"through\":%llu,",
                (long long)run->behind, (unsigned long long)run->since,
                (unsigned long long)run->begin,
                (unsigned long long)atomic_load_explicit(&run->through, memory_order_relaxed));
    fputs("\"events\":\"", out);
    print_events(run, out);
    fputs("\"}", out);
}

void sl_trace_print(struct sl_trace *trace, FILE *out)
{
    pthread_mutex_lock(&trace->lock);
    fprintf(out, "{\"whole\":%s,\"kinds\":[", trace->whole ? "true" : "false");
    for (uint32_t k = 0; k < trace->kind_count; k++)
        fprintf(out, "%s[%u,%u%s]", k ? "," : "", trace->kinds[k].site, trace->kinds[k].pipe,
                trace->kinds[k].what == SL_TRACE_FAILS ? ",1" : "");
    fputs("],\"runs\":[", out);
    for (struct sl_trace_run *run = trace->runs; run; run = run->next) {
        fputs(run == trace->runs ? "" : ",\n", out);
        print_run(run, out);
    }
    fputs("]}", out);
    pthread_mutex_unlock(&trace->lock);
}
