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
    int32_t next; /* of the same site */
};

struct sl_trace_run {
    struct sl_trace_run *next;
    uint32_t *events; /* owned; numbers of kinds */
    size_t count, room;
    uint32_t kernel, after;
    int32_t rank; /* of its end; NONE: it has not ended */
};

struct sl_trace {
    pthread_mutex_t lock;
    struct kind *kinds; /* owned */
    int32_t *of_site;   /* owned; first kind, NONE */
    uint32_t kind_count, kind_room;
    struct sl_trace_run *runs, *last; /* owned; in the order of their begin */
    uint32_t run_count, ended;
    uint64_t event_count;
    bool whole; /* nothing was lost */
};

struct sl_trace *sl_trace_create(uint32_t site_count)
{
    struct sl_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->whole = true;
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
    free(trace);
}

struct sl_trace_run *sl_trace_begin(struct sl_trace *trace, uint32_t kernel, bool after_others)
{
    struct sl_trace_run *run = calloc(1, sizeof *run);
    pthread_mutex_lock(&trace->lock);
    if (run && trace->run_count == MOST_RUNS) {
        free(run);
        run = NULL;
    }
    if (run) {
        run->kernel = kernel;
        run->after = after_others ? trace->ended : 0;
        run->rank = NONE;
        *(trace->last ? &trace->last->next : &trace->runs) = run;
        trace->last = run;
        trace->run_count++;
    }
    trace->whole &= run != NULL;
    pthread_mutex_unlock(&trace->lock);
    return run;
}

void sl_trace_end(struct sl_trace *trace, struct sl_trace_run *run)
{
    if (!run)
        return;
    pthread_mutex_lock(&trace->lock);
    run->rank = (int32_t)trace->ended++;
    pthread_mutex_unlock(&trace->lock);
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

/* NONE: no memory. */
static int32_t find_kind(struct sl_trace *trace, uint32_t site, uint32_t pipe)
{
    int32_t at = trace->of_site[site];
    while (at != NONE && trace->kinds[at].pipe != pipe)
        at = trace->kinds[at].next;
    size_t room = trace->kind_room;
    void *kinds = trace->kinds;
    if (at != NONE || !grow(&kinds, trace->kind_count, &room, sizeof *trace->kinds))
        return at;
    trace->kinds = kinds;
    trace->kind_room = (uint32_t)room;
    trace->kinds[trace->kind_count] = (struct kind){site, pipe, trace->of_site[site]};
    return trace->of_site[site] = (int32_t)trace->kind_count++;
}

void sl_trace_add(struct sl_trace *trace, struct sl_trace_run *run, uint32_t site, uint32_t pipe)
{
    pthread_mutex_lock(&trace->lock);
    int32_t kind = run && trace->event_count < MOST_EVENTS ? find_kind(trace, site, pipe) : NONE;
    void *events = run ? run->events : NULL;
    bool room =
        kind != NONE && grow(&events, (uint32_t)run->count, &run->room, sizeof *run->events);
    if (room) {
        run->events = events;
        run->events[run->count++] = (uint32_t)kind;
        trace->event_count++;
    }
    trace->whole &= room;
    pthread_mutex_unlock(&trace->lock);
}

/* ---- as text --------------------------------------------------------------------------------- */

enum { LONGEST_PATTERN = 64 };

static size_t repeats(const uint32_t *events, size_t left, size_t length)
{
    size_t times = 1;
    while ((times + 1) * length <= left &&
           !memcmp(events, events + times * length, length * sizeof *events))
        times++;
    return times;
}

/* The pattern at the begin that covers most: its length, and how often it is there. */
static size_t best_pattern(const uint32_t *events, size_t left, size_t *times)
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

/* "0 1*5 (2 3)*1000": loops are short. */
static void print_events(const struct sl_trace_run *run, FILE *out)
{
    const char *space = "";
    for (size_t at = 0; at < run->count;) {
        size_t times, length = best_pattern(run->events + at, run->count - at, &times);
        fputs(space, out);
        for (size_t i = 0; i < length; i++)
            fprintf(out, "%s%u", i ? " " : length > 1 ? "(" : "", run->events[at + i]);
        if (length > 1)
            putc(')', out);
        if (times > 1)
            fprintf(out, "*%zu", times);
        at += length * times;
        space = " ";
    }
}

void sl_trace_print(struct sl_trace *trace, FILE *out)
{
    pthread_mutex_lock(&trace->lock);
    fprintf(out, "{\"whole\":%s,\"kinds\":[", trace->whole ? "true" : "false");
    for (uint32_t k = 0; k < trace->kind_count; k++)
        fprintf(out, "%s[%u,%u]", k ? "," : "", trace->kinds[k].site, trace->kinds[k].pipe);
    fputs("],\"runs\":[", out);
    for (struct sl_trace_run *run = trace->runs; run; run = run->next) {
        fprintf(out, "%s{\"kernel\":%u,\"after\":%u,\"end\":%d,\"events\":\"",
                run == trace->runs ? "" : ",\n", run->kernel, run->after, (int)run->rank);
        print_events(run, out);
        fputs("\"}", out);
    }
    fputs("]}", out);
    pthread_mutex_unlock(&trace->lock);
}
