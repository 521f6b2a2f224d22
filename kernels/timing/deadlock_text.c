/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/deadlock_text.h"

#include <stdlib.h>
#include <string.h>

#include "ir/pass_messages.h"
#include "timing/text.h"

typedef unsigned long long number;

enum { MOST_PLACES = 20 };

static const struct sl_network_kernel *kernel_of(const struct sl_deadlock_group *g,
                                                 const struct sl_flow_wait *wait)
{
    return &g->network->kernels[g->kernels[wait->kernel]];
}

static const struct sl_network_item *item_of(const struct sl_deadlock_group *g,
                                             const struct sl_flow_wait *wait)
{
    return &kernel_of(g, wait)->items[g->items[wait->kernel][wait->step]];
}

static const char *pipe_name(const struct sl_deadlock_group *g, uint32_t pipe)
{
    return g->network->pipes[g->pipes[pipe]].name;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void print_wait(const struct sl_deadlock_group *g, const struct sl_flow_wait *wait,
                       FILE *out)
{
    const struct sl_network_item *item = item_of(g, wait);
    bool write = item->of.end.write;
    fprintf(out, "'%s' %s %s (%s) at line %u", kernel_of(g, wait)->name, write ? "writes" : "reads",
            g->network->pipes[item->pipe].name, write ? "full" : "empty", item->line);
    if (wait->rounds)
        fprintf(out, " in round %llu", (number)wait->rounds);
}

static bool is_certain(const struct sl_flow_result *result)
{
    bool certain = true;
    for (uint32_t i = 0; i < result->count; i++)
        certain &= !result->cycle[i].rounds;
    return certain;
}

/* The first loop of the cycle that has to end for somebody to go on. */
static const struct sl_flow_wait *find_loop(const struct sl_flow_result *result)
{
    for (uint32_t i = 0; i < result->count; i++)
        if (result->cycle[i].loop != UINT32_MAX)
            return &result->cycle[i];
    return NULL;
}

static void print_needs(const struct sl_deadlock_group *g, FILE *out)
{
    const struct sl_flow_result *result = &g->result;
    const struct sl_flow_wait *loop = find_loop(result);
    if (result->full == UINT32_MAX)
        return;
    fputs("; ", out);
    for (uint32_t i = 0; i < result->need_count; i++)
        fprintf(out, "%s%s needs depth(%u)",
                !i                           ? ""
                : i + 1 < result->need_count ? ", "
                                             : " and ",
                pipe_name(g, result->needs[i].pipe), result->needs[i].depth);
    if (result->need_count)
        return;
    if (loop) {
        const struct sl_network_kernel *k = kernel_of(g, loop);
        fprintf(out, "%s needs room for all rounds of the loop of '%s' at line %u",
                pipe_name(g, result->full), k->name,
                k->items[g->items[loop->kernel][loop->loop]].line);
    } else {
        fprintf(out, "no depth is enough for %s: the rates of the pipes do not match",
                pipe_name(g, result->full));
    }
}

static void print_words(const void *data, FILE *out)
{
    const struct sl_deadlock_group *g = data;
    const struct sl_flow_result *result = &g->result;
    fputs(result->count > 1 ? "kernels wait for each other for ever"
                            : "a kernel waits for itself for ever",
          out);
    fputs(is_certain(result) ? ": " : " if loops go on so long: ", out);
    for (uint32_t i = 0; i < result->count; i++) {
        fputs(i ? ", " : "", out);
        print_wait(g, &result->cycle[i], out);
    }
    print_needs(g, out);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void print_json(const struct sl_deadlock_group *g, FILE *out)
{
    const struct sl_flow_result *result = &g->result;
    fprintf(out, "{\"certain\":%s,\"waits\":[", is_certain(result) ? "true" : "false");
    for (uint32_t i = 0; i < result->count; i++) {
        const struct sl_flow_wait *wait = &result->cycle[i];
        const struct sl_network_item *item = item_of(g, wait);
        bool write = item->of.end.write;
        fprintf(out, "%s{\"kernel\":", i ? "," : "");
        sl_timing_text(out, kernel_of(g, wait)->name);
        fputs(",\"pipe\":", out);
        sl_timing_text(out, g->network->pipes[item->pipe].name);
        fprintf(out, ",\"op\":\"%s\",\"state\":\"%s\",\"line\":%u,\"column\":%u,\"round\":%llu}",
                write ? "write" : "read", write ? "full" : "empty", item->line, item->column,
                (number)wait->rounds);
    }
    fputs("],\"depths\":[", out);
    for (uint32_t i = 0; i < result->need_count; i++) {
        fprintf(out, "%s{\"pipe\":", i ? "," : "");
        sl_timing_text(out, pipe_name(g, result->needs[i].pipe));
        fprintf(out, ",\"depth\":%u}", result->needs[i].depth);
    }
    fputs("],\"words\":", out);
    sl_timing_made(out, print_words, g);
    putc('}', out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Compute units have the same lines, and wait in the same way. */
static bool is_new(struct sl_deadlock_printer *p, const char *place)
{
    uint32_t i = 0;
    while (i < p->place_count && strcmp(p->places[i], place) != 0)
        i++;
    if (i < p->place_count || i == MOST_PLACES)
        return false;
    p->places[i] = strdup(place);
    p->place_count += p->places[i] != NULL;
    return true;
}

int sl_deadlock_printer_begin(struct sl_deadlock_printer *p)
{
    *p = (struct sl_deadlock_printer){.comma = ""};
    p->warnings = open_memstream(&p->warnings_text, &p->warnings_bytes);
    p->json = open_memstream(&p->json_text, &p->json_bytes);
    p->places = calloc(MOST_PLACES, sizeof(*p->places));
    return p->warnings && p->json && p->places ? 0 : -1;
}

void sl_deadlock_print(struct sl_deadlock_printer *p, const struct sl_deadlock_group *g)
{
    const struct sl_source_place place =
        sl_source_place_of(item_of(g, &g->result.cycle[0])->of.call);
    fputs(p->comma, p->json);
    print_json(g, p->json);
    p->comma = ",";
    if (!is_new(p, place.text))
        return;
    fprintf(p->warnings, "%s: warning: ", place.text);
    print_words(g, p->warnings);
    putc('\n', p->warnings);
}

void sl_deadlock_printer_end(struct sl_deadlock_printer *p, char **warnings, char **json)
{
    if (p->warnings)
        fclose(p->warnings);
    if (p->json)
        fclose(p->json);
    for (uint32_t i = 0; i < p->place_count; i++)
        free(p->places[i]);
    free(p->places);
    *warnings = p->warnings_text;
    *json = p->json_text;
}
