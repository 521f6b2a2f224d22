/* SPDX-License-Identifier: Apache-2.0 */
/* See fake_pipe.h. `lock` guards the list of waiting transfers; the rings have one writer and one
 * reader. */
#include "fake_pipe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "commands/device_callbacks/host_ops.h"
#include "fpga/cluster/segments.h"

struct sl_pipe {
    struct sl_pipe_ring ring; /* first: only its address is looked at */
    atomic_ullong head, tail; /* packets */
    struct sl_segments taken; /* mapped by the host, and packets behind that */
    uint32_t packet_bytes, depth, slots;
    unsigned char *data;
};

atomic_int fake_pipes, fake_pipe_waiting, fake_waits;
struct sl_pipe *fake_last_pipe;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_work *waiting;

int fake_pipe_create(struct sl_device *device, const struct sl_pipe_desc *desc,
                     struct sl_pipe **out)
{
    (void)device;
    struct sl_pipe *pipe = aligned_alloc(64, sizeof *pipe);
    if (!pipe)
        abort();
    memset(pipe, 0, sizeof *pipe);
    pipe->packet_bytes = desc->packet_bytes;
    pipe->depth = desc->max_packets;
    for (pipe->slots = 1; pipe->slots < pipe->depth;)
        pipe->slots *= 2;
    pipe->data = calloc(pipe->slots, pipe->packet_bytes);
    atomic_fetch_add(&fake_pipes, 1);
    *out = fake_last_pipe = pipe;
    return 0;
}

void fake_pipe_destroy(struct sl_pipe *pipe)
{
    free(pipe->taken.rows);
    free(pipe->data);
    free(pipe);
    atomic_fetch_sub(&fake_pipes, 1);
}

struct sl_pipe_ring *fake_pipe_ring(struct sl_pipe *pipe)
{
    return &pipe->ring;
}

static unsigned char *slot(struct sl_pipe *pipe, uint64_t index)
{
    return pipe->data + (index & (pipe->slots - 1)) * pipe->packet_bytes;
}

/* The packet at `at` was moved. `taken`: of this end; NULL: the kernel's. */
static void move_on(struct sl_segments *taken, atomic_ullong *index, uint64_t at)
{
    if (!taken || !taken->used)
        atomic_store(index, at + 1);
    else if (!sl_segments_push(taken, atomic_load(index), 1, false))
        abort();
}

static bool take(struct sl_pipe *pipe, struct sl_segments *taken, void *packet)
{
    uint64_t head = atomic_load_explicit(&pipe->head, memory_order_relaxed);
    uint64_t at = sl_segments_end(taken, head);
    if (at == atomic_load_explicit(&pipe->tail, memory_order_acquire))
        return false;
    memcpy(packet, slot(pipe, at), pipe->packet_bytes);
    move_on(taken, &pipe->head, at);
    return true;
}

static bool put(struct sl_pipe *pipe, struct sl_segments *taken, const void *packet)
{
    uint64_t tail = atomic_load_explicit(&pipe->tail, memory_order_relaxed);
    uint64_t at = sl_segments_end(taken, tail);
    if (at - atomic_load_explicit(&pipe->head, memory_order_acquire) == pipe->depth)
        return false;
    memcpy(slot(pipe, at), packet, pipe->packet_bytes);
    move_on(taken, &pipe->tail, at);
    return true;
}

int fake_pipe_read(struct sl_pipe *pipe, void *packet)
{
    return take(pipe, &pipe->taken, packet) ? 0 : SL_PIPE_WOULD_WAIT;
}

int fake_pipe_write(struct sl_pipe *pipe, const void *packet)
{
    return put(pipe, &pipe->taken, packet) ? 0 : SL_PIPE_WOULD_WAIT;
}

void *fake_pipe_map(struct sl_pipe *pipe, bool write, size_t want_bytes, size_t *got_bytes)
{
    uint64_t head = atomic_load(&pipe->head), tail = atomic_load(&pipe->tail);
    uint64_t index = write ? tail : head, first = sl_segments_end(&pipe->taken, index);
    uint64_t count = write ? pipe->depth - (first - head) : tail - first;
    uint64_t straight = pipe->slots - (first & (pipe->slots - 1));
    uint64_t want = want_bytes / pipe->packet_bytes;
    count = count < straight ? count : straight;
    count = count < want ? count : want;
    if (!count)
        return NULL;
    *got_bytes = count * pipe->packet_bytes;
    if (!sl_segments_push(&pipe->taken, index, count, true))
        abort();
    return slot(pipe, first);
}

void fake_pipe_unmap(struct sl_pipe *pipe, bool write, size_t bytes)
{
    atomic_ullong *index = write ? &pipe->tail : &pipe->head;
    if (!pipe->taken.used || bytes % pipe->packet_bytes)
        abort();
    atomic_store(index,
                 sl_segments_give(&pipe->taken, atomic_load(index), bytes / pipe->packet_bytes));
}

void fake_host_waits(struct sl_device *device, int change)
{
    (void)device;
    atomic_fetch_add(&fake_waits, change);
}

static bool transfer(struct sl_work *work)
{
    struct sl_pipe_transfer *t = &work->u.pipe;
    return t->write ? put(t->pipe, &t->pipe->taken, t->packet)
                    : take(t->pipe, &t->pipe->taken, t->packet);
}

/* The waiting transfers that can be done now, or all of them. */
static struct sl_work *collect(bool all)
{
    struct sl_work *done = NULL;
    pthread_mutex_lock(&lock);
    for (struct sl_work **link = &waiting; *link;) {
        struct sl_work *work = *link;
        if (!all && !transfer(work)) {
            link = &work->next;
            continue;
        }
        *link = work->next;
        work->next = done;
        done = work;
        atomic_fetch_sub(&fake_pipe_waiting, 1);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static void finish(struct sl_work *done, int status)
{
    while (done) {
        struct sl_work *work = done;
        done = work->next;
        sl_host_ops.finished(work, status);
    }
}

void fake_pipe_work(struct sl_work *work)
{
    sl_host_ops.started(work);
    pthread_mutex_lock(&lock);
    work->next = waiting;
    waiting = work;
    atomic_fetch_add(&fake_pipe_waiting, 1);
    pthread_mutex_unlock(&lock);
    finish(collect(false), 0);
}

void fake_pipe_give_up(int status)
{
    finish(collect(true), status);
}

bool fake_kernel_read(struct sl_pipe *pipe, void *packet)
{
    bool done = take(pipe, NULL, packet);
    finish(collect(false), 0);
    return done;
}

bool fake_kernel_write(struct sl_pipe *pipe, const void *packet)
{
    bool done = put(pipe, NULL, packet);
    finish(collect(false), 0);
    return done;
}
