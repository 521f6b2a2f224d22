/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a designer should look at: feedback loops without depth, pipes without an end, kernels that
 * spend a run waiting. Loops are the strongly connected components of the graph (Tarjan). No shared
 * state.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "report/input/design.h"
#include "report/page/text.h"

struct list {
    char **items; /* owned, as its texts */
    size_t count;
};

static void add(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct list *list, const char *format, ...)
{
    char **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown)
        return;
    list->items = grown;
    va_list args;
    va_start(args, format);
    if (vasprintf(&grown[list->count], format, args) >= 0)
        list->count++;
    va_end(args);
}

/* ---- feedback loops -------------------------------------------------------------------------- */

struct search {
    const struct sl_report_design *design;
    size_t *first, *next;         /* outgoing pipes: of a kernel, then of a pipe; count: none */
    size_t *at;                   /* per kernel on the path: the pipe to follow next */
    uint32_t *order, *low, *loop; /* per kernel; loop: number of its component */
    uint32_t *stack, *path;       /* kernels of no loop yet; how the search came here */
    uint32_t depth, length, visited, loops;
};

static bool is_edge(const struct sl_design_pipe *pipe)
{
    return pipe->writer >= 0 && pipe->reader >= 0;
}

static void close_loop(struct search *s, uint32_t kernel)
{
    uint32_t member;
    do {
        member = s->stack[--s->depth];
        s->loop[member] = s->loops;
    } while (member != kernel);
    s->loops++;
}

static void enter(struct search *s, uint32_t kernel)
{
    s->order[kernel] = s->low[kernel] = ++s->visited;
    s->stack[s->depth++] = kernel;
    s->path[s->length++] = kernel;
    s->at[kernel] = s->first[kernel];
}

static void lower(struct search *s, uint32_t kernel, uint32_t to)
{
    s->low[kernel] = to < s->low[kernel] ? to : s->low[kernel];
}

/* One pipe further, or back when there is none. */
static void step(struct search *s)
{
    enum { UNSEEN = 0 };
    uint32_t kernel = s->path[s->length - 1];
    size_t pipe = s->at[kernel];
    if (pipe < s->design->pipe_count) {
        uint32_t to = (uint32_t)s->design->pipes[pipe].reader;
        s->at[kernel] = s->next[pipe];
        if (s->order[to] == UNSEEN)
            enter(s, to);
        else if (s->loop[to] == UINT32_MAX)
            lower(s, kernel, s->order[to]);
        return;
    }
    if (s->low[kernel] == s->order[kernel])
        close_loop(s, kernel);
    if (--s->length)
        lower(s, s->path[s->length - 1], s->low[kernel]);
}

/* Without recursion: a chain of kernels may be as long as a file says. */
static void visit(struct search *s, uint32_t kernel)
{
    enter(s, kernel);
    while (s->length)
        step(s);
}

static void link_pipes(struct search *s)
{
    const struct sl_report_design *design = s->design;
    for (size_t k = 0; k < design->kernel_count; k++) {
        s->first[k] = design->pipe_count;
        s->loop[k] = UINT32_MAX;
    }
    for (size_t p = design->pipe_count; p-- > 0;) {
        if (!is_edge(&design->pipes[p]))
            continue;
        s->next[p] = s->first[design->pipes[p].writer];
        s->first[design->pipes[p].writer] = p;
    }
}

static void warn_loop(const struct search *s, const struct sl_design_pipe *pipe, struct list *list)
{
    if (is_edge(pipe) && s->loop[pipe->writer] == s->loop[pipe->reader] && !pipe->declared_depth &&
        strcmp(pipe->kind, "argument"))
        add(list,
            "%s (line %u) has no depth and lies in a feedback loop: %s waits as soon as "
            "%u packet%s in it",
            pipe->name, pipe->line, s->design->kernels[pipe->writer].name, pipe->depth,
            pipe->depth == 1 ? " is" : "s are");
}

