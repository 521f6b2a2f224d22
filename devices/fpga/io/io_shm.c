/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of an I/O pipe whose ring is in shared memory (stream/shm_ring.h). It moves nothing:
 * kernels of both processes use the ring themselves. It joins, looks after the other process, wakes
 * the cluster when that has moved, and leaves.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/stream/io_error.h"
#include "fpga/stream/shm_ring.h"
#include "sluice/base/wait.h"
#include "sluice/movable_slots.h"

static unsigned op_of(const struct sl_io_end *end)
{
    return end->input ? SL_PIPE_READ : SL_PIPE_WRITE;
}

static bool cannot_join(struct sl_io_end *end, struct sl_shm *shm, const char *why)
{
    free(shm);
    sl_io_note(end, SL_LOG_ERROR, "the ring in shared memory cannot be joined", why);
    return false;
}

static bool join(struct sl_io_end *end)
{
    const struct sl_pipe_info *info = end->info;
    struct sl_shm_shape shape = {info->packet_bytes, info->depth, info->ring->mask + 1};
    struct sl_shm *shm = calloc(1, sizeof *shm);
    char why[512], text[96];
    uint64_t dropped;
    if (!shm)
        return cannot_join(end, shm, "no memory");
    if (!(info->flags & SL_PIPE_MOVABLE))
        return cannot_join(end, shm, "the program's binary is of an older version: build it anew");
    if (!sl_shm_join(shm, end->binding->target, op_of(end), &shape, info->name, &dropped, why,
                     sizeof why))
        return cannot_join(end, shm, why);
    snprintf(text, sizeof text, "%llu packets of processes that were killed are dropped",
             (unsigned long long)dropped);
    if (dropped)
        sl_io_note(end, SL_LOG_WARN, text, NULL);
    sl_pipe_link(end->pipe, shm);
    end->shm = shm;
    end->waiting = true; /* what is in the ring is outside: no launch waits for more */
    return true;
}

/* ---- while it lasts -------------------------------------------------------------------------- */

struct seen {
    bool alone;
    uint32_t deaths, bell;
    uint64_t index; /* of the other end */
};

static void note_death(const struct sl_io_end *end, const struct sl_shm_peer *peer)
{
    char text[160];
    snprintf(text, sizeof text,
             end->input ? "the process that wrote (%u) was killed: what it had written is there"
                        : "the process that read (%u) was killed: the next one goes on, and may "
                          "read again what it was at",
             peer->killed);
    sl_io_note(end, SL_LOG_WARN, text, NULL);
}

static void look_at_peer(struct sl_io_end *end, struct seen *seen)
{
    struct sl_shm_peer peer = sl_shm_look_at_peer(end->shm);
    if (peer.deaths != seen->deaths)
        note_death(end, &peer);
    if (seen->alone == peer.there)
        sl_pipe_lacks_peer(end->pipe, peer.there ? NULL : end->row);
    seen->deaths = peer.deaths;
    seen->alone = !peer.there;
}

/* The bell has rung, or the other end has moved since the last look. What the pipe's ring says of
 * it is no measure: the watch asks as well, and wakes nobody. */
static bool has_news(const struct sl_io_end *end, struct seen *seen, uint32_t bell)
{
    uint64_t index = atomic_load(&end->shm->header->index[!op_of(end)].at);
    bool news = index != seen->index || bell != seen->bell;
    seen->index = index;
    seen->bell = bell;
    return news;
}

static void serve(struct sl_io_end *end, struct seen *seen)
{
    uint32_t heard = 0;
    while (!sl_io_wait_to_stop(end, 0)) {
        look_at_peer(end, seen);
        if (has_news(end, seen, heard))
            sl_pipe_moved(end->pipe);
        heard = sl_shm_listen(end->shm, heard);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What is written and has no reader has one for a moment yet. */
static void leave(struct sl_io_end *end)
{
    const uint64_t last_writes_ns = 200000000;
    uint64_t start = sl_clock_ns(), left = 0;
    uint32_t heard = 0;
    char text[96];
    sl_shm_close(end->shm, sl_ring_index(end->info->ring, op_of(end)));
    bool there = sl_shm_look_at_peer(end->shm).there;
    while (!end->input && !there && (left = sl_shm_fill(end->shm)) &&
           sl_clock_ns() - start < last_writes_ns) {
        heard = sl_shm_listen(end->shm, heard);
        there = sl_shm_look_at_peer(end->shm).there;
    }
    sl_shm_leave(end->shm);
    if (there || !left)
        return;
    snprintf(text, sizeof text, "%llu packets were not delivered", (unsigned long long)left);
    sl_io_note(end, SL_LOG_ERROR, text, "nobody took them");
}

/* Nothing comes or goes. */
static void stand_apart(struct sl_io_end *end)
{
    sl_pipe_at_end(end->pipe);
    if (end->input)
        return;
    end->stream.error = SL_IO_NO_RING;
    sl_io_fail(end, SL_IO_NO_RING);
    sl_io_turn_away(end);
    sl_io_note_lost(end, UINT64_MAX, 0);
}

void *sl_io_run_shm(void *data)
{
    struct sl_io_end *end = data;
    struct seen seen = {.alone = false};
    bool joined = join(end);
    if (joined) {
        seen.deaths = sl_shm_look_at_peer(end->shm).deaths;
        look_at_peer(end, &seen);
    }
    sem_post(&end->begun);
    if (joined) {
        serve(end, &seen);
        leave(end);
    } else {
        stand_apart(end);
    }
    atomic_store_explicit(&end->done, true, memory_order_release);
    return NULL;
}
