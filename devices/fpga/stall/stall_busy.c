/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Of clusters that run only numbers are read, in rings of programs that are held:
 * how far these are, and whether anybody is parked there. */
#include "fpga/stall/stall_busy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/runtime/hosted.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/ring_state.h"

/* ---- what is seen ---------------------------------------------------------------------------- */

/* Programs with kernels in the cluster. */
struct designs {
    const struct sl_cluster *cluster;
    struct sl_design **at; /* owned; each is held */
    uint32_t count;
};

static bool has_kernel_in(const struct sl_design *design, uint32_t kernel,
                          const struct sl_cluster *cluster)
{
    return design->kernels[kernel].cluster == cluster;
}

static bool is_in(const struct sl_design *design, const struct sl_cluster *cluster)
{
    uint32_t i = 0;
    while (i < design->info->kernel_count && !has_kernel_in(design, i, cluster))
        i++;
    return i < design->info->kernel_count;
}

/* None: no memory. */
static struct designs list_designs(struct sl_machine *machine, const struct sl_cluster *cluster)
{
    struct designs list = {.cluster = cluster};
    uint32_t count = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_design *at = machine->designs; at; at = at->next_design)
        count++;
    list.at = calloc(count + 1, sizeof(struct sl_design *));
    for (struct sl_design *at = machine->designs; list.at && at; at = at->next_design)
        if (is_in(at, cluster) && sl_design_hold_alive(at))
            list.at[list.count++] = at;
    pthread_mutex_unlock(&machine->lock);
    return list;
}

static void let_go(const struct designs *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        sl_design_drop(list->at[i]);
    free(list->at);
}

/* Its thread may be changing it: then this was not the time. */
__attribute__((no_sanitize("thread"))) static bool is_anybody_parked(struct sl_pipe_ring *ring,
                                                                     unsigned op)
{
    return *(struct sl_fiber *volatile *)&sl_ring_parked(ring, op)->first != NULL;
}

/* As sl_ring_progress(). */
__attribute__((no_sanitize("thread"))) static uint64_t progress_of(struct sl_pipe_ring *ring)
{
    const volatile struct sl_pipe_ring *ends = ring;
    const volatile struct sl_ring_parked *readers = sl_ring_parked(ring, SL_PIPE_READ);
    return ends->head + ends->tail + readers->handed;
}

/* Of the pipes of its kernels. */
static uint64_t progress_of_all(const struct designs *list)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n < list->count; n++)
        for (uint32_t i = 0; i < list->at[n]->info->kernel_count; i++) {
            const struct sl_design_kernel *kernel = &list->at[n]->kernels[i];
            for (uint32_t k = 0; kernel->cluster == list->cluster && k < kernel->ring_count; k++)
                sum += progress_of(kernel->rings[k]);
        }
    return sum;
}

/* The pipe where that kernel waits; NULL: it does not. */
static const struct sl_pipe_info *wait_of(const struct sl_design *design, uint32_t kernel,
                                          unsigned *op)
{
    const struct sl_module_info *info = design->info;
    for (uint32_t i = 0; i < info->pipe_count; i++)
        for (*op = 0; *op < 2; ++*op)
            if ((*op == SL_PIPE_READ ? info->pipes[i].reader : info->pipes[i].writer) ==
                    (int32_t)kernel &&
                is_anybody_parked(info->pipes[i].ring, *op))
                return &info->pipes[i];
    return NULL;
}

