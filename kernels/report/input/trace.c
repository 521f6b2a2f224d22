/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Every number of the file is checked before it is an index. */
#include "report/input/trace.h"
#include "report/input/json_row.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 26 };

struct reader {
    struct sl_trace_file *file;
    const json_t *root, *kinds, *runs;
    uint32_t *site_of; /* owned; of a kind */
    bool *nb;          /* owned; of a pipe: some operation does not wait */
    const char *wrong; /* NULL: nothing */
};

/* ---- events ---------------------------------------------------------------------------------- */

/* A list of kinds: "0 1*5 (2 3)*1000". */
struct list {
    const char *at;
    uint32_t *events; /* NULL: they are only counted */
    size_t count;
    uint32_t kinds;
    bool wrong;
};

static uint64_t read_number(struct list *list)
{
    uint64_t value = 0;
    list->wrong |= *list->at < '0' || *list->at > '9';
    for (; *list->at >= '0' && *list->at <= '9'; list->at++)
        value = value > MOST_EVENTS ? value : value * 10 + (uint64_t)(*list->at - '0');
    return value;
}

static void put(struct list *list, uint64_t kind)
{
    list->wrong |= kind >= list->kinds || list->count >= MOST_EVENTS;
    if (list->wrong)
        return;
    if (list->events)
        list->events[list->count] = (uint32_t)kind;
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
        memcpy(list->events + from + n * length, list->events + from, length * sizeof(uint32_t));
    list->count = from + length * (size_t)times;
}

