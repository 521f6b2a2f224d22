/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reset is a message to each cluster of a program, whose thread then ends the program's fibers,
 * empties the rings between them and starts its autorun kernels. A divided cluster is joined
 * before, and what is launched meanwhile waits. No lock beyond that of the machine's list.
 */
#include "fpga/launch/reset.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/cluster/segments.h"
#include "fpga/launch/design.h"
#include "fpga/launch/launch.h"

struct reset {
    struct sl_news news;
    struct sl_design *design; /* held */
};

static const char why[] = "ended by clResetKernelsIntelFPGA";

static void end_fibers(struct sl_cluster *cluster, const struct sl_design *design)
{
    for (struct sl_fiber *fiber = cluster->fibers, *next; fiber; fiber = next) {
        next = fiber->next_fiber;
        if (fiber->design != design)
            continue;
        if (fiber->work)
            cluster->machine->host->failed(fiber->work, why);
        sl_cluster_discard(fiber, SL_OUT_OF_RESOURCES);
    }
}

/* Nobody is parked there. What is at an end outside of the program is not the circuit's. */
static void clear_ring(struct sl_pipe_ring *ring)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    for (unsigned op = 0; op < 2; op++) {
        if (state->reserved[op])
            state->reserved[op]->used = 0;
        ring->special &= ~((uint32_t)SL_RING_RESERVED << op);
        __atomic_store_n(&ring->claim[op], 0, __ATOMIC_RELAXED);
    }
    if (!sl_ring_is_foreign(ring))
        __atomic_store_n(&ring->head, ring->tail, __ATOMIC_RELEASE);
    ring->taken = 0;
    if (!sl_ring_is_foreign(ring) || ring->flags & SL_PIPE_HOST_READS)
        ring->write_limit = ring->tail;
    if (!sl_ring_is_foreign(ring) || !(ring->flags & SL_PIPE_HOST_READS))
        ring->read_limit = ring->head;
}

static void start_anew(struct sl_cluster *cluster, struct sl_design *design)
{
    const struct sl_module_info *info = design->info;
    for (uint32_t i = 0; i < info->kernel_count; i++) {
        struct sl_fiber *fiber;
        struct sl_design_kernel *kernel = &design->kernels[i];
        if (kernel->cluster != cluster)
            continue;
        atomic_store_explicit(&kernel->was_ended, false, memory_order_relaxed);
        atomic_store_explicit(&kernel->broken, false, memory_order_relaxed);
        if (!sl_design_runs_by_itself(design, i))
            continue;
        if (sl_design_autorun(design, i, &fiber))
            cluster->machine->host->log(SL_LOG_ERROR, cluster->machine->topic,
                                        "no memory to start autorun kernel %s anew",
                                        info->kernels[i].name);
        else
            sl_launch_begin(cluster, fiber);
    }
    /* Who unloads it says so and then looks for autorun kernels: one of us sees the other. */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&design->leaving, memory_order_relaxed))
        end_fibers(cluster, design);
}

static void take_reset(struct sl_cluster *cluster, struct sl_news *news)
{
    struct reset *reset = (struct reset *)((char *)news - offsetof(struct reset, news));
    struct sl_design *design = reset->design;
    if (cluster->parts && !sl_parts_await_whole(cluster->parts, news))
        return; /* it is taken again */
    end_fibers(cluster, design);
    if (!atomic_load_explicit(&design->leaving, memory_order_relaxed)) {
        for (uint32_t i = 0; i < design->info->pipe_count; i++)
            if (sl_design_cluster_of(design, i) == cluster)
                clear_ring(design->info->pipes[i].ring);
        cluster->changes++;
        start_anew(cluster, design);
    }
    free(reset);
    sl_design_drop(design);
}

static int post(struct sl_design *design, struct sl_cluster *cluster)
{
    struct reset *reset = malloc(sizeof *reset);
    if (!reset)
        return SL_OUT_OF_HOST_MEMORY;
    *reset = (struct reset){.news.take = take_reset, .design = design};
    sl_design_hold(design);
    sl_cluster_post(cluster, &reset->news);
    return 0;
}

static int reset_design(struct sl_design *design)
{
    bool shared = false;
    int rc = 0;
    for (uint32_t i = 0; i < design->info->kernel_count; i++)
        shared |= design->kernels[i].cluster == design->machine->shared;
    for (uint32_t i = 0; !rc && i < design->cluster_count; i++)
        if (design->clusters[i])
            rc = post(design, design->clusters[i]);
    return !rc && shared ? post(design, design->machine->shared) : rc;
}

/* Held; from malloc. NULL with *count 0: there are none, else no memory. */
static struct sl_design **take_designs(struct sl_machine *machine, size_t *count)
{
    struct sl_design **list = NULL;
    size_t room = 0, used = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_design *at = machine->designs; at; at = at->next_design)
        room++;
    *count = room;
    if (room)
        list = malloc(room * sizeof(struct sl_design *));
    for (struct sl_design *at = machine->designs; list && at; at = at->next_design)
        if (sl_design_hold_alive(at))
            list[used++] = at;
    pthread_mutex_unlock(&machine->lock);
    if (list)
        *count = used;
    return list;
}

int sl_fpga_reset_kernels(struct sl_device *device)
{
    size_t count;
    struct sl_design **list = take_designs(sl_fpga_machine(device), &count);
    int rc = count && !list ? SL_OUT_OF_HOST_MEMORY : 0;
    for (size_t i = 0; list && i < count; i++)
        if (list[i]->profile && list[i]->info->timing) /* its clock cannot go back */
            rc = SL_INVALID_OPERATION;
    for (size_t i = 0; list && i < count; i++) {
        if (!rc)
            rc = reset_design(list[i]);
        sl_design_drop(list[i]);
    }
    free(list);
    return rc;
}
