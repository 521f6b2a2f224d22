/* SPDX-License-Identifier: Apache-2.0 */
/* A stall in words and as JSON; docs/dataflow.md describes both. No state, no lock. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/base/values.h"
#include "fpga/ahead/ahead.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/stall/stall.h"
#include "fpga/stream/io_binding.h"
#include "fpga/stream/shm_wait.h"
#include "sluice/base/json.h"

/* A pipe object has the name of the argument where somebody waits for it. */
static const char *pipe_name(const struct sl_stall_row *row)
{
    if (row->ring->info)
        return row->ring->info->name;
    return row->fiber ? row->fiber->site->pipe : "a pipe object";
}

static bool is_outside(const struct sl_stall_row *row)
{
    return row->fiber && sl_ring_is_foreign(row->ring);
}

static bool is_io(const struct sl_stall_row *row)
{
    return is_outside(row) && row->ring->flags & SL_PIPE_IO;
}

static const char *state_of(const struct sl_stall_row *row)
{
    return row->op == SL_PIPE_WRITE ? "full" : "empty";
}

static const char *verb_of(unsigned op)
{
    return op == SL_PIPE_WRITE ? "write" : "read";
}

/* Where in the source: of a kernel, where it waits; of a transfer, the pipe. */
struct place {
    const char *file;
    uint32_t line, column;
};

static struct place place_of(const struct sl_stall_row *row)
{
    const struct sl_pipe_site *site = row->fiber ? row->fiber->site : NULL;
    const struct sl_pipe_info *pipe = row->ring->info;
    return site   ? (struct place){site->file, site->line, site->column}
           : pipe ? (struct place){pipe->file, pipe->line, 0}
                  : (struct place){NULL, 0, 0};
}

static const char *kernel_of(const struct sl_stall_row *row)
{
    return row->fiber ? row->fiber->kernel->name : NULL;
}

static bool is_launch(const struct sl_stall_row *row)
{
    return row->fiber && row->fiber->work;
}

/* The row in the module of the kernel that ought to be at the other end, -1: none. */
static int32_t absent_kernel(const struct sl_stall_row *row)
{
    const struct sl_pipe_info *pipe = row->ring->info;
    return pipe && !is_outside(row) ? sl_ring_kernel(row->ring, !row->op) : -1;
}

/* Its name, or NULL. */
static const char *absent_peer(const struct sl_stall_row *row)
{
    int32_t kernel = absent_kernel(row);
    return kernel >= 0 ? row->design->info->kernels[kernel].name : NULL;
}

/* An earlier report was about it. */
static bool was_ended(const struct sl_stall_row *row)
{
    int32_t kernel = absent_kernel(row);
    return kernel >= 0 &&
           atomic_load_explicit(&row->design->kernels[kernel].was_ended, memory_order_relaxed);
}

/* Where somebody ought to be outside of the device, or NULL. */
static const char *lacked_peer(const struct sl_stall_row *row)
{
    uint64_t since;
    if (!is_io(row) || !row->ring->owner || sl_pipe_is_at_end(row->ring->owner))
        return NULL;
    return sl_pipe_lacked_peer(row->ring->owner, &since);
}

static const char *who(const struct sl_shm_hop *hop, char name[SL_SHM_NAME])
{
    if (!hop->who[0])
        snprintf(name, SL_SHM_NAME, "process %u", hop->process);
    return hop->who[0] ? hop->who : name;
}

/* An I/O pipe whose name no row of SLUICE_FPGA_IO knows. */
static bool is_unbound(const struct sl_stall_row *row)
{
    const struct sl_pipe_info *pipe = row->ring->info;
    return pipe && pipe->io && row->design && !sl_io_is_bound(&row->design->bindings, pipe->io);
}

/* Who is not running, and why if that is known. */
static void print_absent(FILE *out, const struct sl_stall_rows *rows,
                         const struct sl_stall_row *row, const char *absent)
{
    if (was_ended(row)) {
        fprintf(out, ", for %s, which was ended above because it stood still", absent);
        return;
    }
    fprintf(out, ", for %s, which %ss it and is not running", absent, verb_of(!row->op));
    if (row->behind < 0)
        return;
    const char *first = kernel_of(&rows->at[row->behind]);
    fprintf(out,
            row->in_order ? ": it comes behind %s in one in-order queue, so give them two"
                          : ": it waits for the end of %s",
            first);
}