static void read_item(struct list *list)
{
    size_t from = list->count;
    if (*list->at == '(') {
        do {
            list->at++;
            put(list, read_number(list));
        } while (*list->at == ' ' && !list->wrong);
        list->wrong |= *list->at != ')';
        list->at += !list->wrong;
    } else {
        put(list, read_number(list));
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
    r->site_of[number] = (uint32_t)site;
    r->nb[pipe] |= !d->sites[site].blocking;
    r->file->replay.sites[number] = (struct sl_replay_site){
        .pipe = (uint32_t)pipe,
        .write = d->sites[site].write,
        .loop = -1,
        .place = (uint32_t)site,
    };
}

static void read_kinds(struct reader *r)
{
    struct sl_replay_trace *replay = &r->file->replay;
    size_t count = json_array_size(r->kinds);
    r->site_of = calloc(count + 1, sizeof *r->site_of);
    r->nb = calloc(r->file->design.pipe_count + 1, sizeof *r->nb);
    replay->sites = calloc(count + 1, sizeof *replay->sites);
    if (!r->site_of || !r->nb || !replay->sites) {
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

/* ---- the schedule ---------------------------------------------------------------------------- */

static uint32_t number_of(const json_t *row, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(row, key));
    return value > 0 && value < UINT32_MAX / 2 ? (uint32_t)value : 0;
}

/* The place of a kernel's operation in the source, as one of its sites; UINT32_MAX: none. */
static uint32_t find_site(const struct sl_report_design *d, const char *kernel, const json_t *row)
{
    uint32_t line = number_of(row, "line"), column = number_of(row, "column");
    const char *op = json_string_value(json_object_get(row, "op"));
    for (size_t i = 0; i < d->site_count; i++) {
        const struct sl_design_site *site = &d->sites[i];
        if (site->line == line && site->column == column && op &&
            site->write == !strcmp(op, "write") && !strcmp(d->kernels[site->kernel].name, kernel))
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

/* Sites of one place are one: the compiler may have made copies of it. */
static uint32_t place_of(const struct sl_report_design *d, uint32_t site)
{
    const struct sl_design_site *of = &d->sites[site];
    for (uint32_t i = 0; i < site; i++)
        if (d->sites[i].line == of->line && d->sites[i].column == of->column &&
            d->sites[i].write == of->write && d->sites[i].kernel == of->kernel)
            return i;
    return site;
}

/* Those of a stretch; 0: of a loop that is pipelined. */
static void read_steps(struct reader *r, const char *kernel, const json_t *pipes, uint32_t stretch,
                       struct sl_replay_loop *loop)
{
    int32_t number = (int32_t)r->file->replay.loop_count;
    size_t count = json_array_size(pipes);
    loop->steps = calloc(count + 1, sizeof *loop->steps);
    if (!loop->steps) {
        r->wrong = "out of memory";
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *pipe = json_array_get(pipes, i);
        uint32_t place = find_site(&r->file->design, kernel, pipe);
        if (place == UINT32_MAX || (stretch && number_of(pipe, "stretch") != stretch))
            continue;
        loop->steps[loop->step_count++] = (struct sl_replay_step){place, number_of(pipe, "cycle")};
        for (uint32_t k = 0; k < r->file->replay.site_count; k++)
            if (r->file->replay.sites[k].place == place)
                r->file->replay.sites[k].loop = number;
    }
    for (uint32_t s = 0; s < loop->step_count; s++) /* a loop is at least as long as its steps */
        if (loop->depth <= loop->steps[s].cycle)
            loop->depth = loop->steps[s].cycle + 1;
    r->file->replay.loop_count++;
}

static size_t count_stretches(const json_t *pipes)
{
    uint32_t last = 0;
    for (size_t i = 0; i < json_array_size(pipes); i++) {
        uint32_t stretch = number_of(json_array_get(pipes, i), "stretch");
        last = stretch > last ? stretch : last;
    }
    return last < json_array_size(pipes) ? last : json_array_size(pipes);
}

/* Operations outside of pipelined loops with cycles of their own: a loop, whose iterations do not
 * overlap. */
static void read_stretches(struct reader *r, const char *kernel, const json_t *pipes)
{
    struct sl_replay_trace *replay = &r->file->replay;
    for (uint32_t n = 1; n <= count_stretches(pipes) && !r->wrong; n++) {
        struct sl_replay_loop *loop = &replay->loops[replay->loop_count];
        read_steps(r, kernel, pipes, n, loop);
        loop->interval = loop->depth;
    }
}

static void read_loop(struct reader *r, const char *kernel, const json_t *row)
{
    struct sl_replay_loop *loop = &r->file->replay.loops[r->file->replay.loop_count];
    const json_t *pipes = json_object_get(row, "pipes");
    if (!json_is_true(json_object_get(row, "pipelined"))) {
        read_stretches(r, kernel, pipes);
        return;
    }
    loop->interval = number_of(row, "ii");
    loop->depth = number_of(row, "depth");
    read_steps(r, kernel, pipes, 0, loop);
}

/* Loops and stretches that a kernel has at most. */
static size_t count_loops(const json_t *kernel)
{
    const json_t *loops = json_object_get(kernel, "loops");
    size_t count = json_array_size(loops) + count_stretches(json_object_get(kernel, "pipes"));
    for (size_t i = 0; i < json_array_size(loops); i++)
        count += count_stretches(json_object_get(json_array_get(loops, i), "pipes"));
    return count;
}

static void read_schedule(struct reader *r)
{
    const json_t *kernels = json_object_get(json_object_get(r->root, "schedule"), "kernels");
    size_t count = 0;
    for (size_t k = 0; k < json_array_size(kernels); k++)
        count += count_loops(json_array_get(kernels, k));
    r->file->replay.loops = calloc(count + 1, sizeof *r->file->replay.loops);
    if (!r->file->replay.loops)
        r->wrong = "out of memory";
    for (uint32_t k = 0; k < r->file->replay.site_count; k++)
        r->file->replay.sites[k].place = place_of(&r->file->design, r->site_of[k]);
    for (size_t k = 0; k < json_array_size(kernels) && !r->wrong; k++) {
        const json_t *kernel = json_array_get(kernels, k);
        const char *name = json_string_value(json_object_get(kernel, "name"));
        const json_t *loops = json_object_get(kernel, "loops");
        for (size_t i = 0; name && i < json_array_size(loops) && !r->wrong; i++)
            read_loop(r, name, json_array_get(loops, i));
        if (name && !r->wrong)
            read_stretches(r, name, json_object_get(kernel, "pipes"));
    }
    r->file->scheduled = r->file->replay.loop_count > 0;
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
    if (!r->wrong)
        read_schedule(r);
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
    free(r.site_of);
    free(r.nb);
    json_decref(root);
    return r.wrong ? -1 : 0;
}

void sl_trace_finish(struct sl_trace_file *file)
{
    for (uint32_t i = 0; i < file->replay.run_count; i++)
        free(file->replay.runs[i].events);
    for (uint32_t i = 0; i < file->replay.loop_count; i++)
        free(file->replay.loops[i].steps);
    free(file->replay.runs);
    free(file->replay.loops);
    free(file->replay.sites);
    free(file->replay.pipes);
    free(file->pipes);
    free(file->why_kept);
    sl_design_finish(&file->design);
}
