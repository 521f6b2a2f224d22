/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Every number of the file is checked before it is an index. */
#include "report/input/events.h"
#include "report/input/json_row.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool read_what(struct sl_report_event *event, const char *what)
{
    static const struct {
        const char *name;
        struct sl_report_event event;
    } words[] = {
        {"read", {.kind = SL_EVENT_MOVES}},
        {"write", {.kind = SL_EVENT_MOVES, .write = true}},
        {"empty", {.kind = SL_EVENT_MOVES, .failed = true}},
        {"full", {.kind = SL_EVENT_MOVES, .failed = true, .write = true}},
        {"begin", {.kind = SL_EVENT_BEGINS}},
        {"end", {.kind = SL_EVENT_ENDS}},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (what && !strcmp(what, words[i].name)) {
            *event = words[i].event;
            return true;
        }
    return false;
}

static bool read_event(const struct sl_report_design *design, const json_t *row,
                       struct sl_report_event *event)
{
    if (!read_what(event, json_string_value(json_array_get(row, 2))))
        return false;
    uint64_t kernel = sl_json_count_at(row, 1);
    json_int_t pipe = json_integer_value(json_array_get(row, 3));
    bool moves = event->kind == SL_EVENT_MOVES;
    event->cycle = sl_json_count_at(row, 0);
    event->kernel = (uint32_t)kernel;
    event->pipe = moves && pipe >= 0 && (uint64_t)pipe < design->pipe_count ? (int32_t)pipe : -1;
    event->count = moves ? sl_json_count_at(row, 4) : 0;
    if (event->count > UINT32_MAX)
        event->count = UINT32_MAX;
    event->waited = moves ? sl_json_count_at(row, 5) : 0;
    if (event->waited > event->cycle)
        event->waited = event->cycle;
    return kernel < design->kernel_count;
}

enum { MOST_ROWS = 1 << 20 };

struct repeated { /* in the same words, so many times more */
    uint64_t times, apart;
};

static struct repeated repeated_in(const json_t *row, const struct sl_report_event *event)
{
    struct repeated r = {sl_json_count_at(row, 6), sl_json_count_at(row, 7)};
    if (!event->failed || !r.apart || r.times > UINT32_MAX || r.apart > UINT32_MAX)
        r = (struct repeated){0};
    return r;
}

/* Each of them where that is not too much; else all as one that lasts. */
static void add_repeated(struct sl_report_events *events, const struct sl_report_event *event,
                         struct repeated r, bool each)
{
    events->rows[events->count] = *event;
    events->rows[events->count++].cycles = each || !r.times ? 1 : r.times * r.apart + 1;
    for (uint64_t n = 1; each && n <= r.times; n++) {
        events->rows[events->count] = *event;
        events->rows[events->count].cycle += n * r.apart;
        events->rows[events->count++].cycles = 1;
    }
}

static int by_cycle(const void *a, const void *b)
{
    const struct sl_report_event *x = a, *y = b;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

static const char *read_rows(struct sl_report_events *events, const json_t *clock)
{
    const json_t *rows = json_object_get(clock, "events");
    if (!clock)
        return "there is no clock in it: build the program with -sluice-timing or "
               "SLUICE_FPGA_TIMING=1";
    if (!rows)
        return "the clock kept no events: SLUICE_FPGA_TRACE=1 makes it";
    if (json_integer_value(json_object_get(clock, "events_left_out")))
        return "too much happened: some events were left out";
    struct sl_report_event event;
    uint64_t total = json_array_size(rows);
    for (size_t i = 0; i < json_array_size(rows) && total <= MOST_ROWS; i++)
        if (read_event(&events->design, json_array_get(rows, i), &event))
            total += repeated_in(json_array_get(rows, i), &event).times;
    const bool each = total <= MOST_ROWS;
    events->rows = calloc((each ? (size_t)total : json_array_size(rows)) + 1, sizeof *events->rows);
    if (!events->rows)
        return "out of memory";
    json_int_t cycles = json_integer_value(json_object_get(clock, "cycles"));
    events->cycles = cycles > 0 ? (uint64_t)cycles : 0;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (read_event(&events->design, json_array_get(rows, i), &event))
            add_repeated(events, &event, repeated_in(json_array_get(rows, i), &event), each);
    qsort(events->rows, events->count, sizeof *events->rows, by_cycle);
    return NULL;
}

int sl_events_read(struct sl_report_events *events, const char *profile, size_t bytes, char *why,
                   size_t size)
{
    *events = (struct sl_report_events){0};
    if (sl_design_from_json(&events->design, profile, bytes, why, size))
        return -1;
    json_t *root = json_loadb(profile, bytes, 0, NULL);
    const char *missing = read_rows(events, json_object_get(root, "clock"));
    json_decref(root);
    if (missing)
        snprintf(why, size, "%s", missing);
    return missing ? -1 : 0;
}

void sl_events_finish(struct sl_report_events *events)
{
    sl_design_finish(&events->design);
    free(events->rows);
}
