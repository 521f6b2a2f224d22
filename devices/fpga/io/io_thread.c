/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of an I/O pipe: packets from the stream into the pipe, or the other way. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "fpga/cluster/design_data.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/io/io_shared.h"
#include "fpga/stream/engine.h"
#include "fpga/stream/io_engine.h"
#include "fpga/stream/io_error.h"

enum {
    LAST_WRITES_MS = 200,
    LOOK_AGAIN_MS = 1, /* where the system has no barrier to sleep behind */
};

void sl_io_note(const struct sl_io_end *end, int level, const char *what, const char *why)
{
    end->io->host->log(level, SL_LOG_IO, "I/O pipe %s (\"%s\"): %s%s%s", end->info->name,
                       end->binding ? end->binding->row : end->info->io, what, why ? ": " : "",
                       why ? why : "");
}

/* A library may know more. */
static const char *error_text(const struct sl_io_end *end, int error, char *text, size_t bytes)
{
    bool library = error == SL_IO_NO_ENGINE && end->stream.trouble[0];
    return library ? end->stream.trouble : sl_io_error_text(error, text, bytes);
}

static void note_error(const struct sl_io_end *end, const char *what, int error)
{
    char text[96];
    sl_io_note(end, SL_LOG_ERROR, what, error_text(end, error, text, sizeof text));
}

/* The stream is about to wait. Who is not there is tried again: to be said once, not each time. */
static void stream_waits(void *data)
{
    struct sl_io_end *end = data;
    int error = end->stream.error;
    if (error && error != end->told && !end->doubted)
        note_error(end, "nobody is there, it is tried again", error);
    if (error)
        end->told = error;
    if (!end->input)
        sl_io_let_be(end);
}

static void stream_lost(void *data, uint64_t least, uint64_t most)
{
    const struct sl_io_end *end = data;
    const uint64_t each = end->info->packet_bytes;
    unsigned long long low = (least + each - 1) / each, high = (most + each - 1) / each;
    char text[160];
    if (low == high)
        snprintf(text, sizeof text, "%llu packets that were sent were not taken", low);
    else
        snprintf(text, sizeof text,
                 "at least %llu and at most %llu packets that were sent were not taken", low, high);
    sl_io_note(end, SL_LOG_ERROR, text, "the peer has closed the connection");
}

static void stream_peer(void *data, bool there)
{
    const struct sl_io_end *end = data;
    sl_pipe_lacks_peer(end->pipe, there ? NULL : end->row);
}

static bool stream_is_read(void *data)
{
    const struct sl_io_end *end = data;
    return sl_io_pair_is_read(end->io, end->info->io);
}

/* What no kernel has read of an input. */
static uint64_t stream_unread(void *data)
{
    const struct sl_io_end *end = data;
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    return (__atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) - head) * end->info->packet_bytes;
}

void sl_io_note_unread(struct sl_io_end *end)
{
    const struct sl_io_stream *s = &end->stream;
    if (s->engine->unread)
        s->engine->unread(s->engine_end, stream_unread(end));
}

void sl_io_watch_stream(struct sl_io_end *end)
{
    end->stream.waits = stream_waits;
    end->stream.lost = stream_lost;
    end->stream.peer = stream_peer;
    end->stream.is_read = end->stream.fd_shared ? stream_is_read : NULL;
    end->stream.unread = end->input ? stream_unread : NULL;
    bool direct = end->stream.engine_end && end->stream.engine->busy;
    end->stream.rests = direct || (end->input && end->stream.engine_end) ? sl_io_rests : NULL;
    end->stream.data = end;
}

/* Until the kernel has made room or written something; false: the end is to stop. */
static bool wait_for_kernel(struct sl_io_end *end)
{
    uint64_t count;
    bool told = true;
    int ms;
    if (sl_pipe_await(end->pipe, end->input, &told))
        return true;
    struct pollfd fds[] = {{.fd = end->stop, .events = POLLIN},
                           {.fd = end->changed, .events = POLLIN},
                           {.fd = sl_io_engine_idle(&end->stream, &ms), .events = POLLIN}};
    sl_pipe_give_turn(end->pipe);
    while (poll(fds, 3, told ? ms : LOOK_AGAIN_MS) < 0 && errno == EINTR)
        ;
    sl_pipe_take_turn(end->pipe);
    if (fds[1].revents && read(end->changed, &count, sizeof count) < 0)
        return true;
    return !fds[0].revents;
}

