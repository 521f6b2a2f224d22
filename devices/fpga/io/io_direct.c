/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that the cluster's own thread moves, of ends that a library serves: a kernel that waits,
 * and one that has written a little, would pay for two threads to wake up each other. The end's
 * thread does all else; what it does and what is done here exclude each other (sl_pipe_take_turn).
 */
#include <poll.h>
#include <unistd.h>

#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/stream/engine.h"

enum { REST_MS = 1 };

/* ---- by the cluster's thread ----------------------------------------------------------------- */

/* What has arrived. An end of the connection is left to the end's thread, which hears of it again,
 * but for one: that what follows begins anew. */
static bool read_some(struct sl_io_end *end)
{
    struct sl_io_stream *s = &end->stream;
    struct sl_io_room *room = &end->room;
    if (!room->at)
        room->at = sl_pipe_map(end->pipe, true, sl_io_stretch(end), &room->left);
    if (!room->at)
        return false;
    if (end->fresh_read)
        sl_io_note_unread(end);
    ptrdiff_t got =
        s->engine->read(s->engine_end, room->at + room->filled, room->left - room->filled);
    room->fresh |= got == SL_ENGINE_GONE;
    end->fresh_read = got > 0;
    if (got > 0)
        sl_io_take_in(end, (size_t)got);
    return got != SL_ENGINE_ENDED;
}

/* Launches that wait for their packets to leave are for the end's thread. */
static bool is_plain(struct sl_io_end *end, bool *waiting)
{
    pthread_mutex_lock(&end->lock);
    bool plain = !end->entries && !end->failed;
    *waiting = end->waiting;
    pthread_mutex_unlock(&end->lock);
    return plain;
}

/* What the kernel has written, in bytes. It writes no more meanwhile: to ask for more would be to
 * wait for it. */
static size_t written(const struct sl_io_end *end)
{
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t packets = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
                       __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
    uint64_t most = sl_io_stretch(end) / end->info->packet_bytes;
    return (size_t)(packets < most ? packets : most) * end->info->packet_bytes;
}

/* What was written. What cannot leave at once is left mapped, and either thread goes on with it:
 * this one when the kernel waits for room, the other when it has rested. */
static bool write_some(struct sl_io_end *end, bool moved)
{
    struct sl_io_stream *s = &end->stream;
    bool waiting;
    if (!is_plain(end, &waiting))
        return false;
    if (!end->from)
        end->from = sl_pipe_map(end->pipe, false, written(end), &end->from_bytes);
    if (!end->from)
        return false;
    ptrdiff_t done =
        s->engine->write(s->engine_end, (char *)end->from + s->done, end->from_bytes - s->done);
    if (done > 0) {
        s->done += (size_t)done;
        s->told = false;
    }
    if (s->done < end->from_bytes)
        return done >= 0 && (!moved || sl_pipe_is_resting(end->pipe));
    sl_pipe_unmap(end->pipe, false, end->from_bytes);
    end->from = NULL;
    s->done = 0;
    if (waiting)
        sl_io_settle(end);
    sl_pipe_watch_kernel(end->pipe);
    return !s->engine->busy(s->engine_end);
}

bool sl_io_poll(void *data, bool moved)
{
    struct sl_io_end *end = data;
    if (atomic_load_explicit(&end->done, memory_order_relaxed) || end->stream.ended)
        return false;
    if (end->input) /* else its thread waits for the room */
        return !moved && read_some(end);
    return write_some(end, moved);
}

/* ---- by the end's ---------------------------------------------------------------------------- */

/* Until the cluster sleeps, or a moment is over. Who rests while it sleeps has nobody to be woken
 * by, and packets wait for the moment to end. */
static bool rest(struct sl_io_end *end)
{
    uint64_t count;
    struct pollfd fds[] = {{.fd = end->stream.stop, .events = POLLIN},
                           {.fd = end->changed, .events = POLLIN}};
    sl_pipe_rest(end->pipe, true);
    int ready = sl_pipe_sleeps(end->pipe) ? 0 : poll(fds, 2, REST_MS);
    sl_pipe_rest(end->pipe, false);
    if (ready > 0 && fds[1].revents && read(end->changed, &count, sizeof count) < 0)
        return true;
    return ready <= 0 || !fds[0].revents;
}

static bool is_served(struct sl_io_end *end)
{
    uint32_t polls = sl_pipe_polls(end->pipe);
    bool served = polls != end->polls_seen && !sl_pipe_sleeps(end->pipe);
    end->polls_seen = polls;
    return served;
}

/* While it is served it leaves all to the cluster's thread: two would take turns at one stream. */
bool sl_io_rests(void *data)
{
    struct sl_io_end *end = data;
    const struct sl_io_stream *s = &end->stream;
    bool goes_on = true, served = is_served(end);
    sl_pipe_give_turn(end->pipe);
    if (!served)
        goes_on = s->engine->wait(s->engine_end, s->stop, -1);
    for (; served && goes_on; served = is_served(end))
        goes_on = rest(end);
    sl_pipe_take_turn(end->pipe);
    return goes_on;
}