static void print_reason(FILE *out, const struct sl_stall_rows *rows,
                         const struct sl_stall_row *row)
{
    char name[SL_SHM_NAME];
    const char *absent = absent_peer(row), *verb = verb_of(!row->op), *where = lacked_peer(row);
    if (is_outside(row) && !is_io(row))
        fprintf(out, ", for the host, which waits as well");
    else if (row->hop_count)
        fprintf(out, ", for %s of %s", row->hops[0].kernel, who(row->hops, name));
    else if (where)
        fprintf(out, ", for a peer at %s, where nobody is", where);
    else if (is_io(row) && is_unbound(row))
        fprintf(out, ", whose end \"%s\" is bound to nothing (SLUICE_FPGA_IO)",
                row->ring->info->io);
    else if (is_io(row))
        fprintf(out, row->op == SL_PIPE_WRITE ? ", and nothing leaves the device there any more"
                                              : ", and nothing comes from outside any more");
    else if (row->next >= 0 && &rows->at[row->next] == row)
        fprintf(out, ", for itself");
    else if (row->next >= 0)
        fprintf(out, ", for %s", rows->at[row->next].fiber->kernel->name);
    else if (absent)
        print_absent(out, rows, row, absent);
    else
        fprintf(out, ", which no running kernel %ss", verb);
}

static void print_row(FILE *out, const struct sl_stall_rows *rows, const struct sl_stall_row *row)
{
    const struct sl_fiber *fiber = row->fiber;
    struct place place = place_of(row);
    uint64_t packets;
    uint32_t depth;
    if (fiber)
        fprintf(out, "\n  %s%s %s", fiber->work ? "" : "autorun kernel ", kernel_of(row),
                fiber->ring ? "waits to" : "polls in vain to");
    else
        fprintf(out, "\n  the host %s", row->asked ? "asks in vain to" : "waits to");
    sl_ahead_shown(row->ring, &packets, &depth);
    fprintf(out, " %s %s (%s: %llu of %u)", verb_of(row->op), pipe_name(row), state_of(row),
            (unsigned long long)packets, depth);
    if (place.file && fiber)
        fprintf(out, " at %s:%u:%u", place.file, place.line, place.column);
    else if (place.file)
        fprintf(out, " of %s:%u", place.file, place.line);
    print_reason(out, rows, row);
}

static void print_head(FILE *out, const struct sl_stall_rows *rows, bool all)
{
    uint32_t kernels = 0;
    bool host = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        kernels += rows->at[i].told && is_launch(&rows->at[i]);
        host |= rows->at[i].told && !rows->at[i].fiber;
    }
    fprintf(out, "%s on the device can move: ", all ? "nothing" : "not everything");
    if (kernels)
        fprintf(out, "%u kernel%s wait%s for pipes%s", kernels, kernels == 1 ? "" : "s",
                kernels == 1 ? "s" : "", host ? ", and the host does" : "");
    else
        fprintf(out, "the host waits for a pipe");
}

/* A cycle over processes, from here and back. */
static void print_hops(FILE *out, const struct sl_stall_rows *rows)
{
    uint32_t i = 0;
    while (i < rows->count && !(rows->at[i].told && rows->at[i].hop_count))
        i++;
    if (i == rows->count)
        return;
    const struct sl_stall_row *row = &rows->at[i];
    const struct sl_shm_hop *self = &row->hops[row->hop_count - 1];
    char name[SL_SHM_NAME];
    fprintf(out, "\n  cycle over processes: %s kernel %s", who(self, name), kernel_of(row));
    for (uint32_t n = 0; n < row->hop_count; n++)
        fprintf(out, " -> %s kernel %s at %s", who(&row->hops[n], name), row->hops[n].kernel,
                row->hops[n].pipe);
}

static void print_cycle(FILE *out, const struct sl_stall_rows *rows)
{
    if (rows->cycle < 0)
        return;
    fprintf(out, "\n  cycle: %s", rows->at[rows->cycle].fiber->kernel->name);
    int32_t at = rows->cycle;
    do {
        at = rows->at[at].next;
        fprintf(out, " -> %s", rows->at[at].fiber->kernel->name);
    } while (at != rows->cycle);
}

/* What to set if it was too early. */
static void print_time(FILE *out, const struct sl_stall_rows *rows)
{
    static const char *const since[] = {
        [SL_OUTLOOK_ASKING] = ", as the host asks instead of waiting",
        [SL_OUTLOOK_QUIET] = ", as other threads of the application might have acted",
        [SL_OUTLOOK_BUSY] = ", as other threads of the application are at work",
        [SL_OUTLOOK_EXPECTED] = "",
    };
    unsigned long long ms = rows->stall_ms;
    fprintf(out, "\n  nothing there has moved for %llu ms", ms * rows->times);
    if (rows->times == 1)
        fprintf(out, ": SLUICE_FPGA_STALL_MS=%llu", ms);
    else
        fprintf(out, ": %u times SLUICE_FPGA_STALL_MS=%llu%s", rows->times, ms,
                rows->peers ? ", as a peer might have come" : since[rows->outlook]);
    fprintf(out, rows->ends ? "; the launches end (SLUICE_FPGA_ON_STALL=error)"
                            : "; they go on waiting (SLUICE_FPGA_ON_STALL=error ends them)");
}

