/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of bytes with reconnection. No lock: a stream belongs to its thread. */
#include "fpga/stream/io_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fpga/stream/engine.h"
#include "fpga/stream/io_engine.h"
#include "fpga/stream/io_follow.h"
#include "fpga/stream/io_open.h"

/* ---- what a peer has not taken --------------------------------------------------------------- */

/* Bytes that the system still has for the peer; of a Unix socket only whether there are any. */
static uint64_t left_with_system(const struct sl_io_stream *s)
{
    int left = 0;
    return ioctl(s->fd, SIOCOUTQ, &left) || left < 0 ? 0 : (uint64_t)left;
}

/* A peer that is there may read on when the connection is closed. */
static bool peer_is_gone(const struct sl_io_stream *s)
{
    struct pollfd end = {.fd = s->fd};
    return poll(&end, 1, 0) > 0 && end.revents & (POLLHUP | POLLERR);
}

/* A peer on this machine that has read all, has taken all; but when it closes the system drops what
 * is left, so it must be there still. */
static void note_taken(struct sl_io_stream *s)
{
    if (s->binding->kind == SL_IO_UNIX && s->taken < s->sent && !left_with_system(s) &&
        !peer_is_gone(s))
        s->taken = s->sent;
}

/* The peer has closed the connection. With packets unread, which the system tells by a reset,
 * nobody knows how many; else those are lost that were sent after that. */
static void note_lost(struct sl_io_stream *s, int error, size_t cut)
{
    int pending = 0;
    socklen_t bytes = sizeof pending;
    getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &pending, &bytes);
    bool reset = error == ECONNRESET || pending == ECONNRESET;
    uint64_t sent = s->sent - (cut < s->sent ? cut : s->sent), most = sent - s->taken, least = 0;
    if (s->taken > sent)
        most = 0;
    if (s->binding->kind == SL_IO_TCP)
        least = left_with_system(s);
    least = least > cut ? least - cut : 0;
    least = least < most ? least : most;
    if (reset && !least && most)
        least = 1;
    if (most && (reset || least) && s->lost)
        s->lost(s->data, least, reset ? most : least);
}

static void disconnect(struct sl_io_stream *s)
{
    if (s->fd >= 0 && !s->fd_shared)
        close(s->fd);
    if (s->watch >= 0)
        close(s->watch);
    s->fd = s->watch = -1;
    s->replaced = false;
    s->sent = s->taken = 0;
}

void sl_io_stream_init(struct sl_io_stream *s, const struct sl_io_binding *binding, bool input,
                       int stop, int pair_end)
{
    *s = (struct sl_io_stream){
        .binding = binding,
        .input = input,
        .stop = stop,
        .fd = pair_end,
        .listener = -1,
        .watch = -1,
        .fd_shared = pair_end >= 0,
    };
}

void sl_io_stream_finish(struct sl_io_stream *s)
{
    disconnect(s);
    if (s->engine_end)
        s->engine->close(s->engine_end);
    s->engine_end = NULL;
    if (s->listener >= 0) {
        close(s->listener);
        if (s->binding->kind == SL_IO_UNIX)
            unlink(s->binding->target);
    }
    s->listener = -1;
}

/* ---- moving bytes ---------------------------------------------------------------------------- */

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* At the end of a file that is followed, until it has changed or it is time to look; a file that
 * has been replaced, or cut, begins anew. What was appended before it was replaced is still to be
 * read. */
static enum sl_io_result follow(struct sl_io_stream *s, bool *fresh)
{
    const char *path = s->binding->target;
    if (s->replaced) {
        disconnect(s);
        return SL_IO_SOME;
    }
    if (s->watch < 0 && (s->watch = sl_io_follow_watch(path)) >= 0)
        return SL_IO_SOME; /* what was written before the watch began */
    if (sl_io_wait_for(s, s->watch, POLLIN, SL_IO_RETRY_MS) < 0)
        return SL_IO_STOPPED;
    sl_io_follow_seen(s->watch);
    if (sl_io_follow_rewind(s->fd))
        *fresh = true;
    else
        s->replaced = !sl_io_follow_is_there(s->fd, path) && !access(path, R_OK);
    return SL_IO_SOME;
}

