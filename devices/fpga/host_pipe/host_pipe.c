/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of pipes. It belongs to one thread at a time: the caller of pipe_read and so on
 * while no transfer is pending, whoever holds pipe->lock for transfers that arrive as work. What is
 * mapped may be unmapped while some are pending. The lock guards `pending`. The other end is the
 * cluster's.
 *
 * Who sleeps pays (barrier.h): a cluster announces in `sleeping` that its kernels wait for the
 * host, the host in ring->attention that transfers wait for a kernel.
 */
#include "fpga/host_pipe/host_pipe.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "fpga/base/barrier.h"
#include "fpga/base/fetch.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe_data.h"
#include "fpga/stream/shm_ring.h"
#include "sluice/base/wait.h"
#include "sluice/depth_mode.h"

/* ---- the host's end -------------------------------------------------------------------------- */

static uint64_t *host_index(struct sl_pipe_ring *ring, bool write)
{
    return write ? &ring->tail : &ring->head;
}

uint64_t sl_pipe_available(struct sl_pipe *pipe, bool write, uint64_t at, uint64_t enough)
{
    struct sl_pipe_ring *ring = pipe->ring;
    for (int look = 0;; look = 1) {
        uint64_t room = write ? ring->depth - (at - pipe->peer) : pipe->peer - at;
        if (room >= enough || look)
            return room;
        pipe->peer = __atomic_load_n(host_index(ring, !write), __ATOMIC_ACQUIRE);
    }
}

static void publish(struct sl_pipe *pipe, bool write, uint64_t index)
{
    pipe->index = index;
    __atomic_store_n(host_index(pipe->ring, write), index, __ATOMIC_RELEASE);
    sl_barrier_light();
    if (atomic_load_explicit(&pipe->sleeping, memory_order_relaxed) &&
        atomic_exchange_explicit(&pipe->sleeping, 0, memory_order_acq_rel))
        sl_cluster_poke(pipe->cluster);
}

/* At the beginning of a line of slots: another one that the kernel is through with. */
static inline void fetch_ahead(const struct sl_pipe *pipe, bool write, uint64_t at)
{
    enum { LINES = 2 };
    const struct sl_pipe_ring *ring = pipe->ring;
    uint64_t per_line = SL_LINE / ring->packet_bytes;
    if (per_line < 2 || at % per_line)
        return;
    uint64_t room = write ? ring->depth - (at - pipe->peer) : pipe->peer - at;
    if (room > (LINES + 1) * per_line)
        sl_fetch_line(ring->slots + ((at + LINES * per_line) & ring->mask) * ring->packet_bytes,
                      write);
}

int sl_pipe_move(struct sl_pipe *pipe, bool write, void *packet)
{
    struct sl_pipe_ring *ring = pipe->ring;
    uint64_t index = pipe->index, at = sl_segments_end(&pipe->taken, index);
    if (!sl_pipe_available(pipe, write, at, 1))
        return SL_PIPE_WOULD_WAIT;
    if (pipe->taken.used && !sl_segments_push(&pipe->taken, index, 1, false))
        return SL_OUT_OF_HOST_MEMORY;
    unsigned char *slot = ring->slots + (at & ring->mask) * ring->packet_bytes;
    fetch_ahead(pipe, write, at);
    if (write) {
        memcpy(slot, packet, ring->packet_bytes);
    } else {
        memcpy(packet, slot, ring->packet_bytes);
    }
    if (!pipe->taken.used)
        publish(pipe, write, at + 1);
    return 0;
}

static void enlist_asked(struct sl_pipe *pipe, bool write)
{
    struct sl_machine *machine = pipe->machine;
    pthread_mutex_lock(&machine->lock);
    /* Whoever holds the pipe reads it without the lock. */
    __atomic_store_n(&pipe->asked_write, write, __ATOMIC_RELAXED);
    if (!pipe->asked) {
        pipe->asked = true;
        pipe->previous_asked = NULL;
        pipe->next_asked = machine->asked;
        if (machine->asked)
            machine->asked->previous_asked = pipe;
        machine->asked = pipe;
    }
    pthread_mutex_unlock(&machine->lock);
}

void sl_pipe_delist_asked_locked(struct sl_pipe *pipe)
{
    if (!pipe->asked)
        return;
    pipe->asked = false;
    *(pipe->previous_asked ? &pipe->previous_asked->next_asked : &pipe->machine->asked) =
        pipe->next_asked;
    if (pipe->next_asked)
        pipe->next_asked->previous_asked = pipe->previous_asked;
}

static void set_misses(struct sl_pipe *pipe, uint32_t misses)
{
    __atomic_store_n(&pipe->misses, misses, __ATOMIC_RELAXED);
}

/* A host that asks again and again may be what keeps the kernel from its processor, or wait for
 * what never comes. The thread of an I/O pipe asks as its stream has it, and is no host. */
static void note_miss(struct sl_pipe *pipe, bool write)
{
    enum { PATIENCE = 256, EVERY = 32, ASKED = 8 };
    set_misses(pipe, sl_pipe_misses(pipe) + 1);
    if (pipe->misses >= PATIENCE && pipe->misses % EVERY == 0)
        sched_yield();
    if (pipe->misses % EVERY == ASKED && !(pipe->ring->flags & SL_PIPE_IO))
        enlist_asked(pipe, write);
}