/* Kernels that the host has launched; those that run by themselves may well have nothing to do. */
static bool does_anybody_wait(const struct designs *list)
{
    bool any = false;
    for (uint32_t n = 0; n < list->count; n++)
        for (uint32_t i = 0; i < list->at[n]->info->kernel_count; i++) {
            unsigned op;
            any |= !(list->at[n]->info->kernels[i].flags & SL_KERNEL_AUTORUN) &&
                   wait_of(list->at[n], i, &op);
        }
    return any;
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* The first of several units of a kernel, which follow each other. */
static bool is_first(const struct sl_design *design, uint32_t kernel)
{
    const struct sl_kernel_info *info = design->info->kernels;
    return !kernel || strcmp(info[kernel - 1].name, info[kernel].name) != 0;
}

/* Those that wait in any cluster: for one that may never come, if it has no way to a pipe. */
static void print(FILE *text, FILE *json, const struct designs *list, bool waiting)
{
    const char *comma = "";
    for (uint32_t n = 0; n < list->count; n++)
        for (uint32_t i = 0; i < list->at[n]->info->kernel_count; i++) {
            unsigned op;
            const char *name = list->at[n]->info->kernels[i].name;
            const struct sl_pipe_info *pipe = wait_of(list->at[n], i, &op);
            const bool told =
                waiting ? pipe != NULL : !pipe && has_kernel_in(list->at[n], i, list->cluster);
            if (!told || !is_first(list->at[n], i))
                continue;
            const char *does = op == SL_PIPE_READ ? "read" : "write";
            const char *state = op == SL_PIPE_READ ? "empty" : "full";
            fprintf(text, "%s%s", waiting ? "\n  " : *comma ? " or " : "", name);
            fprintf(json, waiting ? "%s{\"kernel\":\"%s\"" : "%s\"%s\"", comma, name);
            if (waiting) {
                fprintf(text, " waits to %s %s", does, pipe->name);
                fprintf(json, ",\"op\":\"%s\",\"pipe\":\"%s\",\"state\":\"%s\"}", does, pipe->name,
                        state);
            }
            comma = ",";
        }
}

/* To profiles, and aloud if it keeps others waiting; `shared`: for its thread. Whether there was
 * memory for it. */
static bool tell(struct sl_machine *machine, const struct designs *list, uint64_t ms, bool shared)
{
    char *words[2] = {NULL, NULL};
    size_t sizes[2];
    FILE *text = open_memstream(&words[0], &sizes[0]);
    FILE *json = text ? open_memstream(&words[1], &sizes[1]) : NULL;
    if (json) {
        fprintf(text, "no packet has moved for %" PRIu64 " ms, since a kernel computes: ", ms);
        fprintf(json, "{\"stall\":{\"all\":false,\"still_ms\":%" PRIu64 ",\"computes\":[", ms);
        print(text, json, list, false);
        fprintf(json, "],\"kernels\":[");
        print(text, json, list, true);
        fprintf(json, "],\"cycle\":[]}}");
        fprintf(
            text,
            "\n  %sit is not ended: a loop that goes round for ever and comes to no pipe has to "
            "be mended; one that only takes long wants a larger SLUICE_FPGA_STALL_MS (this is "
            "told after %d times that)",
            shared ? "others there get no thread meanwhile, and " : "", SL_STALL_LONG);
    }
    const bool aloud = shared || does_anybody_wait(list);
    bool told = text && json;
    told = (!json || !fclose(json)) && told;
    told = (!text || !fclose(text)) && told;
    for (uint32_t n = 0; told && n < list->count; n++)
        sl_stall_profile_silence(list->at[n], list->cluster, words[0], words[1]);
    if (told && aloud && machine->host->stalled)
        machine->host->stalled(&machine->hosted->base, words[0], words[1]);
    for (uint32_t n = 0; told && n < list->count; n++)
        sl_stall_write_profile(list->at[n]);
    free(words[0]);
    free(words[1]);
    return told;
}

/* There are kernels that it keeps waiting; its thread may be at it. */
__attribute__((no_sanitize("thread"))) static bool has_others(struct sl_cluster *cluster)
{
    return *(volatile uint32_t *)&cluster->fiber_count > 1 ||
           atomic_load_explicit(&cluster->inbox, memory_order_relaxed);
}

static void look_at(struct sl_machine *machine, struct sl_cluster *cluster,
                    const struct sl_stall *stall)
{
    struct sl_cluster *home = cluster->home;
    const uint64_t ns_per_ms = 1000000;
    struct sl_silence *seen = &home->silence;
    const struct designs list = list_designs(machine, home);
    const uint64_t progress = progress_of_all(&list);
    if (seen->look + 1 != stall->look || seen->progress != progress)
        *seen = (struct sl_silence){.progress = progress};
    seen->look = stall->look;
    seen->still++;
    if (seen->still >= SL_STALL_LOOKS * SL_STALL_LONG && !seen->told)
        seen->told = tell(machine, &list, machine->stall_ns / ns_per_ms * SL_STALL_LONG,
                          cluster != home || has_others(cluster));
    let_go(&list);
}

void sl_stall_look_at_busy(struct sl_machine *machine, const struct sl_stall_claims *claims,
                           const struct sl_stall *stall)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        struct sl_cluster *cluster = claims->at[i].cluster;
        if (!claims->at[i].claimed && cluster->home->silence.look != stall->look &&
            atomic_load_explicit(&cluster->state, memory_order_relaxed) == SL_CLUSTER_BUSY)
            look_at(machine, cluster, stall);
    }
}