void sl_io_changed(void *data)
{
    struct sl_io_end *end = data;
    uint64_t one = 1;
    if (write(end->changed, &one, sizeof one) < 0)
        return; /* the counter is full of news already */
}

static void drop_cut(struct sl_io_end *end, size_t bytes)
{
    char text[64];
    if (!bytes)
        return;
    snprintf(text, sizeof text, "%zu bytes are no whole packet: dropped", bytes);
    sl_io_note(end, SL_LOG_WARN, text, NULL);
}

void sl_io_take_in(struct sl_io_end *end, size_t got)
{
    struct sl_io_room *room = &end->room;
    if (!got)
        return;
    if (room->fresh && room->filled) {
        drop_cut(end, room->filled);
        memmove(room->at, room->at + room->filled, got);
        room->filled = 0;
    }
    room->fresh = false;
    room->filled += got;
    size_t whole = room->filled - room->filled % end->info->packet_bytes;
    if (!whole)
        return;
    sl_pipe_unmap(end->pipe, true, whole);
    room->at += whole;
    room->left -= whole;
    room->filled -= whole;
    if (!room->left)
        room->at = NULL;
}

void sl_io_use(struct sl_io_end *end)
{
    if (end && !end->unbound && !atomic_exchange_explicit(&end->used, true, memory_order_relaxed))
        sl_io_changed(end);
}

/* Hosts that were written for Intel's emulator put the files there, or link them to others, between
 * the build and the launch. A kernel that runs since the build waits no longer than hosts take for
 * that. False: the end is to stop. */
static bool wait_for_use(struct sl_io_end *end)
{
    enum { GRACE_MS = 1000 };
    const bool runs = end->design->info->kernels[end->info->reader].flags & SL_KERNEL_AUTORUN;
    while (end->binding->late && !atomic_load_explicit(&end->used, memory_order_relaxed)) {
        struct pollfd fds[] = {{.fd = end->stop, .events = POLLIN},
                               {.fd = end->changed, .events = POLLIN}};
        uint64_t count;
        int ready = poll(fds, 2, runs ? GRACE_MS : -1);
        if (ready < 0)
            continue;
        if (fds[0].revents)
            return false;
        if (!ready)
            break;
        if (fds[1].revents && read(end->changed, &count, sizeof count) < 0)
            continue;
    }
    return true;
}

static void run_input(struct sl_io_end *end)
{
    if (!wait_for_use(end))
        return;
    struct sl_io_room *room = &end->room;
    enum sl_io_result result = SL_IO_SOME;
    while (result == SL_IO_SOME) {
        size_t got;
        bool fresh;
        if (!room->at)
            room->at = sl_pipe_map(end->pipe, true, sl_io_stretch(end), &room->left);
        if (!room->at) {
            if (!wait_for_kernel(end))
                return;
            continue;
        }
        result = sl_io_stream_read(&end->stream, room->at + room->filled, room->left - room->filled,
                                   &got, &fresh);
        room->fresh |= fresh;
        if (result == SL_IO_SOME)
            sl_io_take_in(end, got);
    }
    if (result == SL_IO_STOPPED)
        return;
    drop_cut(end, room->filled);
    if (end->stream.error && !end->doubted)
        note_error(end, "cannot be read", end->stream.error);
    sl_pipe_at_end(end->pipe);
    if (end->stream.error != SL_IO_NO_ENGINE)
        return;
    sl_io_fail(end, end->stream.error);
    sl_io_turn_away(end);
}

/* What is there now, at most so many packets, or was already when writing was interrupted; false
 * when it cannot be written. */
