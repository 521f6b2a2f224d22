/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/totals.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/pass_messages.h"
#include "timing/lanes.h"

typedef unsigned long long number;

struct total {
    uint64_t packets; /* 0: not known */
    const struct sl_network_item *first;
};

/* All that a launch does is known: one work-item, as far as one can see. */
static bool is_counted(const struct sl_network_kernel *k)
{
    bool most;
    const uint64_t items = sl_group_items(k->function, &most);
    return k->regular && k->ordered && !k->autorun && !k->asks_item && (items <= 1 || most);
}

static struct total total_of(const struct sl_network_kernel *k, uint32_t pipe, bool write)
{
    uint64_t rounds[SL_NETWORK_DEEPEST + 1] = {1};
    uint32_t depth = 0;
    struct total total = {0};
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_network_item *item = &k->items[i];
        if (item->of.kind == SL_FLOW_LOOP) {
            if (depth == SL_NETWORK_DEEPEST ||
                __builtin_mul_overflow(rounds[depth], item->of.trips, &rounds[depth + 1]))
                return (struct total){0};
            depth++;
        } else if (item->of.kind == SL_FLOW_END_OF_LOOP) {
            depth -= depth > 0;
        } else if (item->of.kind == SL_FLOW_OPERATION && item->pipe == pipe &&
                   item->of.end.write == write) {
            if (!rounds[depth] ||
                __builtin_add_overflow(total.packets, rounds[depth], &total.packets))
                return (struct total){0};
            total.first = total.first ? total.first : item;
        }
    }
    return total;
}

static bool is_multiple(uint64_t a, uint64_t b)
{
    return a % b == 0 || b % a == 0;
}

/* What is left over stays in the pipe, or somebody waits for what never comes. */
static void print_end(FILE *out, const struct sl_network_pipe *pipe, const struct total *written,
                      const struct total *read, const char *writer, const char *reader)
{
    const uint64_t more = written->packets - read->packets;
    if (written->packets < read->packets)
        fprintf(out, "'%s' waits for ever\n", reader);
    else if (more > pipe->depth)
        fprintf(out, "'%s' waits for ever\n", writer);
    else
        fprintf(out, "%llu %s there\n", (number)more, more == 1 ? "stays" : "stay");
}

static void warn(FILE *out, const struct sl_network *n, uint32_t pipe, const int32_t *ends)
{
    const struct sl_network_kernel *reader = &n->kernels[ends[0]], *writer = &n->kernels[ends[1]];
    if (!is_counted(reader) || !is_counted(writer))
        return;
    const struct total read = total_of(reader, pipe, false), written = total_of(writer, pipe, true);
    if (!read.packets || !written.packets || is_multiple(read.packets, written.packets))
        return;
    fprintf(out, "%s: warning: '%s' reads %llu packets of %s, '%s' writes %llu at line %u: ",
            sl_source_place_of(read.first->of.call).text, reader->name, (number)read.packets,
            n->pipes[pipe].name, writer->name, (number)written.packets, written.first->line);
    fputs("launched once each, ", out);
    print_end(out, &n->pipes[pipe], &written, &read, writer->name, reader->name);
}

/* The first pipe whose ends are at these places: arrays of pipes have the same lines. */
static bool is_first(const struct sl_network *n, int32_t (*ends)[2], uint32_t pipe)
{
    for (uint32_t i = 0; i < pipe; i++)
        if (ends[i][0] == ends[pipe][0] && ends[i][1] == ends[pipe][1] &&
            n->pipes[i].end.pipe == n->pipes[pipe].end.pipe)
            return false;
    return true;
}

char *sl_totals_warn(const struct sl_network *n, const bool *stuck)
{
    bool *takes = calloc(n->kernel_count + (size_t)1, sizeof *takes);
    char *text = NULL;
    size_t bytes;
    FILE *out = takes && !n->failed ? open_memstream(&text, &bytes) : NULL;
    for (uint32_t k = 0; takes && k < n->kernel_count; k++)
        takes[k] = true;
    int32_t (*ends)[2] = out ? sl_network_ends(n, takes) : NULL;
    for (uint32_t i = 0; ends && i < n->pipe_count; i++)
        if (ends[i][0] >= 0 && ends[i][1] >= 0 && ends[i][0] != ends[i][1] &&
            !(stuck && (stuck[ends[i][0]] || stuck[ends[i][1]])) && is_first(n, ends, i))
            warn(out, n, i, ends[i]);
    if (out)
        fclose(out);
    free(ends);
    free(takes);
    return text;
}
