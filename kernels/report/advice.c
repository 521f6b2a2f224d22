/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/advice.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/critical.h"
#include "report/groups.h"

typedef unsigned long long number;

const struct sl_report_kernel *sl_advice_busiest(const struct sl_report_design *design)
{
    const struct sl_report_kernel *most = NULL;
    for (size_t k = 0; k < design->kernel_count && !design->stopped; k++) {
        const struct sl_report_kernel *kernel = &design->kernels[k];
        if (sl_report_work(kernel) > (most ? sl_report_work(most) : 0))
            most = kernel;
    }
    return most;
}

static const struct sl_design_loop *longest_loop(const struct sl_report_design *design,
                                                 const char *kernel)
{
    const struct sl_design_loop *most = NULL;
    for (size_t i = 0; i < design->loop_count; i++) {
        const struct sl_design_loop *loop = &design->loops[i];
        if (sl_design_loop_is_of(design, loop, kernel) && loop->cycles > (most ? most->cycles : 0))
            most = loop;
    }
    return most;
}

void sl_advice_length(const struct sl_report_design *design, FILE *out)
{
    number cycles = design->cycles, mhz = design->clock_mhz;
    fprintf(out, "%llu cycles", cycles);
    if (mhz)
        fprintf(out, ", %llu.%03llu us at %llu MHz", cycles / mhz, cycles % mhz * 1000 / mhz, mhz);
    if (design->stopped)
        fputs(", until it stood still", out);
}

bool sl_advice_stopped(const struct sl_report_design *design, FILE *out)
{
    if (design->stopped)
        fputs("the run stood still and did not end: its cycles and depths say nothing of one that "
              "does, and nothing is advised from them",
              out);
    return design->stopped;
}

bool sl_advice_unclocked(const struct sl_report_design *design, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < design->kernel_count; i++) {
        const struct sl_report_kernel *kernel = &design->kernels[i];
        if (!kernel->launches || kernel->runs || design->clock != SL_DESIGN_TIMED)
            continue;
        fprintf(out, "%s'%s' has run %llu time%s without a clock, so its cycles are missing here",
                any ? "\n" : "", kernel->name, (unsigned long long)kernel->launches,
                kernel->launches == 1 ? "" : "s");
        any = true;
    }
    if (any)
        fputs(": kernels without pipes have none if functions of sub-groups or asynchronous copies "
              "make work-items wait for each other, or if their lines are not known",
              out);
    return any;
}

/* Bytes that all loops together move, and the cycles that takes. */
static uint64_t bytes_of(const struct sl_report_design *design, uint64_t *cycles)
{
    uint64_t bytes = 0, rate = design->global_bytes;
    for (size_t i = 0; i < design->loop_count; i++)
        bytes += design->loops[i].iterations_all * design->loops[i].global_bytes;
    *cycles = rate ? bytes / rate + (bytes % rate > 0) : 0;
    return bytes;
}

void sl_advice_memory(const struct sl_report_design *design, FILE *out)
{
    uint64_t cycles, bytes = bytes_of(design, &cycles);
    if (!bytes)
        return;
    fprintf(out, "loops move %llu bytes of global memory", (number)bytes);
    if (cycles)
        fprintf(out, ", which takes %llu cycles at %u bytes a cycle", (number)cycles,
                design->global_bytes);
    if (cycles > design->cycles)
        fprintf(out, ": %llu more than the kernels take", (number)(cycles - design->cycles));
}

static void print_lines(char *const *lines, size_t count, const char *what, FILE *out)
{
    enum { MOST_TOLD = 20 };
    for (size_t i = 0; i < count && i < MOST_TOLD; i++)
        fprintf(out, "%s%s", i ? "\n" : "", lines[i]);
    if (count > MOST_TOLD)
        fprintf(out, "\nand %zu more %s", count - MOST_TOLD, what);
}

void sl_advice_best(const struct sl_report_design *design, FILE *out)
{
    print_lines(design->bounds, design->bound_count, "groups of kernels", out);
}

void sl_advice_groups(const struct sl_report_design *design, FILE *out)
{
    print_lines(design->groups, design->group_count, "kernels with barriers", out);
}

void sl_advice_most(const struct sl_report_design *design, FILE *out)
{
    const struct sl_report_kernel *most = sl_advice_busiest(design);
    if (!most)
        return;
    fprintf(out, "'%s' has most to do: %llu cycles without waiting", most->name,
            (number)sl_report_work(most));
    const struct sl_design_loop *loop = longest_loop(design, most->name);
    if (loop)
        fprintf(out, ", %llu of them in the loop at %s:%u (%s)", (number)loop->cycles, loop->file,
                loop->line, loop->why);
}