/* `index`: the host's, which a transfer may move on meanwhile that has no turn. */
static inline void consider_visit(struct sl_pipe *pipe, bool write, uint64_t index)
{
    if (__builtin_expect(index >= pipe->visits.due, 0))
        sl_visits_consider(&pipe->visits, pipe->cluster, pipe->ring, write, index);
}

static int try_packet(struct sl_pipe *pipe, bool write, void *packet)
{
    int rc = sl_pipe_move(pipe, write, packet);
    if (rc == SL_PIPE_WOULD_WAIT &&
        sl_visits_missed(&pipe->visits, pipe->cluster, pipe->ring, write, pipe->misses))
        rc = sl_pipe_move(pipe, write, packet);
    if (rc == SL_PIPE_WOULD_WAIT) {
        note_miss(pipe, write);
    } else {
        set_misses(pipe, 0);
        consider_visit(pipe, write, pipe->index);
    }
    return rc;
}

/* Transfers that wait were there first. */
static bool has_pending(struct sl_pipe *pipe)
{
    return atomic_load_explicit(&pipe->pending_count, memory_order_acquire) != 0;
}

int sl_pipe_read(struct sl_pipe *pipe, void *packet)
{
    return has_pending(pipe) ? SL_PIPE_WOULD_WAIT : try_packet(pipe, false, packet);
}

int sl_pipe_write(struct sl_pipe *pipe, const void *packet)
{
    return has_pending(pipe) ? SL_PIPE_WOULD_WAIT
                             : try_packet(pipe, true, (void *)(uintptr_t)packet);
}

/* While the kernel is at it, larger pieces: to look at its index again and again slows it down. */
static uint64_t gather(struct sl_pipe *pipe, bool write, uint64_t at, uint64_t want)
{
    enum { LOOKS = 12, PAUSES = 24 };
    uint64_t room = sl_pipe_available(pipe, write, at, want);
    uint64_t enough = pipe->ring->depth / 4 < want ? pipe->ring->depth / 4 : want;
    if (pipe->visits.on) /* nobody else is at it */
        return room;
    for (int look = 0; room && room < enough && look < LOOKS; look++) {
        for (int i = 0; i < PAUSES; i++)
            sl_pause();
        uint64_t before = room;
        room = sl_pipe_available(pipe, write, at, want);
        if (room == before)
            break;
    }
    return room;
}

/* The host begins with lines that are its own already. More than the processor fetches at once
 * would be in vain. */
static void fetch_first(unsigned char *at, size_t bytes, bool write)
{
    enum { MOST = 1024 };
    for (size_t i = 0; i < bytes && i < MOST; i += SL_LINE)
        sl_fetch_line(at + i, write);
}

void *sl_pipe_map(struct sl_pipe *pipe, bool write, size_t want_bytes, size_t *got_bytes)
{
    struct sl_pipe_ring *ring = pipe->ring;
    uint64_t want = want_bytes / ring->packet_bytes;
    if (!want || has_pending(pipe))
        return NULL;
    uint64_t index = pipe->index, at = sl_segments_end(&pipe->taken, index);
    uint64_t got = gather(pipe, write, at, want);
    if (!got && sl_visits_missed(&pipe->visits, pipe->cluster, pipe->ring, write, pipe->misses))
        got = sl_pipe_available(pipe, write, at, want);
    if (got > want)
        got = want;
    uint64_t straight = ring->mask + 1 - (at & ring->mask);
    if (!pipe->slots.twice && got > straight)
        got = straight;
    if (!got)
        note_miss(pipe, write);
    if (!got || !sl_segments_push(&pipe->taken, index, got, true))
        return NULL;
    set_misses(pipe, 0);
    *got_bytes = got * ring->packet_bytes;
    unsigned char *start = ring->slots + (at & ring->mask) * ring->packet_bytes;
    fetch_first(start, *got_bytes, write);
    return start;
}

void sl_pipe_unmap(struct sl_pipe *pipe, bool write, size_t bytes)
{
    pthread_mutex_lock(&pipe->lock); /* transfers may wait behind what is mapped */
    uint64_t index = pipe->index;
    uint64_t now = sl_segments_give(&pipe->taken, index, bytes / pipe->ring->packet_bytes);
    if (now != index)
        publish(pipe, write, now);
    bool alone = !pipe->pending;
    pthread_mutex_unlock(&pipe->lock);
    if (now != index && alone)
        consider_visit(pipe, write, now);
}

