/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: from kernels and their schedule to numbers, and from bounds to words. */
#include "timing/throughput.h"

#include <stdlib.h>
#include <string.h>

#include "timing/rounds.h"
#include "timing/text.h"

typedef unsigned long long number;

struct printer {
    const struct sl_network *network;
    const struct sl_rounds *rounds; /* of kernels */
    const struct sl_steady_pipe *pipes;
    const bool *stuck; /* of kernels; NULL: of none it is known */
    FILE *out;
    const char *comma;
    struct sl_steady_step *steps; /* of the critical cycle: each place of the source once */
    uint32_t step_count;
};

/* ---- the critical cycle ---------------------------------------------------------------------- */

static const struct sl_network_item *item_of(const struct printer *p,
                                             const struct sl_steady_step *step)
{
    uint32_t item = p->rounds[step->kernel].operations[step->operation].item;
    return &p->network->kernels[step->kernel].items[item];
}

/* A step may come many times, in other rounds. What it waits for elsewhere says more than its
 * schedule. */
static void add_step(struct printer *p, const struct sl_steady_step *step)
{
    uint32_t i = 0;
    while (i < p->step_count && item_of(p, &p->steps[i]) != item_of(p, step))
        i++;
    if (i == p->step_count)
        p->steps[p->step_count++] = *step;
    else if (p->steps[i].reason == SL_STEADY_SCHEDULE)
        p->steps[i].reason = step->reason;
}

static bool is_of_one_kernel(const struct printer *p)
{
    bool one = true;
    for (uint32_t i = 0; i < p->step_count; i++)
        one &= p->steps[i].reason == SL_STEADY_SCHEDULE || p->steps[i].reason == SL_STEADY_END;
    return one;
}

/* The first one in the program comes first, whichever was found first. */
static uint32_t first_step(const struct sl_steady_bound *bound)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < bound->step_count; i++) {
        const struct sl_steady_step *a = &bound->steps[i], *b = &bound->steps[first];
        if (a->kernel < b->kernel || (a->kernel == b->kernel && a->operation < b->operation))
            first = i;
    }
    return first;
}

static void print_every(number cycles, FILE *out)
{
    if (cycles == 1)
        fputs(" every cycle", out);
    else
        fprintf(out, " every %llu cycles", cycles);
}

static void print_kernel_limit(const struct printer *p, FILE *out)
{
    const struct sl_rounds *rounds = &p->rounds[p->steps[0].kernel];
    fprintf(out, "'%s'", p->network->kernels[p->steps[0].kernel].name);
    if (rounds->groups || rounds->pipelined) {
        fputs(rounds->groups ? " begins a group" : " goes round", out);
        print_every((number)rounds->length, out);
    } else {
        fprintf(out, " takes %llu cycle%s for a round", (number)rounds->length,
                rounds->length == 1 ? "" : "s");
    }
    if (rounds->line)
        fprintf(out, " at line %u", rounds->line);
}

static void print_step(const struct printer *p, const struct sl_steady_step *step, FILE *out)
{
    const struct sl_network_item *item = item_of(p, step);
    const struct sl_network_pipe *pipe = &p->network->pipes[item->pipe];
    fprintf(out, "'%s' %s %s at line %u", p->network->kernels[step->kernel].name,
            item->of.end.write ? "writes" : "reads", pipe->name, item->line);
    if (step->reason == SL_STEADY_ROOM)
        fprintf(out, " (depth %u)", pipe->depth);
}

static void print_why(const void *data, FILE *out)
{
    enum { MOST = 12 };
    const struct printer *p = data;
    if (is_of_one_kernel(p)) {
        print_kernel_limit(p, out);
        return;
    }
    fputs("the way round: ", out);
    for (uint32_t i = 0; i < p->step_count && i < MOST; i++) {
        fputs(i ? ", " : "", out);
        print_step(p, &p->steps[i], out);
    }
    if (p->step_count > MOST)
        fprintf(out, " and %u more", p->step_count - MOST);
}

static void print_cycle(const struct printer *p)
{
    static const char *const reasons[] = {[SL_STEADY_SCHEDULE] = "schedule",
                                          [SL_STEADY_PACKET] = "packet",
                                          [SL_STEADY_ROOM] = "room",
                                          [SL_STEADY_END] = "end"};
    for (uint32_t i = 0; i < p->step_count; i++) {
        const struct sl_network_item *item = item_of(p, &p->steps[i]);
        fprintf(p->out, "%s{\"kernel\":", i ? "," : "");
        sl_timing_text(p->out, p->network->kernels[p->steps[i].kernel].name);
        fputs(",\"pipe\":", p->out);
        sl_timing_text(p->out, p->network->pipes[item->pipe].name);
        fprintf(p->out, ",\"op\":\"%s\",\"line\":%u,\"column\":%u,\"waits_for\":\"%s\"}",
                item->of.end.write ? "write" : "read", item->line, item->column,
                reasons[p->steps[i].reason]);
    }
}

/* ---- a bound --------------------------------------------------------------------------------- */

static void print_kernels(const struct printer *p, const struct sl_steady_bound *bound)
{
    const char *comma = "";
    for (uint32_t k = 0; k < p->network->kernel_count; k++) {
        if (!bound->rounds[k])
            continue;
        fprintf(p->out, "%s{\"kernel\":", comma);
        sl_timing_text(p->out, p->network->kernels[k].name);
        fprintf(p->out, ",\"line\":%u,\"rounds\":%llu}", p->rounds[k].line,
                (number)bound->rounds[k]);
        comma = ",";
    }
}

