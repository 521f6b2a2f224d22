/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Every number of the file is checked before it is an index. */
#include "report/input/trace.h"
#include "report/input/json_row.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 26, MOST_LATER = INT32_MAX };
#define MOST_CYCLES (INT64_MAX / 4)

struct reader {
    struct sl_trace_file *file;
    const json_t *root, *kinds, *runs;
    bool *nb;          /* owned; of a pipe: some operation does not wait */
    const char *wrong; /* NULL: nothing */
};

/* ---- events ---------------------------------------------------------------------------------- */

/* A list of kinds, and cycles from one to the next: "0+0 1+5*5 (2 3-1)*1000". */
struct list {
    const char *at;
    struct sl_replay_event *events; /* NULL: they are only counted */
    size_t count;
    uint32_t kinds;
    bool wrong;
};

/* One that is larger than `most` is some number that is. */
static uint64_t read_up_to(struct list *list, uint64_t most)
{
    uint64_t value = 0;
    list->wrong |= *list->at < '0' || *list->at > '9';
    for (; *list->at >= '0' && *list->at <= '9'; list->at++)
        value = value > most ? value : value * 10 + (uint64_t)(*list->at - '0');
    return value;
}

static uint64_t read_number(struct list *list)
{
    return read_up_to(list, MOST_EVENTS);
}

static uint64_t read_cycles(struct list *list, uint64_t most)
{
    uint64_t cycles = read_up_to(list, most);
    list->wrong |= cycles > most;
    return cycles;
}

static void read_event(struct list *list)
{
    uint64_t kind = read_number(list);
    int64_t later = 1;
    list->wrong |= kind >= list->kinds || list->count >= MOST_EVENTS;
    if (*list->at == '+' || *list->at == '-') {
        bool back = *list->at++ == '-';
        later = (int64_t)read_cycles(list, MOST_LATER);
        later = back ? -later : later;
    }
    if (list->wrong)
        return;
    if (list->events)
        list->events[list->count] =
            (struct sl_replay_event){.site = (uint32_t)kind, .later = (int32_t)later};
    list->count++;
}

/* What was put since `from` stands there `times` in all. */
static void repeat(struct list *list, size_t from, uint64_t times)
{
    size_t length = list->count - from;
    list->wrong |= !times || (length && times > (MOST_EVENTS - from) / length);
    if (list->wrong)
        return;
    for (uint64_t n = 1; list->events && n < times; n++)
        memcpy(list->events + from + n * length, list->events + from,
               length * sizeof *list->events);
    list->count = from + length * (size_t)times;
}

static void read_item(struct list *list)
{
    size_t from = list->count;
    if (*list->at == '(') {
        do {
            list->at++;
            read_event(list);
        } while (*list->at == ' ' && !list->wrong);
        list->wrong |= *list->at != ')';
        list->at += !list->wrong;
    } else {
        read_event(list);
    }
    if (*list->at != '*' || list->wrong)
        return;
    list->at++;
    repeat(list, from, read_number(list));
}

static bool read_list(struct list *list, const char *text)
{
    list->at = text;
    list->count = 0;
    while (*list->at && !list->wrong) {
        read_item(list);
        list->wrong |= *list->at && *list->at != ' ';
        list->at += *list->at == ' ' && !list->wrong;
    }
    return !list->wrong;
}

static uint64_t cycles_of(struct reader *r, const json_t *row, const char *key)
{
    json_int_t cycles = json_integer_value(json_object_get(row, key));
    if (cycles < 0 || cycles > MOST_CYCLES)
        r->wrong = "the trace is damaged";
    return (uint64_t)cycles;
}

/* No event is before the begin of its run. */
static void check_cycles(struct reader *r, const struct sl_replay_run *run)
{
    int64_t nominal = -1;
    for (size_t e = 0; e < run->event_count && !r->wrong; e++)
        if ((nominal += run->events[e].later) < 0)
            r->wrong = "the trace is damaged";
}

