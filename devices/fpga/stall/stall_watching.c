/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: the clusters of all rows are claimed. */
#include "fpga/stall/stall_watching.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/runtime/hosted.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "sluice/base/json.h"

/* ---- who waits for whom ---------------------------------------------------------------------- */

static bool polls_for_long(const struct sl_stall_row *row)
{
    return row->fiber && !row->ring && row->fiber->seen.watching >= SL_STALL_LOOKS * SL_STALL_LONG;
}

/* By way of others, or at once. As many steps as there are rows end in a cycle, which is another
 * matter. */
static bool waits_for(const struct sl_stall_rows *rows, uint32_t n, uint32_t watching)
{
    int32_t at = rows->at[n].ring ? (int32_t)n : -1;
    for (uint32_t i = 0; i < rows->count && at >= 0 && at != (int32_t)watching; i++)
        at = rows->at[at].ring ? sl_stall_peer_of(rows, (uint32_t)at) : -1;
    return at == (int32_t)watching;
}

/* Kernels that the host has launched, and its own transfers; those that run by themselves may well
 * have nothing to do. */
static bool does_anybody_wait(const struct sl_stall_rows *rows, uint32_t watching)
{
    bool any = false;
    for (uint32_t i = 0; i < rows->count && !any; i++)
        any = (!rows->at[i].fiber || rows->at[i].fiber->work) && waits_for(rows, i, watching);
    return any;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static const char *pipe_of(const struct sl_stall_row *row)
{
    if (row->ring->info)
        return row->ring->info->name;
    return row->fiber ? row->fiber->site->pipe : "a pipe object";
}

static void print_waiting(FILE *text, FILE *json, const struct sl_stall_row *row, const char *comma)
{
    const bool reads = row->op == SL_PIPE_READ;
    const char *kernel = row->fiber ? row->fiber->kernel->name : NULL;
    fprintf(text, "\n  %s waits to %s %s", kernel ? kernel : "the host", reads ? "read" : "write",
            pipe_of(row));
    fprintf(json, "%s{\"kernel\":", comma);
    sl_json_string(json, kernel);
    fprintf(json, ",\"op\":\"%s\",\"pipe\":", reads ? "read" : "write");
    sl_json_string(json, pipe_of(row));
    fprintf(json, ",\"state\":\"%s\"}", reads ? "empty" : "full");
}

static void print(FILE *text, FILE *json, const struct sl_stall_rows *rows, uint32_t watching)
{
    const unsigned long long ms = rows->stall_ms * SL_STALL_LONG;
    const char *name = rows->at[watching].fiber->kernel->name, *comma = "";
    fprintf(text, "no packet has moved there for %llu ms, since a kernel polls memory: %s", ms,
            name);
    fprintf(json, "{\"stall\":{\"all\":false,\"still_ms\":%llu,\"polls_memory\":[", ms);
    sl_json_string(json, name);
    fprintf(json, "],\"kernels\":[");
    for (uint32_t i = 0; i < rows->count; i++)
        if (waits_for(rows, i, watching)) {
            print_waiting(text, json, &rows->at[i], comma);
            comma = ",";
        }
    fprintf(json, "],\"cycle\":[]}}");
    fprintf(text,
            "\n  it is not ended: what it reads there (volatile, or by atomic operations) is for "
            "the host or another kernel to change; if that only takes long a larger "
            "SLUICE_FPGA_STALL_MS is wanted (this is told after %d times that)",
            SL_STALL_LONG);
}

static void tell(struct sl_machine *machine, const struct sl_stall_row *row, char **text,
                 const char *json)
{
    sl_stall_name(text);
    if (row->design)
        sl_stall_profile_silence(row->design, row->fiber->cluster->home, *text, json);
    if (machine->host->stalled)
        machine->host->stalled(&machine->hosted->base, *text, json);
    if (row->design)
        sl_stall_write_profile(row->design);
}

/* Whether there was memory for it. */
static bool look_at(struct sl_machine *machine, const struct sl_stall_rows *rows, uint32_t watching)
{
    char *words[2] = {NULL, NULL};
    size_t sizes[2];
    FILE *text = open_memstream(&words[0], &sizes[0]);
    FILE *json = text ? open_memstream(&words[1], &sizes[1]) : NULL;
    if (json)
        print(text, json, rows, watching);
    bool told = text && json;
    told = (!json || !fclose(json)) && told;
    told = (!text || !fclose(text)) && told;
    if (told)
        tell(machine, &rows->at[watching], &words[0], words[1]);
    free(words[0]);
    free(words[1]);
    return told;
}

void sl_stall_look_at_watching(struct sl_machine *machine, const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        struct sl_fiber *fiber = polls_for_long(&rows->at[i]) ? rows->at[i].fiber : NULL;
        if (fiber && !fiber->seen.told && does_anybody_wait(rows, i))
            fiber->seen.told = look_at(machine, rows, i);
    }
}
