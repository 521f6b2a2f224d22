/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for whom. No lock: the clusters of all rows are claimed. A row has hope if it moves, if
 * its pipe's other end is outside of the device, or if it waits for a row that has hope.
 */
#include <stdlib.h>

#include "common/base/values.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/stall/stall.h"

/* ---- ends ------------------------------------------------------------------------------------ */

/* A kernel with its arguments, running or not. */
struct instance {
    const struct sl_design *design;
    const struct sl_kernel_info *kernel;
    const void *args;
};

static struct instance instance_of(const struct sl_fiber *fiber)
{
    return (struct instance){fiber->design, fiber->kernel, fiber->args};
}

static bool uses_argument(struct instance it, const struct sl_pipe_ring *ring, unsigned op)
{
    for (uint32_t i = 0; i < it.kernel->arg_count; i++) {
        const struct sl_arg_info *arg = &it.kernel->args[i];
        bool right_way =
            arg->access != (op == SL_PIPE_WRITE ? SL_ACCESS_READ_ONLY : SL_ACCESS_WRITE_ONLY);
        if (arg->kind == SL_ARG_PIPE && right_way &&
            *(struct sl_pipe_ring *const *)((const char *)it.args + arg->offset) == ring)
            return true;
    }
    return false;
}

/* The kernel may do such operations on the ring. */
static bool does(struct instance it, const struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_pipe_info *pipe = ring->info;
    if (!pipe)
        return uses_argument(it, ring, op);
    const struct sl_module_info *info = it.design->info;
    if (pipe < info->pipes || pipe >= info->pipes + info->pipe_count)
        return false;
    int32_t kernel = (int32_t)(it.kernel - info->kernels), owner = sl_ring_kernel(ring, op);
    return owner == kernel || (owner < 0 && sl_module_may_use(info, (uint32_t)(pipe - info->pipes),
                                                              (uint32_t)kernel, op));
}

bool sl_stall_uses(const struct sl_fiber *fiber, const struct sl_pipe_ring *ring, unsigned op)
{
    return does(instance_of(fiber), ring, op);
}

static bool waits_for(const struct sl_stall_row *row, const struct sl_stall_row *peer)
{
    return row->ring && peer->fiber &&
           (!row->fiber || row->fiber->cluster->home == peer->fiber->cluster->home) &&
           sl_stall_uses(peer->fiber, row->ring, !row->op);
}

int32_t sl_stall_peer_of(const struct sl_stall_rows *rows, uint32_t n)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (waits_for(&rows->at[n], &rows->at[i]))
            return (int32_t)i;
    return -1;
}

/* Who polls may poll several pipes, one of which is enough. */
static bool polls_any_of(const struct sl_stall_row *row, const struct sl_stall_row *peer)
{
    struct sl_reach reach;
    if (!row->fiber || row->fiber->ring || !peer->fiber ||
        row->fiber->cluster->home != peer->fiber->cluster->home)
        return false;
    sl_reach_of(row->fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++) {
        const struct sl_pipe_ring *ring = sl_reach_ring(&reach, i);
        for (unsigned op = 0; op < 2; op++)
            if (sl_stall_uses(row->fiber, ring, op) && sl_stall_uses(peer->fiber, ring, !op))
                return true;
    }
    return false;
}

static bool is_io(const struct sl_pipe_ring *ring)
{
    return (ring->flags & SL_PIPE_IO) != 0;
}

/* Where nobody is somebody may come, who has the more time. */
static bool is_open_io(struct sl_stall_rows *rows, const struct sl_stall_row *row,
                       const struct sl_pipe_ring *ring)
{
    const uint64_t ns_per_ms = 1000000;
    uint64_t since;
    if (row->hop_count)
        return false;
    if (!ring->owner)
        return true;
    if (sl_pipe_is_at_end(ring->owner))
        return false;
    if (!sl_pipe_lacked_peer(ring->owner, &since))
        return true;
    bool open = rows->now_ns < since + rows->peer_times * rows->stall_ms * ns_per_ms ||
                row->still < (uint64_t)rows->peer_times * SL_STALL_LOOKS;
    rows->hopes_peer |= open;
    return open;
}

/* Notes which outside it is. */
static bool is_open_outside(struct sl_stall_rows *rows, const struct sl_stall_row *row,
                            struct sl_pipe_ring *ring)
{
    if (!sl_ring_is_foreign(ring))
        return false;
    if (is_io(ring)) {
        bool open = is_open_io(rows, row, ring);
        rows->hopes_io |= open;
        return open;
    }
    rows->hopes_host = true;
    return !rows->host_idle;
}

static bool hopes_outside(struct sl_stall_rows *rows, const struct sl_stall_row *row)
{
    struct sl_reach reach;
    bool any = false;
    if (!row->fiber)
        return false;
    if (row->fiber->ring)
        return is_open_outside(rows, row, row->ring);
    sl_reach_of(row->fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++)
        any |= is_open_outside(rows, row, sl_reach_ring(&reach, i));
    return any;
}