/* What the clock says about it. */
static void read_clock(struct reader *r, const json_t *row, struct sl_replay_run *run)
{
    const json_t *number = json_object_get(row, "behind");
    json_int_t behind = number ? json_integer_value(number) : -1;
    run->begin = cycles_of(r, row, "begin");
    run->since = json_object_get(row, "since") ? cycles_of(r, row, "since") : 0;
    run->through = cycles_of(r, row, "through");
    run->behind = SL_REPLAY_NO_RUN;
    r->file->replay.timed |= number != NULL;
    if (behind < 0 || r->wrong)
        return;
    /* it is a row in front of this one, and has ended */
    const struct sl_replay_trace *replay = &r->file->replay;
    if ((size_t)behind + 1 >= replay->run_count ||
        replay->runs[behind].end_rank >= run->starts_after)
        r->wrong = "the trace is damaged";
    run->behind = (uint32_t)behind;
}

static void read_run(struct reader *r, const json_t *row, struct sl_replay_run *run)
{
    const char *text = json_string_value(json_object_get(row, "events"));
    json_int_t kernel = json_integer_value(json_object_get(row, "kernel"));
    json_int_t after = json_integer_value(json_object_get(row, "after"));
    json_int_t end = json_integer_value(json_object_get(row, "end"));
    struct list list = {.kinds = r->file->replay.site_count};
    size_t runs = json_array_size(r->runs);
    if (!text || !read_list(&list, text) || kernel < 0 || after < 0 || (size_t)after > runs ||
        (size_t)kernel >= r->file->design.kernel_count || end < -1 ||
        (end >= 0 && (size_t)end >= runs) || (r->file->event_count += list.count) > MOST_EVENTS) {
        r->wrong = "the trace is damaged";
        return;
    }
    *run = (struct sl_replay_run){
        .events = malloc((list.count + 1) * sizeof *run->events),
        .event_count = list.count,
        .kernel = (uint32_t)kernel,
        .starts_after = (uint32_t)after,
        .end_rank = end < 0 ? UINT32_MAX : (uint32_t)end,
    };
    list.events = run->events;
    if (!list.events || !read_list(&list, text))
        r->wrong = "out of memory";
    if (!r->wrong)
        read_clock(r, row, run);
    check_cycles(r, run);
}

