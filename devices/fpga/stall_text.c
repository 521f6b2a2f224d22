/* SPDX-License-Identifier: Apache-2.0 */
/* A stall in words and as JSON; docs/dataflow.md describes both. No state, no lock. */
#include <stdio.h>
#include <stdlib.h>

#include "common/values.h"
#include "fpga/design.h"
#include "fpga/json.h"
#include "fpga/ring.h"
#include "fpga/stall.h"

static const char *pipe_name(const struct sl_fiber *fiber)
{
    return sl_fiber_stuck_at(fiber)->info ? sl_fiber_stuck_at(fiber)->info->name
                                          : fiber->site->pipe;
}

static uint64_t fill_of(const struct sl_pipe_ring *ring)
{
    return __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
           __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
}

static const char *state_of(const struct sl_fiber *fiber)
{
    return fiber->site->op == SL_PIPE_WRITE ? "full" : "empty";
}

static const char *verb_of(unsigned op)
{
    return op == SL_PIPE_WRITE ? "write" : "read";
}

/* The kernel that ought to be at the other end, or NULL. */
static const char *absent_peer(const struct sl_fiber *fiber)
{
    const struct sl_pipe_info *pipe = sl_fiber_stuck_at(fiber)->info;
    if (!pipe)
        return NULL;
    int32_t row = fiber->site->op == SL_PIPE_WRITE ? pipe->reader : pipe->writer;
    return row >= 0 ? fiber->design->info->kernels[row].name : NULL;
}

static void print_reason(FILE *out, const struct sl_stall_rows *rows,
                         const struct sl_stall_row *row)
{
    const struct sl_fiber *fiber = row->fiber;
    const char *absent = absent_peer(fiber), *verb = verb_of(!fiber->site->op);
    if (sl_ring_is_foreign(sl_fiber_stuck_at(fiber)))
        fprintf(out, ", for the other end outside of the device");
    else if (row->next >= 0 && rows->at[row->next].fiber == fiber)
        fprintf(out, ", for itself");
    else if (row->next >= 0)
        fprintf(out, ", for %s", rows->at[row->next].fiber->kernel->name);
    else if (absent)
        fprintf(out, ", for %s, which %ss it and is not running", absent, verb);
    else
        fprintf(out, ", which no running kernel %ss", verb);
}

static void print_row(FILE *out, const struct sl_stall_rows *rows, const struct sl_stall_row *row)
{
    const struct sl_fiber *fiber = row->fiber;
    const struct sl_pipe_site *site = fiber->site;
    fprintf(out, "\n  %s%s %s %s %s (%s: %llu of %u)", fiber->work ? "" : "autorun kernel ",
            fiber->kernel->name, fiber->ring ? "waits to" : "polls in vain to", verb_of(site->op),
            pipe_name(fiber), state_of(fiber),
            (unsigned long long)fill_of(sl_fiber_stuck_at(fiber)), sl_fiber_stuck_at(fiber)->depth);
    if (site->file)
        fprintf(out, " at %s:%u:%u", site->file, site->line, site->column);
    print_reason(out, rows, row);
}

static uint32_t waiting(const struct sl_stall_rows *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        count += rows->at[i].fiber->work != NULL;
    return count;
}

static void print_text(FILE *out, const struct sl_stall_rows *rows)
{
    enum { MOST = 100 };
    uint32_t count = waiting(rows);
    fprintf(out, "nothing on the device can move: %u kernel%s wait%s for pipes", count,
            count == 1 ? "" : "s", count == 1 ? "s" : "");
    for (uint32_t i = 0; i < rows->count && i < MOST; i++)
        print_row(out, rows, &rows->at[i]);
    if (rows->count > MOST)
        fprintf(out, "\n  and %u more", rows->count - MOST);
    if (rows->cycle < 0)
        return;
    fprintf(out, "\n  cycle: %s", rows->at[rows->cycle].fiber->kernel->name);
    int32_t at = rows->cycle;
    do {
        at = rows->at[at].next;
        fprintf(out, " -> %s", rows->at[at].fiber->kernel->name);
    } while (at != rows->cycle);
}

static void print_json_row(FILE *out, const struct sl_stall_rows *rows,
                           const struct sl_stall_row *row)
{
    const struct sl_fiber *fiber = row->fiber;
    const struct sl_pipe_site *site = fiber->site;
    const char *peer = row->next >= 0 ? rows->at[row->next].fiber->kernel->name : NULL;
    fprintf(out, "{\"kernel\":");
    sl_json_string(out, fiber->kernel->name);
    fprintf(out, ",\"autorun\":%s,\"op\":\"%s\",\"pipe\":", fiber->work ? "false" : "true",
            verb_of(site->op));
    sl_json_string(out, pipe_name(fiber));
    fprintf(out, ",\"state\":\"%s\",\"packets\":%llu,\"depth\":%u,\"file\":", state_of(fiber),
            (unsigned long long)fill_of(sl_fiber_stuck_at(fiber)), sl_fiber_stuck_at(fiber)->depth);
    sl_json_string(out, site->file);
    fprintf(out, ",\"line\":%u,\"column\":%u,\"outside\":%s,\"waits_for\":", site->line,
            site->column, row->outside ? "true" : "false");
    sl_json_string(out, peer);
    fprintf(out, ",\"not_running\":");
    sl_json_string(out, peer || row->outside ? NULL : absent_peer(fiber));
    fprintf(out, "}");
}

static void print_json(FILE *out, const struct sl_stall_rows *rows)
{
    fprintf(out, "{\"stall\":{\"kernels\":[");
    for (uint32_t i = 0; i < rows->count; i++) {
        fprintf(out, "%s", i ? "," : "");
        print_json_row(out, rows, &rows->at[i]);
    }
    fprintf(out, "],\"cycle\":[");
    for (int32_t at = rows->cycle; at >= 0;) {
        sl_json_string(out, rows->at[at].fiber->kernel->name);
        at = rows->at[at].next;
        if (at == rows->cycle)
            break;
        fprintf(out, ",");
    }
    fprintf(out, "]}}");
}

static int make(const struct sl_stall_rows *rows, char **text,
                void (*print)(FILE *, const struct sl_stall_rows *))
{
    size_t bytes;
    *text = NULL;
    FILE *out = open_memstream(text, &bytes);
    if (!out)
        return SL_OUT_OF_HOST_MEMORY;
    print(out, rows);
    if (!fclose(out) && *text)
        return 0;
    free(*text);
    return SL_OUT_OF_HOST_MEMORY;
}

int sl_stall_text(const struct sl_stall_rows *rows, char **text, char **json)
{
    int rc = make(rows, text, print_text);
    if (rc)
        return rc;
    rc = make(rows, json, print_json);
    if (rc)
        free(*text);
    return rc;
}
