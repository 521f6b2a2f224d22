/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: a stream belongs to its thread. */
#include "fpga/stream/io_open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fpga/stream/io_engine.h"
#include "fpga/stream/io_error.h"
#include "fpga/stream/io_follow.h"
#include "fpga/stream/io_lookup.h"
#include "sluice/base/file.h"

enum {
    PROMPT_MS = 20,   /* what it takes to look up a name, as a rule */
    ANSWER_MS = 1000, /* until it is said that there is no answer */
};

/* ---- waiting --------------------------------------------------------------------------------- */

int sl_io_wait_for(const struct sl_io_stream *s, int fd, short events, int timeout_ms)
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

void sl_io_note_peer(struct sl_io_stream *s, bool there)
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
    if (!s->binding->listen || sl_io_has_engine(s->binding))
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
    if (sl_io_wait_for(s, s->listener, POLLIN, -1) < 0)
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
        if (sl_io_wait_for(s, fd, POLLOUT, -1) < 0) {
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

bool sl_io_is_socket(const struct sl_io_stream *s)
{
    return s->binding->kind == SL_IO_UNIX || s->binding->kind == SL_IO_TCP;
}

static int open_once(struct sl_io_stream *s)
{
    if (!sl_io_is_socket(s))
        return open_path(s);
    return s->binding->listen ? accept_next(s) : connect_to(s);
}

/* A file that cannot be opened, or an address that cannot be listened at, does not get better by
 * waiting; a file to be followed may come, and one more peer or thread, and who knows names. */
static bool is_hopeless(const struct sl_io_stream *s)
{
    const struct sl_io_binding *b = s->binding;
    bool may_come = b->follow && s->input && errno == ENOENT;
    bool passes = errno == EINTR || errno == ECONNABORTED ||
                  (b->listen && (errno == EAGAIN || errno == SL_IO_NO_ANSWER));
    return !passes && ((b->kind == SL_IO_FILE && !may_come) || b->listen);
}

/* A file that is written and taken away again before anybody has opened it is lost: readers that
 * follow are there at once. */
static bool begins_watch(struct sl_io_stream *s)
{
    if (!s->binding->follow || !s->input || s->watch >= 0)
        return false;
    s->watch = sl_io_follow_watch(s->binding->target);
    return s->watch >= 0;
}

static void end_watch(struct sl_io_stream *s)
{
    if (s->watch >= 0)
        close(s->watch);
    s->watch = -1;
}

enum sl_io_result sl_io_open(struct sl_io_stream *s)
{
    bool was_open = s->fd >= 0;
    while (s->fd < 0) {
        sl_io_note_peer(s, false);
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
        if (begins_watch(s))
            continue; /* what came before */
        if (sl_io_wait_for(s, s->watch, POLLIN, SL_IO_RETRY_MS) < 0)
            return SL_IO_STOPPED;
        sl_io_follow_seen(s->watch);
    }
    if (!was_open)
        end_watch(s); /* it knows the folder, not the file */
    s->error = 0;
    return SL_IO_SOME;
}
