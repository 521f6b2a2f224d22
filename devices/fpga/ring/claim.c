/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contested ends of pipes: the first kernel that comes there has the end as long as the program is
 * loaded, as if it had been known when the program was built. No lock: of the thread that runs the
 * cluster, to which all kernels belong that may come there.
 */
#include <stdio.h>

#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/fiber_stop.h"
#include "fpga/ring/ring.h"

static const char *does(unsigned op)
{
    return op == SL_PIPE_WRITE ? "writes" : "reads";
}

static const char *did(unsigned op)
{
    return op == SL_PIPE_WRITE ? "has written" : "has read";
}

static const char *file_of(const struct sl_pipe_site *site)
{
    return site->file ? site->file : "";
}

static void refuse(struct sl_fiber *self, const struct sl_pipe_ring *ring,
                   const struct sl_pipe_site *site)
{
    const struct sl_module_info *info = self->design->info;
    const struct sl_pipe_site *first = &info->sites[ring->claim_site[site->op]];
    char why[512];
    snprintf(why, sizeof why,
             "it %s %s '%s' at %s:%u:%u, which kernel %s %s at %s:%u:%u; an end of it is for one "
             "kernel only",
             does(site->op), ring->flags & SL_PIPE_CHANNEL ? "channel" : "pipe", ring->info->name,
             file_of(site), site->line, site->column, info->kernels[ring->claim[site->op] - 1].name,
             did(site->op), file_of(first), first->line, first->column);
    sl_fiber_stop(self, why);
}

void sl_ring_claim(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                   const struct sl_pipe_site *site)
{
    struct sl_fiber *self = launch->owner;
    const struct sl_module_info *info = self->design->info;
    uint32_t number = (uint32_t)(self->kernel - info->kernels) + 1;
    if (ring->claim[site->op] && ring->claim[site->op] != number)
        refuse(self, ring, site);
    ring->claim[site->op] = number;
    ring->claim_site[site->op] = (uint32_t)(site - info->sites);
}
