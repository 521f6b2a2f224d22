/* SPDX-License-Identifier: Apache-2.0 */
/* Which clusters may be divided, and the clusters of their parts. `made` is atomic: whoever pokes
 * them reads it. */
#include <stdlib.h>

#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts_data.h"
#include "sluice/own_variables.h"

/* An order that could be seen: who asks without waiting, or comes to a contested end first. */
static bool is_open(const struct sl_design *design, uint32_t component)
{
    const struct sl_module_info *info = design->info;
    for (uint32_t i = 0; i < info->site_count; i++) {
        for (uint32_t k = 0; !info->sites[i].blocking && k < info->kernel_count; k++)
            if (info->kernels[k].component == component &&
                design->kernels[k].first == info->sites[i].kernel)
                return true;
    }
    return false;
}

static bool is_contested(const struct sl_module_info *info, uint32_t component)
{
    const uint32_t either =
        (uint32_t)SL_PIPE_CONTESTED << SL_PIPE_READ | (uint32_t)SL_PIPE_CONTESTED << SL_PIPE_WRITE;
    for (uint32_t i = 0; i < info->pipe_count; i++) {
        int32_t kernel = info->pipes[i].reader >= 0 ? info->pipes[i].reader : info->pipes[i].writer;
        if (info->pipes[i].flags & either && kernel >= 0 &&
            info->kernels[kernel].component == component)
            return true;
    }
    return false;
}

/* By which kernels could hear of each other. */
static bool has_variables(const struct sl_module_info *info)
{
    const uint64_t harmless = SL_GLOBAL_CONSTANT | SL_GLOBAL_FUNCTION | SL_GLOBAL_ONE_KERNEL;
    bool any = false;
    for (uint32_t i = 0; i < info->global_count && !any; i++)
        any = !(info->globals[i].flags & harmless);
    return any;
}

bool sl_parts_is_determinate(const struct sl_design *design, uint32_t component)
{
    return !has_variables(design->info) && !is_open(design, component) &&
           !is_contested(design->info, component);
}

static bool may_be_divided(const struct sl_design *design, uint32_t component)
{
    const struct sl_machine *machine = design->machine;
    const struct sl_module_info *info = design->info;
    bool one_thread = machine->seed || machine->profile || machine->parts == SL_PARTS_NEVER ||
                      (machine->parts == SL_PARTS_AUTO && machine->units < 2);
    uint32_t joined = 0;
    for (uint32_t i = 0; i < info->kernel_count; i++)
        joined += info->kernels[i].component == component;
    return !one_thread && joined > 1 && sl_parts_is_determinate(design, component);
}

struct sl_parts *sl_parts_create(struct sl_design *design, uint32_t component)
{
    const struct sl_module_info *info = design->info;
    if (!may_be_divided(design, component))
        return NULL;
    struct sl_parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return NULL; /* it runs on one thread */
    parts->design = design;
    parts->home = design->clusters[component];
    parts->component = component;
    parts->count = 1;
    parts->of = calloc(info->kernel_count, sizeof *parts->of);
    parts->load = calloc(info->kernel_count, sizeof *parts->load);
    parts->progress = calloc(info->pipe_count + 1, sizeof *parts->progress);
    parts->live = calloc(info->kernel_count, sizeof *parts->live);
    if (!parts->of || !parts->load || !parts->progress || !parts->live) {
        sl_parts_destroy(parts);
        return NULL;
    }
    parts->part[0].cluster = parts->home;
    parts->wish.parts = parts;
    for (uint32_t i = 0; i < SL_MOST_PARTS; i++) {
        struct sl_part *part = &parts->part[i];
        part->out.parts = part->recall.parts = part->back.parts = parts;
        part->out.number = part->recall.number = part->back.number = i;
    }
    atomic_init(&parts->made, 1);
    parts->home->load.size = 1;
    parts->home->parts = parts;
    return parts;
}

void sl_parts_destroy(struct sl_parts *parts)
{
    if (!parts)
        return;
    uint32_t made = atomic_load_explicit(&parts->made, memory_order_relaxed);
    for (uint32_t i = 1; i < made; i++)
        sl_cluster_drop(parts->part[i].cluster);
    free(parts->of);
    free(parts->load);
    free(parts->progress);
    free(parts->live);
    free(parts);
}

uint32_t sl_parts_make(struct sl_parts *parts, uint32_t count)
{
    uint32_t made = atomic_load_explicit(&parts->made, memory_order_relaxed);
    while (made < count) {
        struct sl_cluster *part;
        if (sl_cluster_create_part(parts->home, &part))
            break;
        part->parts = parts;
        part->load.size = 1;
        parts->part[made].cluster = part;
        atomic_store_explicit(&parts->made, ++made, memory_order_release);
    }
    return made;
}

void sl_parts_poke(struct sl_parts *parts)
{
    uint32_t made = atomic_load_explicit(&parts->made, memory_order_acquire);
    for (uint32_t i = 1; i < made; i++)
        sl_cluster_poke_one(parts->part[i].cluster);
}

struct sl_cluster *sl_parts_below(struct sl_cluster *cluster, uint32_t i)
{
    const struct sl_parts *parts = cluster->parts;
    uint32_t made = atomic_load_explicit(&parts->made, memory_order_relaxed);
    return parts->home == cluster && i + 1 < made ? parts->part[i + 1].cluster : NULL;
}
