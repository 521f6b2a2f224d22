/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Fibers are discarded by the threads that run their clusters, told by messages. */
#include "fpga/cluster/region_stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "common/runtime/hosted.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"

struct message {
    struct sl_news news;
    struct sl_design *design; /* held */
    const struct sl_kernel_info *kernel;
    char why[2048];
};

/* Processes are called "kernel.function", those of their own regions "kernel.function.other". */
static const struct sl_kernel_info *kernel_of(const struct sl_fiber *process)
{
    const struct sl_module_info *info = process->design->info;
    const size_t bytes = strcspn(process->kernel->name, ".");
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (strlen(info->kernels[i].name) == bytes &&
            !memcmp(info->kernels[i].name, process->kernel->name, bytes))
            return &info->kernels[i];
    return NULL;
}

static struct sl_design_kernel *design_kernel(struct sl_design *design,
                                              const struct sl_kernel_info *kernel)
{
    return &design->kernels[kernel - design->info->kernels];
}

static void send(struct sl_cluster *cluster, struct sl_design *design,
                 const struct sl_kernel_info *kernel, const char *why);

static void take(struct sl_cluster *cluster, struct sl_news *news)
{
    struct message *message = (struct message *)news;
    struct sl_design *design = message->design;
    for (struct sl_fiber *fiber = cluster->fibers, *next; fiber; fiber = next) {
        next = fiber->next_fiber;
        if (fiber->design != design || fiber->kernel != message->kernel || !fiber->work)
            continue;
        cluster->machine->host->failed(fiber->work, message->why);
        sl_cluster_discard(fiber, SL_OUT_OF_RESOURCES);
    }
    struct sl_cluster *part;
    for (uint32_t i = 0; cluster->parts && (part = sl_parts_below(cluster, i)); i++)
        send(part, design, message->kernel, message->why);
    free(message);
    sl_design_drop(design);
}

/* Without memory for it the launches wait, and the report of the stall tells of them. */
static void send(struct sl_cluster *cluster, struct sl_design *design,
                 const struct sl_kernel_info *kernel, const char *why)
{
    struct message *message = malloc(sizeof *message);
    if (!message)
        return;
    *message = (struct message){.news.take = take, .design = design, .kernel = kernel};
    snprintf(message->why, sizeof message->why, "%s", why);
    sl_design_hold(design);
    sl_cluster_post(cluster, &message->news);
}

void sl_region_stop(struct sl_fiber *self, const char *why)
{
    const struct sl_kernel_info *kernel = kernel_of(self);
    if (!kernel)
        return;
    atomic_store_explicit(&design_kernel(self->design, kernel)->broken, true, memory_order_relaxed);
    send(self->cluster->home, self->design, kernel, why);
}

bool sl_region_is_broken(struct sl_fiber *fiber)
{
    struct sl_machine *machine = fiber->cluster->machine;
    char why[256];
    if (!fiber->work || !fiber->design ||
        !atomic_load_explicit(&design_kernel(fiber->design, fiber->kernel)->broken,
                              memory_order_relaxed))
        return false;
    snprintf(why, sizeof why,
             "kernel %s stopped: a process of its dataflow region was stopped before; build the "
             "program anew",
             fiber->kernel->name);
    machine->host->tell(&machine->hosted->base, why);
    machine->host->failed(fiber->work, why);
    return true;
}