bool sl_advice_ring(const struct sl_report_design *design, FILE *out)
{
    enum { MOST_TOLD = 6 };
    size_t count;
    struct sl_critical_wait *ring = sl_critical_cycle(design, &count);
    uint64_t rounds = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t packets = design->pipes[ring[i].pipe].packets;
        rounds = packets < rounds ? packets : rounds;
    }
    if (count && rounds)
        fprintf(out,
                "kernels wait for each other in a ring, %llu times %.1f cycles:", (number)rounds,
                (double)design->cycles / (double)rounds);
    for (size_t i = 0; i < count && i < MOST_TOLD && rounds; i++)
        fprintf(out, "%s '%s' for %s of '%s' (%s)", i ? "," : "",
                design->kernels[ring[i].kernel].name, ring[i].for_room ? "room" : "packets",
                design->kernels[ring[i].peer].name, design->pipes[ring[i].pipe].name);
    if (count > MOST_TOLD && rounds)
        fprintf(out, " and %zu more", count - MOST_TOLD);
    free(ring);
    return count && rounds;
}

/* ---- what to change -------------------------------------------------------------------------- */

struct adviser {
    const struct sl_report_design *design;
    const struct sl_report_kernel *most;
    void (*tell)(void *, const char *);
    void *data;
};

static void say(const struct adviser *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct adviser *a, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    a->tell(a->data, text);
    free(text);
}

/* More cycles pass until first iterations have ended than between them. */
static bool is_mostly_entered(const struct sl_design_loop *loop)
{
    return loop->entries > 1 && !loop->interleaved && !loop->items &&
           2 * loop->entries * (loop->depth - (uint64_t)loop->interval) > loop->cycles &&
           loop->depth > loop->interval;
}

/* Inside of another one, and always as long. */
static bool is_short(const struct sl_design_loop *loop)
{
    enum { SHORT = 16 };
    return loop->entries > 1 && !loop->interleaved && !loop->items && loop->nesting > 1 &&
           loop->trips > 1 && loop->trips <= SHORT;
}

static void advise_loop(const struct adviser *a)
{
    static const struct {
        const char *limit, *text;
    } ways[] = {
        {"recurrence", "a shorter way from one iteration to the next, or one to a later iteration "
                       "(several sums side by side, say), lets them start sooner"},
        {"resource",
         "an array with more ports, or split into several, lets iterations start sooner"},
        {"pragma", "without the pragma iterations could start sooner"},
        {"order",
         "accesses to an array stand in each other's way: fewer of them, or another order, "
         "let iterations start sooner"},
    };
    const struct sl_design_loop *loop = a->most ? longest_loop(a->design, a->most->name) : NULL;
    if (!loop || 2 * loop->cycles < sl_report_work(a->most))
        return;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (loop->interval > 1 && !strcmp(loop->limit, ways[i].limit))
            say(a, "%s:%u: %s", loop->file, loop->line, ways[i].text);
    if (is_short(loop))
        say(a,
            "%s:%u: it is entered %llu times, and goes round %llu times each: #pragma unroll makes "
            "that one iteration of the loop around it, and the next one starts before it has ended",
            loop->file, loop->line, (number)loop->entries, (number)loop->trips);
    else if (is_mostly_entered(loop))
        say(a,
            "%s:%u: it is entered %llu times, and each time its first iteration takes %u cycles "
            "before the loop is left or entered again: fewer entries with more iterations each "
            "make it faster",
            loop->file, loop->line, (number)loop->entries, loop->depth);
    else if (loop->interleaved && loop->cycles > 2 * loop->iterations * loop->interval)
        say(a,
            "%s:%u: an iteration of a work-item takes %u cycles, in which %u more could begin "
            "theirs: more work-items cost little time",
            loop->file, loop->line, loop->depth, (loop->depth - 1) / loop->interval);
    else if (loop->interval == 1 && loop->items)
        say(a,
            "%s:%u: a work-item starts in each cycle; more work for each (num_simd_work_items), "
            "or several copies of '%s' (num_compute_units), make it faster",
            loop->file, loop->line, loop->kernel);
    else if (loop->interval == 1)
        say(a,
            "%s:%u: an iteration starts in each cycle; fewer iterations with more work each, or "
            "several copies of '%s', make it faster",
            loop->file, loop->line, loop->kernel);
}

static uint64_t waits_of(const struct sl_design_pipe *pipe)
{
    return pipe->full_cycles + pipe->empty_cycles;
}

