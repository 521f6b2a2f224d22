/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. `lock` guards the rest. */
#include "fpga/clock/clock_events.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 20 };

enum { POLLS = 256 };

struct row {
    struct sl_clock_event of;
    uint64_t times, apart; /* it is there so many times more, each so much later */
};

struct sl_clock_events {
    pthread_mutex_t lock;
    struct row *rows; /* owned */
    uint32_t
        polls[POLLS]; /* by kernel, pipe and kind: the last row of an attempt in vain, from 1 */
    uint32_t count, room;
    uint64_t left_out;
};

struct sl_clock_events *sl_clock_events_create(void)
{
    struct sl_clock_events *events = calloc(1, sizeof *events);
    if (events)
        pthread_mutex_init(&events->lock, NULL);
    return events;
}

void sl_clock_events_destroy(struct sl_clock_events *events)
{
    if (!events)
        return;
    pthread_mutex_destroy(&events->lock);
    free(events->rows);
    free(events);
}

static bool make_room(struct sl_clock_events *events)
{
    if (events->count < events->room)
        return true;
    uint32_t more = events->room ? 2 * events->room : 1024;
    struct row *grown = more > MOST_EVENTS ? NULL : realloc(events->rows, more * sizeof *grown);
    if (!grown)
        return false;
    events->rows = grown;
    events->room = more;
    return true;
}

/* Who polls does so again and again: attempts in vain that come as far behind each other are one
 * row. */
static bool add_again(struct sl_clock_events *events, const struct sl_clock_event *event)
{
    if (event->what != SL_CLOCK_READS_NOTHING && event->what != SL_CLOCK_WRITES_NOTHING)
        return false;
    uint32_t *poll =
        &events->polls[(event->kernel * 31 + (uint32_t)event->pipe * 2 + event->what) % POLLS];
    struct row *row = *poll ? &events->rows[*poll - 1] : NULL;
    *poll = events->count + 1;
    if (!row || row->of.kernel != event->kernel || row->of.pipe != event->pipe ||
        row->of.what != event->what || row->of.count != event->count || row->of.waited ||
        event->waited)
        return false;
    const uint64_t last = row->of.cycle + row->times * row->apart;
    if (event->cycle <= last || (row->times && event->cycle != last + row->apart))
        return false;
    row->apart = event->cycle - last;
    row->times++;
    *poll = (uint32_t)(row - events->rows) + 1;
    return true;
}

void sl_clock_events_add(struct sl_clock_events *events, const struct sl_clock_event *event)
{
    pthread_mutex_lock(&events->lock);
    if (!add_again(events, event)) {
        if (make_room(events))
            events->rows[events->count++] = (struct row){.of = *event};
        else
            events->left_out++;
    }
    pthread_mutex_unlock(&events->lock);
}

void sl_clock_events_clear(struct sl_clock_events *events)
{
    pthread_mutex_lock(&events->lock);
    events->count = 0;
    events->left_out = 0;
    memset(events->polls, 0, sizeof events->polls);
    pthread_mutex_unlock(&events->lock);
}

void sl_clock_events_print(struct sl_clock_events *events, FILE *out)
{
    static const char *const words[] = {
        [SL_CLOCK_READS] = "read",          [SL_CLOCK_WRITES] = "write",
        [SL_CLOCK_READS_NOTHING] = "empty", [SL_CLOCK_WRITES_NOTHING] = "full",
        [SL_CLOCK_BEGINS] = "begin",        [SL_CLOCK_ENDS] = "end",
    };
    pthread_mutex_lock(&events->lock);
    fputs("\"events\":[", out);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct row *row = &events->rows[i];
        const struct sl_clock_event *event = &row->of;
        fprintf(out, "%s[%llu,%u,\"%s\"", i ? ",\n" : "", (unsigned long long)event->cycle,
                event->kernel, words[event->what]);
        if (event->what < SL_CLOCK_BEGINS)
            fprintf(out, ",%d,%llu,%llu", event->pipe, (unsigned long long)event->count,
                    (unsigned long long)event->waited);
        if (row->times)
            fprintf(out, ",%llu,%llu", (unsigned long long)row->times,
                    (unsigned long long)row->apart);
        putc(']', out);
    }
    fprintf(out, "],\"events_left_out\":%llu", (unsigned long long)events->left_out);
    pthread_mutex_unlock(&events->lock);
}