/* The end of what is connected now; true if there may be more later. */
static bool goes_on(struct sl_io_stream *s)
{
    if (s->binding->kind == SL_IO_FILE && s->binding->loop)
        return lseek(s->fd, 0, SEEK_SET) == 0;
    if (s->binding->kind == SL_IO_FILE || s->fd_shared)
        return false;
    disconnect(s);
    return true;
}

static enum sl_io_result end(struct sl_io_stream *s)
{
    s->ended = true;
    return SL_IO_ENDED;
}

static enum sl_io_result read_ready(struct sl_io_stream *s, void *to, size_t bytes, size_t *got)
{
    for (;;) {
        if (sl_io_wait_for(s, s->fd, POLLIN, -1) < 0)
            return SL_IO_STOPPED;
        ssize_t count = read(s->fd, to, bytes);
        if (count < 0 && would_wait())
            continue;
        if (count < 0 && !sl_io_is_socket(s))
            s->error = errno;
        *got = count > 0 ? (size_t)count : 0;
        return count > 0 ? SL_IO_SOME : SL_IO_ENDED;
    }
}

enum sl_io_result sl_io_stream_read(struct sl_io_stream *s, void *to, size_t bytes, size_t *got,
                                    bool *fresh)
{
    *fresh = false;
    if (s->ended || s->binding->kind == SL_IO_NULL)
        return end(s);
    if (sl_io_has_engine(s->binding))
        return sl_io_engine_read(s, to, bytes, got, fresh);
    for (bool empty = false;;) {
        bool opened = s->fd < 0;
        enum sl_io_result result = sl_io_open(s);
        if (result != SL_IO_SOME)
            return result == SL_IO_ENDED ? end(s) : result;
        *fresh |= opened && s->connections++ > 0;
        result = read_ready(s, to, bytes, got);
        if (result != SL_IO_ENDED)
            return result;
        if (s->binding->follow && !s->error) {
            if (follow(s, fresh) == SL_IO_STOPPED)
                return SL_IO_STOPPED;
            continue;
        }
        bool was_empty = empty;
        empty = true;
        if (!goes_on(s) || (s->binding->loop && was_empty)) /* an empty file has no next round */
            return end(s);
        *fresh |= s->binding->loop;
        if (sl_io_wait_for(s, -1, 0, s->binding->listen || s->binding->loop ? 0 : SL_IO_RETRY_MS) <
            0)
            return SL_IO_STOPPED;
    }
}

static ssize_t put(const struct sl_io_stream *s, const char *from, size_t bytes)
{
    return sl_io_is_socket(s) ? send(s->fd, from, bytes, MSG_NOSIGNAL) : write(s->fd, from, bytes);
}