/* No kernel is at either end: the limits may be what is sure without a look at the other one. */
int sl_pipe_pass(struct sl_pipe *pipe, bool write, void *packet)
{
    struct sl_pipe_ring *ring = pipe->ring;
    unsigned op = write ? SL_PIPE_WRITE : SL_PIPE_READ;
    uint64_t *index = sl_ring_index(ring, op), packets = ring->tail - ring->head;
    unsigned char *slot = ring->slots + (*index & ring->mask) * ring->packet_bytes;
    if (packets == (write ? ring->depth : 0))
        return SL_PIPE_WOULD_WAIT;
    memcpy(write ? slot : packet, write ? packet : slot, ring->packet_bytes);
    *sl_ring_limit(ring, op) = ++*index;
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

void sl_pipe_let_go(struct sl_pipe *pipe)
{
    if (atomic_fetch_sub_explicit(&pipe->holds, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&pipe->lock);
    pthread_mutex_destroy(&pipe->turn);
    free(pipe);
}

int sl_pipe_around(struct sl_machine *machine, struct sl_cluster *cluster,
                   struct sl_pipe_ring *ring, struct sl_pipe **out)
{
    struct sl_pipe *pipe = aligned_alloc(64, (sizeof *pipe + 63) / 64 * 64);
    if (!pipe)
        return SL_OUT_OF_HOST_MEMORY;
    memset(pipe, 0, sizeof *pipe);
    pipe->machine = machine;
    pipe->cluster = cluster;
    pipe->ring = ring;
    sl_visits_init(&pipe->visits, SL_VISIT_NEVER);
    atomic_init(&pipe->holds, 1);
    pthread_mutex_init(&pipe->lock, NULL);
    pthread_mutex_init(&pipe->turn, NULL);
    ring->owner = pipe;
    *out = pipe;
    return 0;
}

void sl_pipe_allow_visits(struct sl_pipe *pipe)
{
    sl_visits_init(&pipe->visits, pipe->machine->visits);
    if (pipe->cluster == pipe->machine->shared) /* which allows them from its start */
        return;
    pthread_mutex_lock(&pipe->machine->lock);
    pipe->cluster->hosted = true;
    pthread_mutex_unlock(&pipe->machine->lock);
}

/* As asked for; with ignore-depth at least as many as channels get then. A host counts on its
 * number, so host pipes keep it. */
static uint32_t capacity_of(const struct sl_machine *machine, const struct sl_pipe_desc *desc)
{
    const char *mode = machine->host->config("SLUICE_FPGA_DEPTH");
    if (!mode || !*mode)
        mode = machine->host->config("CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE");
    bool deepen = mode && sl_pipe_depth_mode_of(mode) == SL_PIPE_DEPTH_IGNORE &&
                  !desc->host_reads && !desc->host_writes;
    return deepen ? sl_pipe_depth(SL_PIPE_DEPTH_IGNORE, desc->max_packets) : desc->max_packets;
}

int sl_pipe_create(struct sl_device *device, const struct sl_pipe_desc *desc, struct sl_pipe **out)
{
    struct sl_machine *machine = sl_fpga_machine(device);
    bool host = desc->host_reads || desc->host_writes;
    uint32_t depth = capacity_of(machine, desc);
    struct sl_slots slots;
    struct sl_pipe *pipe;
    struct sl_pipe_ring *ring = aligned_alloc(_Alignof(struct sl_pipe_ring), sizeof *ring);
    if (!ring)
        return SL_OUT_OF_HOST_MEMORY;
    int rc = sl_slots_init(&slots, desc->packet_bytes, depth, host);
    if (!rc)
        rc = sl_pipe_around(machine, machine->shared, ring, &pipe);
    if (rc) {
        sl_slots_finish(&slots);
        free(ring);
        return rc;
    }
    pipe->slots = slots;
    if (host)
        sl_pipe_allow_visits(pipe);
    *ring = (struct sl_pipe_ring){
        .write_limit = depth,
        .slots = slots.at,
        .mask = slots.count - 1,
        .packet_bytes = desc->packet_bytes,
        .depth = depth,
        .flags = SL_PIPE_ARGUMENT | (host ? SL_PIPE_HOST : 0u) |
                 (desc->host_reads ? SL_PIPE_HOST_READS : 0u) |
                 (desc->host_writes ? SL_PIPE_HOST_WRITES : 0u),
        .owner = pipe,
    };
    sl_ring_init(ring, machine->shared);
    *out = pipe;
    return 0;
}

/* The watch may be looking at it, which takes less than a moment. */
static void leave_asked(struct sl_pipe *pipe)
{
    pthread_mutex_lock(&pipe->machine->lock);
    sl_pipe_delist_asked_locked(pipe);
    pthread_mutex_unlock(&pipe->machine->lock);
    for (unsigned tries = 0; atomic_load_explicit(&pipe->looked_at, memory_order_acquire); tries++)
        sl_let_others(tries);
}

void sl_pipe_destroy(struct sl_pipe *pipe)
{
    if (!pipe)
        return;
    leave_asked(pipe);
    if (pipe->ring->flags & SL_PIPE_ARGUMENT) {
        sl_ring_finish(pipe->ring);
        free(pipe->ring);
    }
    sl_slots_finish(&pipe->slots);
    if (pipe->shm)
        sl_shm_finish(pipe->shm);
    free(pipe->shm);
    free(pipe->taken.rows);
    sl_pipe_let_go(pipe);
}

struct sl_pipe_ring *sl_pipe_ring(struct sl_pipe *pipe)
{
    return pipe->ring;
}