static const char *name_of(const struct adviser *a, int32_t kernel)
{
    return kernel >= 0 ? a->design->kernels[kernel].name : "the outside";
}

static bool is_most(const struct adviser *a, int32_t kernel)
{
    return kernel >= 0 && a->most == &a->design->kernels[kernel];
}

/* Who waits for whom, and whether room would help. Every reader waits for its first packet. */
static void advise_pipe(const struct adviser *a, const struct sl_design_pipe *pipe, uint64_t much)
{
    enum { START = 8 };
    const char *writer = name_of(a, pipe->writer), *reader = name_of(a, pipe->reader);
    number full = pipe->full_cycles, empty = pipe->empty_cycles;
    if (full > much + START && empty > much + START)
        say(a,
            "%s: '%s' waits %llu cycles for room and '%s' %llu for packets, by turns: whether a "
            "greater depth than %u helps is found by sluice-report --depths",
            pipe->name, writer, full, reader, empty, pipe->depth);
    else if (full > much && is_most(a, pipe->reader))
        say(a, "%s: '%s' waits %llu cycles for room, as '%s' has most to do", pipe->name, writer,
            full, reader);
    else if (full > much && pipe->reader >= 0 && 2 * a->design->kernels[pipe->reader].late > full)
        say(a, "%s: '%s' waits %llu cycles for room, as '%s' itself waits", pipe->name, writer,
            full, reader);
    else if (full > much)
        say(a,
            "%s: '%s' waits %llu cycles for room: '%s' reads late, and the depth of %u does not "
            "bridge that (sluice-report --depths)",
            pipe->name, writer, full, reader, pipe->depth);
    else if (empty > much && pipe->writer == pipe->reader)
        say(a, "%s: '%s' waits %llu cycles for packets that it writes itself", pipe->name, reader,
            empty);
    else if (empty > much)
        say(a, "%s: '%s' waits %llu cycles for packets of '%s'%s", pipe->name, reader, empty,
            writer, is_most(a, pipe->writer) ? ", which has most to do" : "");
}

static int by_waits(const void *a, const void *b)
{
    const struct sl_design_pipe *x = *(const struct sl_design_pipe *const *)a;
    const struct sl_design_pipe *y = *(const struct sl_design_pipe *const *)b;
    if (waits_of(x) != waits_of(y))
        return waits_of(x) < waits_of(y) ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void advise_pipes(const struct adviser *a)
{
    enum { MOST_PIPES = 6, SHARE = 20 }; /* less than a twentieth of the run is not worth a line */
    const struct sl_report_design *design = a->design;
    const struct sl_design_pipe **slow = calloc(design->pipe_count + 1, sizeof *slow);
    uint32_t *of_group = calloc(design->pipe_count + 1, sizeof *of_group);
    struct sl_design_groups groups;
    bool grouped = !sl_design_groups_make(&groups, design) && slow && of_group;
    size_t count = 0, told = 0;
    uint64_t much = design->cycles / SHARE;
    for (size_t p = 0; grouped && p < design->pipe_count; p++)
        if (design->pipes[p].full_cycles > much || design->pipes[p].empty_cycles > much)
            slow[count++] = &design->pipes[p];
    if (count) {
        qsort(slow, count, sizeof *slow, by_waits);
        told = sl_design_worst_of_arrays(&groups, design, slow, count, of_group);
        told = told < MOST_PIPES ? told : MOST_PIPES;
    }
    for (size_t i = 0; i < told; i++)
        advise_pipe(a, slow[i], much);
    if (count > told)
        say(a, "%zu more pipes kept kernels waiting for more than 5 %% of the run", count - told);
    sl_design_groups_finish(&groups);
    free(of_group);
    free(slow);
}

/* A kernel waits for most of the run for what it has written itself: a ring of one. */
static bool is_own_ring(const struct sl_report_design *design)
{
    for (size_t p = 0; p < design->pipe_count; p++) {
        const struct sl_design_pipe *pipe = &design->pipes[p];
        if (pipe->writer >= 0 && pipe->writer == pipe->reader &&
            2 * pipe->empty_cycles > design->cycles)
            return true;
    }
    return false;
}

void sl_advice_give(const struct sl_report_design *design, void (*tell)(void *, const char *text),
                    void *data)
{
    const struct adviser a = {design, sl_advice_busiest(design), tell, data};
    size_t ring;
    if (design->stopped)
        return;
    free(sl_critical_cycle(design, &ring));
    if (ring || is_own_ring(design))
        say(&a, "a shorter way round makes it faster: fewer cycles between a read and the write "
                "behind it; or more packets on their way at a time");
    else
        advise_loop(&a);
    advise_pipes(&a);
}