static bool is_same(int fd, int other)
{
    struct stat a, b;
    return !fstat(fd, &a) && !fstat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The named pipe that is open now, opened once more, is kept instead. */
static bool reopen(struct sl_io_stream *s, int how)
{
    char path[32];
    const int always = O_NONBLOCK | O_CLOEXEC;
    snprintf(path, sizeof path, "/proc/self/fd/%d", s->fd);
    int fd = open(path, how | always);
    if (fd < 0 && errno == ENOENT) /* there is no /proc */
        fd = open(s->binding->target, how | always);
    if (fd >= 0 && !is_same(fd, s->fd)) {
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        return false;
    disconnect(s);
    s->fd = fd;
    return true;
}

static bool has_reader(const struct sl_io_stream *s)
{
    struct pollfd end = {.fd = s->fd};
    return poll(&end, 1, 0) >= 0 && !(end.revents & POLLERR);
}

/* Its own reading end, which it has so that what is written stays, hides that nobody else has one;
 * true also where that cannot be found out. */
static bool fifo_is_read(struct sl_io_stream *s)
{
    reopen(s, O_WRONLY);
    bool read = has_reader(s);
    reopen(s, O_RDWR);
    return read;
}

static bool is_read(struct sl_io_stream *s)
{
    return s->binding->kind == SL_IO_FIFO ? fifo_is_read(s) : !s->is_read || s->is_read(s->data);
}

/* Until something can be written again. Sockets tell when their peer has gone, pipes are looked at.
 * False: stop. */
static bool wait_for_room(struct sl_io_stream *s)
{
    int rc;
    while (!(rc = sl_io_wait_for(s, s->fd, POLLOUT, sl_io_is_socket(s) ? -1 : SL_IO_RETRY_MS)))
        sl_io_note_peer(s, is_read(s));
    return rc > 0;
}

/* A named pipe whose reading end could not be opened again, and nobody else has one. False: stop.
 */
static bool wait_for_reader(struct sl_io_stream *s)
{
    sl_io_note_peer(s, false);
    return reopen(s, O_RDWR) || !sl_io_wait_for(s, -1, 0, SL_IO_RETRY_MS);
}

/* Somebody has taken away the file that is written: the rest goes into the one that is there now,
 * or a new one, from a whole packet on. */
static void leave_replaced(struct sl_io_stream *s, size_t packet_bytes)
{
    if (s->binding->follow && s->fd >= 0 && s->done % packet_bytes == 0 &&
        !sl_io_follow_is_there(s->fd, s->binding->target))
        disconnect(s);
}

enum sl_io_result sl_io_stream_write(struct sl_io_stream *s, const void *from, size_t bytes,
                                     size_t packet_bytes)
{
    const char *data = from;
    if (s->binding->kind == SL_IO_NULL)
        return SL_IO_SOME;
    if (sl_io_has_engine(s->binding))
        return sl_io_engine_write(s, from, bytes, packet_bytes);
    while (s->done < bytes) {
        leave_replaced(s, packet_bytes);
        enum sl_io_result result = sl_io_open(s);
        if (result != SL_IO_SOME)
            return result;
        note_taken(s);
        ssize_t count = put(s, data + s->done, bytes - s->done);
        if (count > 0) {
            s->done += (size_t)count;
            s->sent += (size_t)count;
            sl_io_note_peer(s, true);
        } else if (count < 0 && would_wait()) {
            if (!wait_for_room(s))
                return SL_IO_STOPPED;
        } else if (errno == EPIPE && s->binding->kind == SL_IO_FIFO) {
            if (!wait_for_reader(s))
                return SL_IO_STOPPED;
        } else {
            s->error = errno;
            if (!sl_io_is_socket(s))
                return SL_IO_ENDED;
            note_lost(s, s->error, s->done % packet_bytes);
            s->error = 0; /* another peer may come */
            disconnect(s);
            s->done -= s->done % packet_bytes;
        }
    }
    s->done = 0;
    return SL_IO_SOME;
}

/* ---- the end of output ----------------------------------------------------------------------- */

static void close_file(struct sl_io_stream *s)
{
    if (close(s->fd))
        s->error = errno;
    s->fd = -1;
}

size_t sl_io_stream_leave(struct sl_io_stream *s)
{
    enum { LOOK_MS = 5 };
    if (sl_io_has_engine(s->binding))
        return sl_io_engine_leave(s);
    if (s->fd >= 0 && sl_io_is_socket(s) && peer_is_gone(s))
        note_lost(s, 0, 0);
    if (s->fd >= 0 && s->binding->kind == SL_IO_FILE && !s->fd_shared)
        close_file(s);
    if (s->binding->kind != SL_IO_FIFO || s->fd < 0 || !reopen(s, O_WRONLY))
        return 0;
    for (;;) {
        int left = 0;
        if (ioctl(s->fd, FIONREAD, &left) || left <= 0 || has_reader(s))
            return 0;
        if (sl_io_wait_for(s, -1, 0, LOOK_MS) < 0)
            return (size_t)left;
    }
}
