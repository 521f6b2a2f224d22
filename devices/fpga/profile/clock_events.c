/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. `lock` guards the rest. */
#include "fpga/profile/clock_events.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_EVENTS = 1 << 20 };

struct sl_clock_events {
    pthread_mutex_t lock;
    struct sl_clock_event *rows; /* owned */
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
    struct sl_clock_event *grown =
        more > MOST_EVENTS ? NULL : realloc(events->rows, more * sizeof *grown);
    if (!grown)
        return false;
    events->rows = grown;
    events->room = more;
    return true;
}

void sl_clock_events_add(struct sl_clock_events *events, const struct sl_clock_event *event)
{
    pthread_mutex_lock(&events->lock);
    if (make_room(events))
        events->rows[events->count++] = *event;
    else
        events->left_out++;
    pthread_mutex_unlock(&events->lock);
}

void sl_clock_events_clear(struct sl_clock_events *events)
{
    pthread_mutex_lock(&events->lock);
    events->count = 0;
    events->left_out = 0;
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
        const struct sl_clock_event *event = &events->rows[i];
        fprintf(out, "%s[%llu,%u,\"%s\"", i ? ",\n" : "", (unsigned long long)event->cycle,
                event->kernel, words[event->what]);
        if (event->what < SL_CLOCK_BEGINS)
            fprintf(out, ",%d,%llu,%llu", event->pipe, (unsigned long long)event->count,
                    (unsigned long long)event->waited);
        putc(']', out);
    }
    fprintf(out, "],\"events_left_out\":%llu", (unsigned long long)events->left_out);
    pthread_mutex_unlock(&events->lock);
}