static void read_runs(struct reader *r)
{
    struct sl_replay_trace *replay = &r->file->replay;
    size_t count = json_array_size(r->runs);
    replay->runs = calloc(count + 1, sizeof *replay->runs);
    if (!replay->runs)
        r->wrong = "out of memory";
    for (size_t i = 0; i < count && !r->wrong; i++) {
        replay->run_count++;
        read_run(r, json_array_get(r->runs, i), &replay->runs[i]);
    }
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static void read_kind(struct reader *r, size_t number)
{
    const struct sl_report_design *d = &r->file->design;
    const json_t *row = json_array_get(r->kinds, number);
    json_int_t site = json_integer_value(json_array_get(row, 0));
    json_int_t pipe = json_integer_value(json_array_get(row, 1));
    if (site < 0 || (size_t)site >= d->site_count || pipe < 0 || (size_t)pipe >= d->pipe_count) {
        r->wrong = "the trace is damaged";
        return;
    }
    r->nb[pipe] |= !d->sites[site].blocking;
    r->file->replay.sites[number] = (struct sl_replay_site){
        .pipe = (uint32_t)pipe,
        .write = d->sites[site].write,
        .fails = json_integer_value(json_array_get(row, 2)) == 1,
    };
}

static void read_kinds(struct reader *r)
{
    struct sl_replay_trace *replay = &r->file->replay;
    size_t count = json_array_size(r->kinds);
    r->nb = calloc(r->file->design.pipe_count + 1, sizeof *r->nb);
    replay->sites = calloc(count + 1, sizeof *replay->sites);
    if (!r->nb || !replay->sites) {
        r->wrong = "out of memory";
        return;
    }
    for (size_t i = 0; i < count && !r->wrong; i++)
        read_kind(r, i);
    replay->site_count = (uint32_t)count;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* Who is at the other end, and waits for nobody. */
static void read_pipe(struct reader *r, size_t p)
{
    struct sl_trace_file *file = r->file;
    const struct sl_design_pipe *pipe = &file->design.pipes[p];
    bool outside = *pipe->host || *pipe->io;
    struct sl_replay_pipe *ends = &file->replay.pipes[p];
    ends->outside_writes = outside || pipe->writer < 0;
    ends->outside_reads = outside || pipe->reader < 0;
    const char *why = outside                                ? "its other end is outside"
                      : pipe->writer < 0 || pipe->reader < 0 ? "nobody is at its other end"
                      : !strcmp(pipe->kind, "argument")      ? "the host makes it"
                      : !pipe->packets                       ? "nothing went through it"
                                                             : NULL;
    uint64_t most = pipe->high_water < UINT32_MAX ? pipe->high_water : UINT32_MAX - 1;
    file->why_kept[p] = why || !r->nb[p] ? why : "bounded: an operation does not wait";
    file->pipes[p] = (struct sl_depth_pipe){
        .kind = why        ? SL_DEPTH_KEPT
                : r->nb[p] ? SL_DEPTH_BOUNDED
                           : SL_DEPTH_FREE,
        .own = pipe->depth + !pipe->depth,
        .most = (uint32_t)most,
        .bytes = pipe->packet_bytes,
    };
}

static void read_pipes(struct reader *r)
{
    struct sl_trace_file *file = r->file;
    size_t count = file->design.pipe_count;
    file->replay.pipes = calloc(count + 1, sizeof *file->replay.pipes);
    file->pipes = calloc(count + 1, sizeof *file->pipes);
    file->why_kept = calloc(count + 1, sizeof *file->why_kept);
    file->replay.pipe_count = (uint32_t)count;
    if (!file->replay.pipes || !file->pipes || !file->why_kept)
        r->wrong = "out of memory";
    for (size_t p = 0; p < count && !r->wrong; p++)
        read_pipe(r, p);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void read_trace(struct reader *r)
{
    const json_t *trace = json_object_get(r->root, "trace");
    r->kinds = json_object_get(trace, "kinds");
    r->runs = json_object_get(trace, "runs");
    if (json_array_size(json_object_get(r->root, "sites")) != r->file->design.site_count)
        r->wrong = "the trace is damaged";
    else if (!trace)
        r->wrong = "there is no trace in it: SLUICE_FPGA_TRACE=1 makes one";
    else if (!json_is_true(json_object_get(trace, "whole")))
        r->wrong =
            "the trace is not whole: it was too long, counters were pulled, or packets moved "
            "by reservations";
    if (!r->wrong)
        read_kinds(r);
    if (!r->wrong)
        read_runs(r);
    if (!r->wrong)
        read_pipes(r);
    r->file->scheduled = r->file->replay.timed;
}

int sl_trace_read(struct sl_trace_file *file, const char *profile, size_t bytes, char *why,
                  size_t size)
{
    char *text = sl_json_without_events(profile, &bytes);
    *file = (struct sl_trace_file){0};
    if (!text) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    if (sl_design_from_json(&file->design, text, bytes, why, size)) {
        free(text);
        return -1;
    }
    json_t *root = json_loadb(text, bytes, 0, NULL);
    free(text);
    struct reader r = {.file = file, .root = root};
    r.wrong = root ? NULL : "out of memory";
    if (!r.wrong)
        read_trace(&r);
    if (r.wrong)
        snprintf(why, size, "%s", r.wrong);
    free(r.nb);
    json_decref(root);
    return r.wrong ? -1 : 0;
}

void sl_trace_finish(struct sl_trace_file *file)
{
    for (uint32_t i = 0; i < file->replay.run_count; i++)
        free(file->replay.runs[i].events);
    free(file->replay.runs);
    free(file->replay.sites);
    free(file->replay.pipes);
    free(file->pipes);
    free(file->why_kept);
    sl_design_finish(&file->design);
}