/* ---- work that is not there yet -------------------------------------------------------------- */

bool sl_stall_helps_row(const struct sl_stall_row *row, const struct sl_work *work)
{
    if (row->hope == SL_HOPE_MOVES || !row->ring)
        return false;
    if (work->kind != SL_WORK_PIPE && work->kind != SL_WORK_KERNEL)
        return work->kind == SL_WORK_NATIVE; /* the application's code */
    if (work->kind == SL_WORK_PIPE)
        return row->ring->owner == work->u.pipe.pipe;
    const struct sl_launch_args *args = &work->u.kernel;
    const struct sl_design *design = args->code->design;
    if (!design)
        return false;
    const struct instance it = {design, &design->info->kernels[args->kernel_index], args->args};
    return does(it, row->ring, !row->op);
}

bool sl_stall_helps(const struct sl_stall_rows *rows, const struct sl_work *work)
{
    bool any = false;
    for (uint32_t i = 0; i < rows->count && !any; i++)
        any = sl_stall_helps_row(&rows->at[i], work);
    return any;
}

/* ---- spreading ------------------------------------------------------------------------------- */

/* Rows still to be looked at by their neighbours; room for all. */
struct pending {
    uint32_t *at;
    uint32_t count;
};

static void begin_row(struct sl_stall_rows *rows, uint32_t n, struct pending *pending)
{
    struct sl_stall_row *row = &rows->at[n];
    row->next = row->behind = -1;
    row->lacks = row->in_cycle = false;
    if (row->hope == SL_HOPE_OUTSIDE)
        row->hope = SL_HOPE_NONE; /* of a link before */
    if (row->hope == SL_HOPE_NONE && hopes_outside(rows, row))
        row->hope = SL_HOPE_OUTSIDE;
    if (row->hope != SL_HOPE_NONE)
        pending->at[pending->count++] = n;
}

static void spread_hope(struct sl_stall_rows *rows, struct pending *pending)
{
    while (pending->count) {
        const struct sl_stall_row *peer = &rows->at[pending->at[--pending->count]];
        for (uint32_t i = 0; i < rows->count; i++) {
            struct sl_stall_row *row = &rows->at[i];
            if (row->hope != SL_HOPE_NONE || !(waits_for(row, peer) || polls_any_of(row, peer)))
                continue;
            row->hope = peer->hope;
            pending->at[pending->count++] = i;
        }
    }
}

/* I/O that has come to its end is not a kernel that is missing. */
static bool has_ended_outside(const struct sl_stall_row *row)
{
    return row->fiber && sl_ring_is_foreign(row->ring) && is_io(row->ring);
}

static void find_next(struct sl_stall_rows *rows, uint32_t n, struct pending *pending)
{
    struct sl_stall_row *row = &rows->at[n];
    if (row->hope != SL_HOPE_NONE)
        return;
    row->next = sl_stall_peer_of(rows, n);
    row->lacks = row->next < 0 && !has_ended_outside(row);
    if (row->lacks)
        pending->at[pending->count++] = n;
}

static void spread_lack(struct sl_stall_rows *rows, struct pending *pending)
{
    while (pending->count) {
        const struct sl_stall_row *peer = &rows->at[pending->at[--pending->count]];
        for (uint32_t i = 0; i < rows->count; i++) {
            struct sl_stall_row *row = &rows->at[i];
            if (row->hope != SL_HOPE_NONE || row->lacks || !waits_for(row, peer))
                continue;
            row->lacks = true;
            pending->at[pending->count++] = i;
        }
    }
}

int sl_stall_link(struct sl_stall_rows *rows)
{
    struct pending pending = {.at = malloc((rows->count + 1) * sizeof *pending.at)};
    if (!pending.at)
        return SL_OUT_OF_HOST_MEMORY;
    rows->hopes_host = rows->hopes_io = rows->hopes_peer = false;
    for (uint32_t i = 0; i < rows->count; i++)
        begin_row(rows, i, &pending);
    spread_hope(rows, &pending);
    for (uint32_t i = 0; i < rows->count; i++)
        find_next(rows, i, &pending);
    spread_lack(rows, &pending);
    free(pending.at);
    return 0;
}

/* As many steps as there are rows end in a cycle if they end anywhere. */
void sl_stall_find_cycle(struct sl_stall_rows *rows)
{
    rows->cycle = -1;
    for (uint32_t i = 0; rows->cycle < 0 && i < rows->count; i++) {
        int32_t at = (int32_t)i;
        for (uint32_t n = 0; at >= 0 && n < rows->count; n++)
            at = rows->at[at].told ? rows->at[at].next : -1;
        rows->cycle = at >= 0 && rows->at[at].told ? at : -1;
    }
    for (int32_t at = rows->cycle; at >= 0 && !rows->at[at].in_cycle; at = rows->at[at].next)
        rows->at[at].in_cycle = true;
}
