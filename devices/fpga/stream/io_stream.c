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
#include <sys/un.h>
#include <unistd.h>

#include "fpga/stream/io_follow.h"
#include "fpga/stream/io_lookup.h"
#include "sluice/base/file.h"

enum {
    RETRY_MS = 50,    /* between two attempts to reach a peer that is not there */
    PROMPT_MS = 20,   /* what it takes to look up a name, as a rule */
    ANSWER_MS = 1000, /* until it is said that there is no answer */
};

const char *sl_io_error_text(int error, char *text, size_t bytes)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {{ENOSPC, "ENOSPC"},
                 {EDQUOT, "EDQUOT"},
                 {EFBIG, "EFBIG"},
                 {EIO, "EIO"},
                 {EACCES, "EACCES"},
                 {EPERM, "EPERM"},
                 {EROFS, "EROFS"},
                 {ENOENT, "ENOENT"},
                 {EISDIR, "EISDIR"},
                 {EPIPE, "EPIPE"},
                 {ECONNREFUSED, "ECONNREFUSED"},
                 {ECONNRESET, "ECONNRESET"},
                 {EADDRINUSE, "EADDRINUSE"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        name = names[i].error == error ? names[i].name : NULL;
    if (error == SL_IO_UNKNOWN_NAME)
        snprintf(text, bytes, "no host or service of this name is known");
    else if (error == SL_IO_NO_ANSWER)
        snprintf(text, bytes, "whoever knows the host's name has not answered yet");
    else
        snprintf(text, bytes, "%s%s%s%s", strerror(error), name ? " (" : "", name ? name : "",
                 name ? ")" : "");
    return text;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* 1: ready, 0: time is up, -1: stop. */
static int wait_for(const struct sl_io_stream *s, int fd, short events, int timeout_ms)
{
    if (s->waits && timeout_ms)
        s->waits(s->data);
    for (;;) {
        struct pollfd fds[] = {{.fd = s->stop, .events = POLLIN}, {.fd = fd, .events = events}};
        int count = poll(fds, fd < 0 ? 1 : 2, timeout_ms);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 || fds[0].revents)
            return -1;
        return count ? 1 : 0;
    }
}

static void note_peer(struct sl_io_stream *s, bool there)
{
    if (s->input || !s->peer || s->alone == !there || s->binding->kind == SL_IO_FILE)
        return;
    s->alone = !there;
    s->peer(s->data, there);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Never waits, what is named a file may be a terminal or a pipe. */
static int open_path(const struct sl_io_stream *s)
{
    const struct sl_io_binding *b = s->binding;
    const int always = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const char *why; /* errno says the same */
    if (s->input)
        return open(b->target, O_RDONLY | always);
    if (b->kind == SL_IO_FIFO) /* both ways: opening would fail without a reader */
        return open(b->target, O_RDWR | always);
    return sl_output_open(b->target, O_NONBLOCK | O_NOCTTY | (b->append ? O_APPEND : O_TRUNC),
                          &why);
}

static int unix_place(const struct sl_io_binding *b, struct sl_io_place *place)
{
    struct sockaddr_un *address = (struct sockaddr_un *)&place->address;
    if (strlen(b->target) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return SL_IO_LOOKUP_FAILED;
    }
    *place = (struct sl_io_place){.bytes = sizeof *address};
    address->sun_family = AF_UNIX;
    strcpy(address->sun_path, b->target);
    return 1;
}

/* How many places are meant; else as sl_io_lookup. Nobody else is kept waiting for a name. */
static int find_places(struct sl_io_stream *s, int ms, struct sl_io_place places[SL_IO_PLACES])
{
    const struct sl_io_binding *b = s->binding;
    const bool lasting = ms < 0;
    if (b->kind == SL_IO_UNIX)
        return unix_place(b, places);
    int count = sl_io_lookup(b->target, s->stop, lasting ? PROMPT_MS : ms, places);
    for (int turn = 0; count == SL_IO_LOOKUP_LATE && lasting; turn++) {
        if (turn)
            s->error = SL_IO_NO_ANSWER;
        if (s->waits)
            s->waits(s->data);
        count = sl_io_lookup(b->target, s->stop, turn ? -1 : ANSWER_MS, places);
    }
    return count;
}

static int new_socket(const struct sl_io_place *place)
{
    return socket(place->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* A socket file that nobody listens on any more would be in the way. */
static void remove_stale(const struct sl_io_stream *s, const struct sl_io_place *place)
{
    struct stat status;
    if (s->binding->kind != SL_IO_UNIX || stat(s->binding->target, &status) ||
        !S_ISSOCK(status.st_mode))
        return;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe >= 0 && connect(probe, (const struct sockaddr *)&place->address, place->bytes) &&
        errno == ECONNREFUSED)
        unlink(s->binding->target);
    if (probe >= 0)
        close(probe);
}

static int listen_at(const struct sl_io_stream *s, const struct sl_io_place *place)
{
    int on = 1, fd = new_socket(place);
    if (fd < 0)
        return -1;
    remove_stale(s, place);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!bind(fd, (const struct sockaddr *)&place->address, place->bytes) && !listen(fd, 1))
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* The listener is there: 1. Else as sl_io_lookup. */
static int find_listener(struct sl_io_stream *s, int ms)
{
    struct sl_io_place places[SL_IO_PLACES];
    int found = s->listener < 0 ? find_places(s, ms, places) : 1;
    if (s->listener < 0 && found > 0)
        s->listener = listen_at(s, places);
    return found > 0 && s->listener < 0 ? SL_IO_LOOKUP_FAILED : found;
}

void sl_io_stream_listen(struct sl_io_stream *s)
{
    if (!s->binding->listen)
        return;
    int found = find_listener(s, ANSWER_MS);
    s->error = found == SL_IO_LOOKUP_FAILED ? errno
               : found == SL_IO_LOOKUP_LATE ? SL_IO_NO_ANSWER
                                            : 0;
}

/* The new connection, -1 with errno, or -2: stop. */
static int accept_next(struct sl_io_stream *s)
{
    int found = find_listener(s, -1);
    if (found < 0)
        return found;
    if (wait_for(s, s->listener, POLLIN, -1) < 0)
        return -2;
    return accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* The connection, -1 with errno, or -2: stop. */
static int connect_at(const struct sl_io_stream *s, const struct sl_io_place *place)
{
    int fd = new_socket(place), error = 0;
    socklen_t bytes = sizeof error;
    if (fd < 0)
        return -1;
    if (!connect(fd, (const struct sockaddr *)&place->address, place->bytes))
        return fd;
    error = errno;
    if (error == EINPROGRESS) {
        if (wait_for(s, fd, POLLOUT, -1) < 0) {
            close(fd);
            return -2;
        }
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
        if (!error)
            return fd;
    }
    close(fd);
    errno = error;
    return -1;
}

/* A host has several addresses, and its server need not listen at all of them. */
static int connect_to(struct sl_io_stream *s)
{
    struct sl_io_place places[SL_IO_PLACES];
    int count = find_places(s, -1, places), fd = count < 0 ? count : -1;
    for (int i = 0; i < count && fd == -1; i++)
        fd = connect_at(s, &places[i]);
    return fd;
}

static bool is_socket(const struct sl_io_stream *s)
{
    return s->binding->kind == SL_IO_UNIX || s->binding->kind == SL_IO_TCP;
}

static int open_once(struct sl_io_stream *s)
{
    if (!is_socket(s))
        return open_path(s);
    return s->binding->listen ? accept_next(s) : connect_to(s);
}

/* A file that cannot be opened, or an address that cannot be listened at, does not get better by
 * waiting; a file to be followed may come, and one more peer or thread. */
static bool is_hopeless(const struct sl_io_stream *s)
{
    const struct sl_io_binding *b = s->binding;
    bool may_come = b->follow && s->input && errno == ENOENT;
    bool passes = errno == EINTR || errno == ECONNABORTED || (b->listen && errno == EAGAIN);
    return !passes && ((b->kind == SL_IO_FILE && !may_come) || b->listen);
}

/* Tries until there is something to read from or write to. */
static enum sl_io_result ready(struct sl_io_stream *s)
{
    while (s->fd < 0) {
        note_peer(s, false);
        s->fd = open_once(s);
        if (s->fd >= 0)
            break;
        bool stop = s->fd == -2;
        s->fd = -1;
        if (stop)
            return SL_IO_STOPPED;
        s->error = errno;
        if (is_hopeless(s))
            return SL_IO_ENDED;
        if (wait_for(s, -1, 0, RETRY_MS) < 0)
            return SL_IO_STOPPED;
    }
    s->error = 0;
    return SL_IO_SOME;
}

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
    if (wait_for(s, s->watch, POLLIN, RETRY_MS) < 0)
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
        if (wait_for(s, s->fd, POLLIN, -1) < 0)
            return SL_IO_STOPPED;
        ssize_t count = read(s->fd, to, bytes);
        if (count < 0 && would_wait())
            continue;
        if (count < 0 && !is_socket(s))
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
    for (bool empty = false;;) {
        bool opened = s->fd < 0;
        enum sl_io_result result = ready(s);
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
        if (wait_for(s, -1, 0, s->binding->listen || s->binding->loop ? 0 : RETRY_MS) < 0)
            return SL_IO_STOPPED;
    }
}

static ssize_t put(const struct sl_io_stream *s, const char *from, size_t bytes)
{
    return is_socket(s) ? send(s->fd, from, bytes, MSG_NOSIGNAL) : write(s->fd, from, bytes);
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
    while (!(rc = wait_for(s, s->fd, POLLOUT, is_socket(s) ? -1 : RETRY_MS)))
        note_peer(s, is_read(s));
    return rc > 0;
}

/* A named pipe whose reading end could not be opened again, and nobody else has one. False: stop.
 */
static bool wait_for_reader(struct sl_io_stream *s)
{
    note_peer(s, false);
    return reopen(s, O_RDWR) || !wait_for(s, -1, 0, RETRY_MS);
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
    while (s->done < bytes) {
        leave_replaced(s, packet_bytes);
        enum sl_io_result result = ready(s);
        if (result != SL_IO_SOME)
            return result;
        note_taken(s);
        ssize_t count = put(s, data + s->done, bytes - s->done);
        if (count > 0) {
            s->done += (size_t)count;
            s->sent += (size_t)count;
            note_peer(s, true);
        } else if (count < 0 && would_wait()) {
            if (!wait_for_room(s))
                return SL_IO_STOPPED;
        } else if (errno == EPIPE && s->binding->kind == SL_IO_FIFO) {
            if (!wait_for_reader(s))
                return SL_IO_STOPPED;
        } else {
            s->error = errno;
            if (!is_socket(s))
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
    if (s->fd >= 0 && is_socket(s) && peer_is_gone(s))
        note_lost(s, 0, 0);
    if (s->fd >= 0 && s->binding->kind == SL_IO_FILE && !s->fd_shared)
        close_file(s);
    if (s->binding->kind != SL_IO_FIFO || s->fd < 0 || !reopen(s, O_WRONLY))
        return 0;
    for (;;) {
        int left = 0;
        if (ioctl(s->fd, FIONREAD, &left) || left <= 0 || has_reader(s))
            return 0;
        if (wait_for(s, -1, 0, LOOK_MS) < 0)
            return (size_t)left;
    }
}