static bool write_out(struct sl_io_end *end, uint64_t packets, bool *any)
{
    const size_t each = end->info->packet_bytes, most = sl_io_stretch(end);
    if (!end->from)
        end->from = sl_pipe_map(end->pipe, false, packets < most / each ? packets * each : most,
                                &end->from_bytes);
    *any = end->from != NULL;
    if (!end->from)
        return true;
    enum sl_io_result result =
        sl_io_stream_write(&end->stream, end->from, end->from_bytes, end->info->packet_bytes);
    if (result == SL_IO_SOME) {
        sl_pipe_unmap(end->pipe, false, end->from_bytes);
        end->from = NULL;
        sl_io_settle(end);
    } else if (result == SL_IO_ENDED) {
        note_error(end, "cannot be written", end->stream.error);
        sl_io_fail(end, end->stream.error);
    }
    return result >= SL_IO_SOME;
}

void sl_io_note_lost(const struct sl_io_end *end, uint64_t limit, size_t bytes)
{
    const struct sl_pipe_ring *ring = end->info->ring;
    char text[96], why[96];
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    uint64_t packets = tail < limit ? tail - head : limit > head ? limit - head : 0;
    uint64_t each = end->info->packet_bytes, done = end->stream.done; /* of what is in the ring */
    uint64_t there = packets * each + bytes;
    packets = there > done ? (there - done + each - 1) / each : 0;
    snprintf(text, sizeof text, "%llu packets were not delivered", (unsigned long long)packets);
    if (packets && end->unbound)
        sl_io_note(end, SL_LOG_ERROR, text, "the name is not bound (SLUICE_FPGA_IO)");
    else if (packets && end->stream.error)
        sl_io_note(end, SL_LOG_ERROR, text, error_text(end, end->stream.error, why, sizeof why));
    else if (packets)
        sl_io_note(end, SL_LOG_ERROR, text, "nobody took them");
}

/* What was there when it began. Ends when all is gone or the time is up; kernels may still write
 * when the process exits. */
static void write_last(struct sl_io_end *end)
{
    struct itimerspec limit = {.it_value.tv_nsec = LAST_WRITES_MS * 1000000L};
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t last = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    uint64_t head;
    bool any = true;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer >= 0)
        timerfd_settime(timer, 0, &limit, NULL);
    if (timer >= 0)
        end->stream.stop = timer;
    while (any && !end->failed && (head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED)) < last &&
           write_out(end, last - head, &any))
        ;
    size_t left = end->failed ? 0 : sl_io_stream_leave(&end->stream);
    if (!end->failed && end->stream.error && end->stream.binding->kind == SL_IO_FILE)
        note_error(end, "may not be complete", end->stream.error);
    sl_io_note_lost(end, last, left);
    if (timer >= 0)
        close(timer);
}

bool sl_io_wait_to_stop(const struct sl_io_end *end, int ms)
{
    struct pollfd stop = {.fd = end->stop, .events = POLLIN};
    return poll(&stop, 1, ms) > 0;
}

void sl_io_turn_away(struct sl_io_end *end)
{
    enum { LEAST_MS = 5, MOST_MS = 320 };
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t seen = 0;
    for (int ms = LEAST_MS; !sl_io_wait_to_stop(end, ms);) {
        uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
        ms = tail != seen ? LEAST_MS : ms < MOST_MS ? 2 * ms : ms;
        seen = tail;
        sl_io_refuse_waiting(end);
    }
}

static void run_output(struct sl_io_end *end)
{
    bool any, fine = true;
    while (fine && !sl_io_wait_to_stop(end, 0)) {
        fine = write_out(end, UINT64_MAX, &any);
        if (fine && !any && !wait_for_kernel(end))
            break;
    }
    if (end->failed) {
        sl_pipe_at_end(end->pipe);
        sl_io_turn_away(end);
    }
    write_last(end);
    atomic_store_explicit(&end->done, true, memory_order_release);
}

void *sl_io_run(void *data)
{
    struct sl_io_end *end = data;
    sl_io_stream_listen(&end->stream);
    if (end->stream.error)
        note_error(end, "nobody can connect", end->stream.error);
    end->told = end->stream.error;
    sl_pipe_take_turn(end->pipe);
    sem_post(&end->begun);
    if (end->input) {
        run_input(end);
        sl_io_engine_end_input(&end->stream);
        atomic_store_explicit(&end->done, true, memory_order_release);
    } else {
        run_output(end);
    }
    sl_pipe_give_turn(end->pipe);
    return NULL;
}