static uint64_t moved(const struct printer *p, uint32_t pipe, bool write,
                      const struct sl_steady_bound *bound)
{
    int32_t k = p->pipes[pipe].kernels[write];
    uint64_t count = 0;
    for (uint32_t i = 0; k >= 0 && i < p->rounds[k].count; i++)
        count +=
            p->rounds[k].operations[i].pipe == pipe && p->rounds[k].operations[i].write == write;
    return count ? count * bound->rounds[k] : 0;
}

/* Arguments of several kernels may have one name. */
static void print_owner(const struct printer *p, uint32_t pipe)
{
    LLVMValueRef end = p->network->pipes[pipe].end.pipe;
    size_t length;
    if (!LLVMIsAArgument(end))
        return;
    fputs(",\"kernel\":", p->out);
    sl_timing_text(p->out, LLVMGetValueName2(LLVMGetParamParent(end), &length));
}

static void print_pipes(const struct printer *p, const struct sl_steady_bound *bound)
{
    const char *comma = "";
    for (uint32_t i = 0; i < p->network->pipe_count; i++) {
        uint64_t packets = moved(p, i, true, bound);
        if (!packets)
            packets = moved(p, i, false, bound);
        if (!packets)
            continue;
        fprintf(p->out, "%s{\"pipe\":", comma);
        sl_timing_text(p->out, p->network->pipes[i].name);
        print_owner(p, i);
        fprintf(p->out, ",\"packets\":%llu}", (number)packets);
        comma = ",";
    }
}

static void take_bound(void *data, const struct sl_steady_bound *bound)
{
    struct printer *p = data;
    p->steps = calloc(bound->step_count + (size_t)1, sizeof *p->steps);
    p->step_count = 0;
    const uint32_t first = first_step(bound);
    for (uint32_t i = 0; p->steps && i < bound->step_count; i++)
        add_step(p, &bound->steps[(first + i) % bound->step_count]);
    if (!p->step_count) {
        free(p->steps);
        return;
    }
    fprintf(p->out, "%s{\"cycles\":%llu,\"kernels\":[", p->comma, (number)bound->cycles);
    print_kernels(p, bound);
    fputs("],\"pipes\":[", p->out);
    print_pipes(p, bound);
    fputs("],\"cycle\":[", p->out);
    print_cycle(p);
    fputs("],\"why\":", p->out);
    sl_timing_made(p->out, print_why, p);
    putc('}', p->out);
    p->comma = ",";
    free(p->steps);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void fill_pipes(const struct sl_network *network, const struct sl_rounds *rounds,
                       int32_t (*ends)[2], struct sl_steady_pipe *pipes)
{
    for (uint32_t i = 0; i < network->pipe_count; i++)
        pipes[i] = (struct sl_steady_pipe){.depth = network->pipes[i].depth,
                                           .kernels = {ends[i][0], ends[i][1]}};
    for (uint32_t k = 0; k < network->kernel_count; k++)
        for (uint32_t i = 0; i < rounds[k].before_count; i++) {
            const struct sl_network_item *item = &network->kernels[k].items[rounds[k].before[i]];
            pipes[item->pipe].before[item->of.end.write]++;
        }
}

static void find_bounds(struct printer *p, const struct sl_schedule_rows *schedule,
                        struct sl_rounds *rounds, struct sl_steady_kernel *kernels, bool *takes)
{
    const struct sl_network *network = p->network;
    for (uint32_t k = 0; k < network->kernel_count; k++) {
        if (sl_rounds_find(&rounds[k], &network->kernels[k], schedule))
            return;
        takes[k] = rounds[k].count > 0 && !(p->stuck && p->stuck[k]);
        if (takes[k])
            kernels[k] =
                (struct sl_steady_kernel){rounds[k].operations, rounds[k].count, rounds[k].length};
    }
    int32_t (*ends)[2] = sl_network_ends(network, takes);
    struct sl_steady_pipe *pipes = calloc(network->pipe_count + (size_t)1, sizeof *pipes);
    if (ends && pipes) {
        fill_pipes(network, rounds, ends, pipes);
        p->pipes = pipes;
        (void)sl_steady_bounds(kernels, network->kernel_count, pipes, network->pipe_count,
                               take_bound, p);
    }
    free(ends);
    free(pipes);
}

void sl_throughput_print(const struct sl_network *network, const struct sl_schedule_rows *schedule,
                         const bool *stuck, FILE *out)
{
    const size_t count = network->kernel_count + (size_t)1;
    struct sl_rounds *rounds = calloc(count, sizeof *rounds);
    struct sl_steady_kernel *kernels = calloc(count, sizeof *kernels);
    bool *takes = calloc(count, sizeof *takes);
    struct printer p = {
        .network = network, .rounds = rounds, .stuck = stuck, .out = out, .comma = ""};
    putc('[', out);
    if (rounds && kernels && takes && !network->failed && !schedule->no_memory)
        find_bounds(&p, schedule, rounds, kernels, takes);
    putc(']', out);
    for (uint32_t k = 0; rounds && k < network->kernel_count; k++)
        sl_rounds_finish(&rounds[k]);
    free(rounds);
    free(kernels);
    free(takes);
}