static void warn_loops(const struct sl_report_design *design, struct list *list)
{
    size_t kernels = design->kernel_count;
    struct search s = {.design = design};
    size_t *places = calloc(2 * kernels + design->pipe_count + 1, sizeof *places);
    uint32_t *rows = calloc(5 * kernels + 1, sizeof *rows);
    if (places && rows) {
        s.first = places;
        s.at = places + kernels;
        s.next = places + 2 * kernels;
        s.order = rows;
        s.low = rows + kernels;
        s.loop = rows + 2 * kernels;
        s.stack = rows + 3 * kernels;
        s.path = rows + 4 * kernels;
        link_pipes(&s);
        for (uint32_t k = 0; k < kernels; k++)
            if (!s.order[k])
                visit(&s, k);
        for (size_t p = 0; p < design->pipe_count; p++)
            warn_loop(&s, &design->pipes[p], list);
    }
    free(places);
    free(rows);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Nobody is at one end, and somebody at the other. */
static bool lacks_end(const struct sl_design_pipe *pipe, bool writer)
{
    bool unknown = !strcmp(pipe->kind, "argument"); /* its other end may be any program's */
    bool lacks =
        writer ? pipe->writer < 0 && pipe->reader >= 0 : pipe->reader < 0 && pipe->writer >= 0;
    return lacks && !*pipe->host && !*pipe->io && !unknown;
}

static size_t base_length(const char *name)
{
    return strcspn(name, "[");
}

/* The kernel at the other end has an operation that waits there, as far as is known. */
static bool waits_at(const struct sl_report_design *design, const struct sl_design_pipe *pipe,
                     bool writer)
{
    const int32_t kernel = writer ? pipe->reader : pipe->writer;
    bool known = false;
    for (size_t i = 0; i < design->site_count; i++) {
        const struct sl_design_site *site = &design->sites[i];
        if ((int32_t)site->kernel != kernel || site->write == writer)
            continue;
        if (site->pipe < 0 || site->of_array || &design->pipes[site->pipe] == pipe) {
            if (site->blocking)
                return true;
            known = true;
        }
    }
    return !known;
}

/* Elements of an array follow each other. */
static size_t end_of_array(const struct sl_report_design *design, size_t first)
{
    const char *name = design->pipes[first].name;
    size_t end = first + 1, length = base_length(name);
    while (name[length] && end < design->pipe_count &&
           base_length(design->pipes[end].name) == length &&
           !strncmp(design->pipes[end].name, name, length))
        end++;
    return end;
}

static void warn_array(const struct sl_report_design *design, size_t from, size_t to, bool writer,
                       struct list *list)
{
    const struct sl_design_pipe *first = NULL;
    size_t count = 0;
    for (size_t p = from; p < to; p++)
        if (lacks_end(&design->pipes[p], writer)) {
            first = first ? first : &design->pipes[p];
            count++;
        }
    if (!count)
        return;
    const char *verb = writer ? "written" : "read";
    const char *kernel = design->kernels[writer ? first->reader : first->writer].name;
    if (!waits_at(design, first, writer))
        add(list, "%s (line %u)%s never %s: kernel %s, which does not wait, finds %s", first->name,
            first->line, count > 1 ? " and more of the array are" : " is", verb, kernel,
            writer ? "no packet there" : "no room once it is full");
    else if (count == 1)
        add(list, "%s (line %u) is never %s: kernel %s will wait for ever", first->name,
            first->line, verb, kernel);
    else
        add(list,
            "%s (line %u) and %zu more of the array are never %s: kernels will wait for ever, as "
            "%s "
            "will",
            first->name, first->line, count - 1, verb, kernel);
}

static void warn_ends(const struct sl_report_design *design, struct list *list)
{
    for (size_t p = 0, end; p < design->pipe_count; p = end) {
        end = end_of_array(design, p);
        warn_array(design, p, end, true, list);
        warn_array(design, p, end, false, list);
    }
}

static void warn_contests(const struct sl_report_design *design, struct list *list)
{
    enum { MOST_CONTESTS = 6 };
    size_t count = 0;
    for (size_t p = 0; p < design->pipe_count; p++) {
        const struct sl_design_pipe *pipe = &design->pipes[p];
        if (!pipe->other_writers && !pipe->other_readers)
            continue;
        if (count++ >= MOST_CONTESTS)
            continue;
        if (pipe->other_writers)
            add(list, "%s (line %u) may be written by %s, and by %s: only one of them may do so",
                pipe->name, pipe->line, design->kernels[pipe->writer].name, pipe->other_writers);
        if (pipe->other_readers)
            add(list, "%s (line %u) may be read by %s, and by %s: only one of them may do so",
                pipe->name, pipe->line, design->kernels[pipe->reader].name, pipe->other_readers);
    }
    if (count > MOST_CONTESTS)
        add(list, "%zu more pipes may be written or read by several kernels",
            count - MOST_CONTESTS);
}

/* More than this share of a run, while launches went on, spent waiting for one pipe is worth a
 * line, and so many lines. */
static const double much = 0.2;
enum { MOST_WAITS = 6 };

static int by_wait(const void *a, const void *b)
{
    const struct sl_design_pipe *x = *(const struct sl_design_pipe *const *)a;
    const struct sl_design_pipe *y = *(const struct sl_design_pipe *const *)b;
    if (x->held_ns != y->held_ns)
        return x->held_ns < y->held_ns ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void warn_wait(const struct sl_report_design *design, const struct sl_design_pipe *pipe,
                      uint32_t alike, struct list *list)
{
    char text[SL_SHORT_TEXT], others[64] = "";
    if (alike > 1)
        snprintf(others, sizeof others, ", and for %u more of its array", alike - 1);
    const bool full = pipe->full_ns > pipe->empty_ns;
    const int32_t waits = full ? pipe->writer : pipe->reader;
    add(list, "%s waited %.0f %% of the run (%s) for %s because it was %s%s",
        waits < 0 ? "kernels" : design->kernels[waits].name,
        100.0 * (double)pipe->held_ns / (double)design->busy_ns,
        sl_report_time(text, pipe->held_ns), pipe->name, full ? "full" : "empty", others);
}

/* The others wait for who computes for most of the time that all do together. */
static void tell_busiest(const struct sl_report_design *design, struct list *list)
{
    enum { SHARE = 2 };
    const struct sl_report_kernel *most = NULL;
    uint64_t all = 0;
    for (size_t k = 0; k < design->kernel_count; k++) {
        const struct sl_report_kernel *kernel = &design->kernels[k];
        all += kernel->run_ns;
        most = !most || kernel->run_ns > most->run_ns ? kernel : most;
    }
    char text[SL_SHORT_TEXT], together[SL_SHORT_TEXT];
    if (most && design->kernel_count > 1 && most->run_ns * SHARE > all)
        add(list, "%s has most to do here: it ran for %s of the %s that kernels did", most->name,
            sl_report_time(text, most->run_ns), sl_report_time(together, all));
}

static void warn_waits(const struct sl_report_design *design, struct list *list)
{
    size_t count = 0;
    struct sl_design_groups groups;
    const struct sl_design_pipe **slow = calloc(design->pipe_count + 1, sizeof *slow);
    uint32_t *more = calloc(design->pipe_count + 1, sizeof *more);
    bool grouped = !sl_design_groups_make(&groups, design) && slow && more;
    for (size_t p = 0; grouped && p < design->pipe_count; p++)
        if ((double)design->pipes[p].held_ns > much * (double)design->busy_ns)
            slow[count++] = &design->pipes[p];
    if (count) {
        qsort(slow, count, sizeof *slow, by_wait);
        count = sl_design_worst_of_arrays(&groups, design, slow, count, more);
    }
    if (count)
        tell_busiest(design, list);
    for (size_t i = 0; i < count && i < MOST_WAITS; i++)
        warn_wait(design, slow[i], more[groups.of_pipe[slow[i] - design->pipes]], list);
    if (count > MOST_WAITS)
        add(list, "%zu more pipes kept kernels waiting for more than %.0f %% of the run",
            count - MOST_WAITS, 100 * much);
    sl_design_groups_finish(&groups);
    free(more);
    free(slow);
}

char **sl_design_warnings(const struct sl_report_design *design, size_t *count)
{
    struct list list = {0};
    warn_ends(design, &list);
    warn_contests(design, &list);
    warn_loops(design, &list);
    if (design->profiled && design->busy_ns && design->clock != SL_DESIGN_TIMED && !design->stopped)
        warn_waits(design, &list);
    *count = list.count;
    return list.items;
}

void sl_design_warnings_finish(char **warnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(warnings[i]);
    free(warnings);
}