static void print_text(FILE *out, const struct sl_stall_rows *rows, bool all)
{
    enum { MOST = 100 };
    uint32_t count = 0;
    print_head(out, rows, all);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].told && count++ < MOST)
            print_row(out, rows, &rows->at[i]);
    }
    if (count > MOST)
        fprintf(out, "\n  and %u more", count - MOST);
    print_cycle(out, rows);
    print_hops(out, rows);
    print_time(out, rows);
}

static void print_json_hops(FILE *out, const struct sl_stall_row *row)
{
    for (uint32_t n = 0; n < row->hop_count; n++) {
        fprintf(out, "%s{\"process\":%u,", n ? "," : ",\"processes\":[", row->hops[n].process);
        if (row->hops[n].who[0]) {
            fprintf(out, "\"who\":");
            sl_json_string(out, row->hops[n].who);
            fprintf(out, ",");
        }
        fprintf(out, "\"kernel\":");
        sl_json_string(out, row->hops[n].kernel);
        fprintf(out, ",\"pipe\":");
        sl_json_string(out, row->hops[n].pipe);
        fprintf(out, "}");
    }
    if (row->hop_count)
        fprintf(out, "]");
}

static void print_json_row(FILE *out, const struct sl_stall_rows *rows,
                           const struct sl_stall_row *row)
{
    struct place place = place_of(row);
    uint64_t packets;
    uint32_t depth;
    sl_ahead_shown(row->ring, &packets, &depth);
    const char *peer = row->next >= 0 ? rows->at[row->next].fiber->kernel->name : NULL;
    fprintf(out, "{\"kernel\":");
    sl_json_string(out, kernel_of(row));
    fprintf(out, ",\"autorun\":%s,\"op\":\"%s\",\"pipe\":",
            row->fiber && !row->fiber->work ? "true" : "false", verb_of(row->op));
    sl_json_string(out, pipe_name(row));
    fprintf(out, ",\"state\":\"%s\",\"packets\":%llu,\"depth\":%u,\"file\":", state_of(row),
            (unsigned long long)packets, depth);
    sl_json_string(out, place.file);
    fprintf(out, ",\"line\":%u,\"column\":%u,\"outside\":%s,\"waits_for\":", place.line,
            place.column, is_outside(row) ? "true" : "false");
    sl_json_string(out, peer);
    fprintf(out, ",\"not_running\":");
    sl_json_string(out, peer ? NULL : absent_peer(row));
    if (!peer && was_ended(row))
        fprintf(out, ",\"ended\":true");
    if (!peer && absent_peer(row) && row->behind >= 0) {
        fprintf(out, ",\"behind\":");
        sl_json_string(out, kernel_of(&rows->at[row->behind]));
        fprintf(out, ",\"in_order\":%s", row->in_order ? "true" : "false");
    }
    fprintf(out, ",\"peer\":");
    sl_json_string(out, lacked_peer(row));
    print_json_hops(out, row);
    fprintf(out, "}");
}

static void print_json(FILE *out, const struct sl_stall_rows *rows, bool all)
{
    bool first = true;
    fprintf(out, "{\"stall\":{\"all\":%s,\"still_ms\":%llu,\"kernels\":[", all ? "true" : "false",
            (unsigned long long)(rows->stall_ms * rows->times));
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!rows->at[i].told)
            continue;
        fprintf(out, "%s", first ? "" : ",");
        print_json_row(out, rows, &rows->at[i]);
        first = false;
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

static int make(const struct sl_stall_rows *rows, bool all, char **text,
                void (*print)(FILE *, const struct sl_stall_rows *, bool))
{
    size_t bytes;
    *text = NULL;
    FILE *out = open_memstream(text, &bytes);
    if (!out)
        return SL_OUT_OF_HOST_MEMORY;
    print(out, rows, all);
    return sl_text_close(out, text);
}

int sl_stall_text(const struct sl_stall_rows *rows, bool all, char **text, char **json)
{
    int rc = make(rows, all, text, print_text);
    if (rc)
        return rc;
    rc = make(rows, all, json, print_json);
    if (rc)
        free(*text);
    else
        sl_stall_name(text);
    return rc;
}
