/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O pipes. io->lock guards the OS pipes of pipe:NAME bindings, which last as long as the device,
 * since the two programs at their ends come and go on their own, and what was logged of the
 * setting. An end belongs to its thread.
 */
#include "fpga/io/io_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/base/values.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/stream/io_error.h"

enum {
    STRETCH_BYTES = 256 << 10, /* moved at once */
    LAST_WRITES_MS = 200,
    LOOK_AGAIN_MS = 1, /* where the system has no barrier to sleep behind */
};

struct pair {   /* an OS pipe between two I/O pipes */
    char *name; /* owned */
    int fds[2];
    uint32_t readers; /* ends of loaded programs */
};

struct sl_io {
    const struct sl_host_ops *host;
    const char *topic;
    pthread_mutex_t lock;
    char **told; /* owned: faults that were said */
    size_t told_count;
    struct pair *pairs; /* owned */
    size_t pair_count;
};

/* ---- the device's bindings ------------------------------------------------------------------- */

int sl_io_create(const struct sl_host_ops *host, const char *topic, struct sl_io **out)
{
    struct sl_io *io = calloc(1, sizeof *io);
    if (!io)
        return SL_OUT_OF_HOST_MEMORY;
    io->host = host;
    io->topic = topic;
    pthread_mutex_init(&io->lock, NULL);
    struct sl_io_bindings now;
    sl_io_read(io, &now);
    sl_io_bindings_finish(&now);
    *out = io;
    return 0;
}

/* It is news, and is not from now on. */
static bool is_news_locked(struct sl_io *io, const char *text)
{
    for (size_t i = 0; i < io->told_count; i++)
        if (!strcmp(io->told[i], text))
            return false;
    char **told = realloc(io->told, (io->told_count + 1) * sizeof *told);
    if (told)
        io->told = told;
    if (told && (told[io->told_count] = strdup(text)))
        io->told_count++;
    return true;
}

static void say_once(struct sl_io *io, const char *text)
{
    pthread_mutex_lock(&io->lock);
    bool news = is_news_locked(io, text);
    pthread_mutex_unlock(&io->lock);
    if (news)
        io->host->log(SL_LOG_ERROR, SL_LOG_IO, "SLUICE_FPGA_IO: %s", text);
}

void sl_io_read(struct sl_io *io, struct sl_io_bindings *bindings)
{
    sl_io_bindings_read(bindings, io->host->config("SLUICE_FPGA_IO"));
    char *copy = strdup(bindings->fault), *at = copy;
    for (char *line; at && (line = strsep(&at, "\n"));)
        if (*line)
            say_once(io, line);
    bindings->starved |= !copy;
    free(copy);
}

void sl_io_destroy(struct sl_io *io)
{
    if (!io)
        return;
    for (size_t i = 0; i < io->pair_count; i++) {
        close(io->pairs[i].fds[0]);
        close(io->pairs[i].fds[1]);
        free(io->pairs[i].name);
    }
    free(io->pairs);
    for (size_t i = 0; i < io->told_count; i++)
        free(io->told[i]);
    free(io->told);
    pthread_mutex_destroy(&io->lock);
    free(io);
}

static struct pair *find_pair_locked(struct sl_io *io, const char *name)
{
    size_t i = 0;
    while (i < io->pair_count && strcmp(io->pairs[i].name, name))
        i++;
    return i < io->pair_count ? &io->pairs[i] : NULL;
}

static struct pair *add_pair_locked(struct sl_io *io, const char *name)
{
    struct pair *pairs = realloc(io->pairs, (io->pair_count + 1) * sizeof *pairs), *pair;
    char *copy = strdup(name);
    if (pairs)
        io->pairs = pairs;
    pair = pairs && copy ? &pairs[io->pair_count] : NULL;
    if (!pair || pipe2(pair->fds, O_CLOEXEC | O_NONBLOCK)) {
        free(copy);
        return NULL;
    }
    pair->name = copy;
    pair->readers = 0;
    io->pair_count++;
    return pair;
}

/* The descriptor of one side of the OS pipe `name`, -1: none can be had. */
static int pair_end(struct sl_io *io, const char *name, bool input)
{
    pthread_mutex_lock(&io->lock);
    struct pair *pair = find_pair_locked(io, name);
    if (!pair)
        pair = add_pair_locked(io, name);
    int fd = pair ? pair->fds[!input] : -1;
    if (pair && input)
        pair->readers++;
    pthread_mutex_unlock(&io->lock);
    return fd;
}

static void leave_pair(struct sl_io *io, const char *name)
{
    pthread_mutex_lock(&io->lock);
    find_pair_locked(io, name)->readers--;
    pthread_mutex_unlock(&io->lock);
}

/* ---- the thread ------------------------------------------------------------------------------ */

void sl_io_note(const struct sl_io_end *end, int level, const char *what, const char *why)
{
    end->io->host->log(level, SL_LOG_IO, "I/O pipe %s (\"%s\"): %s%s%s", end->info->name,
                       end->binding ? end->binding->row : end->info->io, what, why ? ": " : "",
                       why ? why : "");
}

static void note_error(const struct sl_io_end *end, const char *what, int error)
{
    char text[96];
    sl_io_note(end, SL_LOG_ERROR, what, sl_io_error_text(error, text, sizeof text));
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

/* Of an OS pipe: some program has the I/O pipe at its other side. */
static bool stream_is_read(void *data)
{
    const struct sl_io_end *end = data;
    pthread_mutex_lock(&end->io->lock);
    const struct pair *pair = find_pair_locked(end->io, end->info->io);
    bool read = !pair || pair->readers;
    pthread_mutex_unlock(&end->io->lock);
    return read;
}

/* Until the kernel has made room or written something; false: the end is to stop. */
static bool wait_for_kernel(struct sl_io_end *end)
{
    uint64_t count;
    bool told = true;
    if (sl_pipe_await(end->pipe, end->input, &told))
        return true;
    struct pollfd fds[] = {{.fd = end->stop, .events = POLLIN},
                           {.fd = end->changed, .events = POLLIN}};
    while (poll(fds, 2, told ? -1 : LOOK_AGAIN_MS) < 0 && errno == EINTR)
        ;
    if (fds[1].revents && read(end->changed, &count, sizeof count) < 0)
        return true;
    return !fds[0].revents;
}

static void changed(void *data)
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

/* Where packets are going to be: mapped room of which `filled` bytes are there. */
struct room {
    char *at;
    size_t left, filled;
};

static void take_in(struct sl_io_end *end, struct room *room, size_t got, bool fresh)
{
    if (fresh && room->filled) {
        drop_cut(end, room->filled);
        memmove(room->at, room->at + room->filled, got);
        room->filled = 0;
    }
    room->filled += got;
    size_t whole = room->filled - room->filled % end->info->packet_bytes;
    if (!whole)
        return;
    sl_pipe_unmap(end->pipe, true, whole);
    room->at += whole;
    room->left -= whole;
    room->filled -= whole;
}

static void run_input(struct sl_io_end *end)
{
    struct room room = {0};
    enum sl_io_result result = SL_IO_SOME;
    while (result == SL_IO_SOME) {
        size_t got;
        bool fresh;
        if (!room.left)
            room.at = sl_pipe_map(end->pipe, true, STRETCH_BYTES, &room.left);
        if (!room.at) {
            if (!wait_for_kernel(end))
                return;
            continue;
        }
        result = sl_io_stream_read(&end->stream, room.at + room.filled, room.left - room.filled,
                                   &got, &fresh);
        if (result == SL_IO_SOME)
            take_in(end, &room, got, fresh);
        if (!room.left)
            room.at = NULL;
    }
    if (result == SL_IO_STOPPED)
        return;
    drop_cut(end, room.filled);
    if (end->stream.error && !end->doubted)
        note_error(end, "cannot be read", end->stream.error);
    sl_pipe_at_end(end->pipe);
}

/* What is there now, at most so many packets, or was already when writing was interrupted; false
 * when it cannot be written. */
static bool write_out(struct sl_io_end *end, uint64_t packets, bool *any)
{
    const size_t each = end->info->packet_bytes;
    if (!end->from)
        end->from = sl_pipe_map(end->pipe, false,
                                packets < STRETCH_BYTES / each ? packets * each : STRETCH_BYTES,
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
    return result == SL_IO_SOME;
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
        sl_io_note(end, SL_LOG_ERROR, text, sl_io_error_text(end->stream.error, why, sizeof why));
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

/* True: it is to stop. */
static bool wait_to_stop(const struct sl_io_end *end, int ms)
{
    struct pollfd stop = {.fd = end->stop, .events = POLLIN};
    return poll(&stop, 1, ms) > 0;
}

/* Nothing can be written any more, and no kernel shall wait for that. */
static void turn_away(struct sl_io_end *end)
{
    enum { LEAST_MS = 5, MOST_MS = 320 };
    const struct sl_pipe_ring *ring = end->info->ring;
    uint64_t seen = 0;
    for (int ms = LEAST_MS; !wait_to_stop(end, ms);) {
        uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
        ms = tail != seen ? LEAST_MS : ms < MOST_MS ? 2 * ms : ms;
        seen = tail;
        sl_io_refuse_writers(end);
    }
}

static void run_output(struct sl_io_end *end)
{
    bool any, fine = true;
    while (fine && !wait_to_stop(end, 0)) {
        fine = write_out(end, UINT64_MAX, &any);
        if (fine && !any && !wait_for_kernel(end))
            break;
    }
    if (end->failed) {
        sl_pipe_at_end(end->pipe);
        turn_away(end);
    }
    write_last(end);
    atomic_store_explicit(&end->done, true, memory_order_release);
}

static void *run(void *data)
{
    struct sl_io_end *end = data;
    sl_io_stream_listen(&end->stream);
    if (end->stream.error)
        note_error(end, "nobody can connect", end->stream.error);
    end->told = end->stream.error;
    sem_post(&end->begun);
    if (end->input)
        run_input(end);
    else
        run_output(end);
    return NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int start_thread(struct sl_io_end *end)
{
    end->thread = (struct sl_thread){.name = SL_THREAD_PREFIX "io", .run = run, .data = end};
    int rc = sl_thread_start(&end->thread);
    while (!rc && sem_wait(&end->begun)) /* EINTR */
        ;
    return rc ? SL_OUT_OF_RESOURCES : 0;
}

void sl_io_end_hold(struct sl_io_end *end)
{
    atomic_fetch_add_explicit(&end->refs, 1, memory_order_relaxed);
}

void sl_io_end_drop(struct sl_io_end *end)
{
    if (atomic_fetch_sub_explicit(&end->refs, 1, memory_order_acq_rel) != 1)
        return;
    /* What the cluster's thread did with it is over, and shall be seen to be. */
    pthread_mutex_lock(&end->lock);
    pthread_mutex_unlock(&end->lock);
    pthread_mutex_destroy(&end->lock);
    free(end);
}

static void finish(struct sl_io_end *end)
{
    if (end->input && end->stream.fd_shared)
        leave_pair(end->io, end->binding->target);
    sl_io_stream_finish(&end->stream);
    if (end->stop >= 0)
        close(end->stop);
    if (end->changed >= 0)
        close(end->changed);
    sem_destroy(&end->begun);
    sl_io_end_drop(end);
}

static int open_stream(struct sl_io_end *end)
{
    const struct sl_io_bindings *bindings = end->bindings;
    const struct sl_io_binding *binding = sl_io_binding_of(bindings, end->info->io);
    int fd = -1;
    end->row = binding ? binding->row : NULL;
    if (!binding) {
        end->writes_pair = (struct sl_io_binding){.kind = SL_IO_PIPE, .target = NULL};
        binding = &end->writes_pair;
    }
    if (binding->kind == SL_IO_PIPE) {
        for (size_t i = 0; i < bindings->count; i++) {
            const struct sl_io_binding *row = &bindings->rows[i];
            bool meant = end->input
                             ? row == binding
                             : row->kind == SL_IO_PIPE && !strcmp(row->target, end->info->io);
            if (!meant)
                continue;
            fd = pair_end(end->io, row->target, end->input);
            end->row = row->row;
        }
        if (fd < 0)
            return SL_OUT_OF_RESOURCES;
    }
    sl_io_stream_init(&end->stream, binding, end->input, end->stop, fd);
    end->stream.waits = stream_waits;
    end->stream.lost = stream_lost;
    end->stream.peer = stream_peer;
    end->stream.is_read = end->stream.fd_shared ? stream_is_read : NULL;
    end->stream.data = end;
    return 0;
}

/* An option for the other direction changes nothing; with follow, append is for both. */
static void check_options(const struct sl_io_end *end)
{
    char text[512];
    const struct sl_io_binding *b = end->binding;
    const char *option = NULL;
    if (b && end->input && b->append && !b->follow)
        option = "append";
    if (b && !end->input && b->loop)
        option = "loop";
    if (!option)
        return;
    snprintf(text, sizeof text, "\"%s\": %s is for what kernels %s, and they %s '%s': ignored",
             b->row, option, end->input ? "write" : "read", end->input ? "read" : "write",
             end->info->io);
    say_once(end->io, text);
}

/* As things are now; who cannot be reached yet may be reached later, and so is tried. */
static void check(struct sl_io_end *end)
{
    char why[128], text[512];
    const struct sl_io_binding *binding = end->binding;
    check_options(end);
    end->doubted = binding && !sl_io_binding_check(binding, end->input, why, sizeof why);
    if (!end->doubted)
        return;
    snprintf(text, sizeof text, "\"%s\": %s", binding->row, why);
    say_once(end->io, text);
}

static int start(struct sl_io_end *end)
{
    end->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    end->changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (end->stop < 0 || end->changed < 0)
        return SL_OUT_OF_RESOURCES;
    check(end);
    int rc = open_stream(end);
    if (rc)
        return rc;
    sl_pipe_listen(end->pipe, changed, end);
    return start_thread(end);
}

/* Nothing ever comes or goes. What kernels write is to be counted. */
static void leave_unbound(struct sl_io_end *end)
{
    end->io->host->log(SL_LOG_WARN, end->io->topic,
                       "I/O pipe %s: \"%s\" is not bound (SLUICE_FPGA_IO): %s", end->info->name,
                       end->info->io, end->input ? "nothing will come" : "nothing will leave");
    sl_pipe_at_end(end->pipe);
    end->unbound = true;
}

/* pipe:OTHER says where packets come from; those of an output do not go there. */
static bool leads_nowhere(const struct sl_io_end *end)
{
    char text[512];
    if (end->input || !end->binding || end->binding->kind != SL_IO_PIPE ||
        sl_io_is_source(end->bindings, end->info->io))
        return false;
    snprintf(text, sizeof text, "\"%s\": pipe is for what kernels read, and they write to '%s'",
             end->binding->row, end->info->io);
    say_once(end->io, text);
    return true;
}

int sl_io_attach(struct sl_io *io, const struct sl_io_bindings *bindings, struct sl_design *design,
                 struct sl_pipe *pipe, const struct sl_pipe_info *info, struct sl_io_end **out)
{
    struct sl_io_end *end = calloc(1, sizeof *end);
    int rc = 0;
    *out = NULL;
    if (!end)
        return SL_OUT_OF_HOST_MEMORY;
    *end = (struct sl_io_end){.io = io,
                              .bindings = bindings,
                              .design = design,
                              .pipe = pipe,
                              .info = info,
                              .input = info->reader >= 0,
                              .binding = sl_io_binding_of(bindings, info->io),
                              .stop = -1,
                              .changed = -1};
    atomic_init(&end->refs, 1);
    pthread_mutex_init(&end->lock, NULL);
    sem_init(&end->begun, 0, 0);
    end->stream.fd = end->stream.listener = end->stream.watch = -1;
    if (sl_io_is_bound(bindings, info->io) && !leads_nowhere(end))
        rc = start(end);
    else
        leave_unbound(end);
    if (rc || (end->unbound && end->input)) {
        sl_pipe_listen(pipe, NULL, NULL);
        finish(end);
        return rc;
    }
    if (!end->input)
        sl_io_enlist(end);
    *out = end;
    return 0;
}

void sl_io_stop(struct sl_io_end *end)
{
    uint64_t one = 1;
    if (end && !end->stopped && !end->unbound)
        end->stopped = write(end->stop, &one, sizeof one) == sizeof one;
}

void sl_io_detach(struct sl_io_end *end)
{
    if (!end)
        return;
    if (!end->input)
        sl_io_delist(end);
    sl_io_stop(end);
    if (end->stopped)
        pthread_join(end->thread.id, NULL);
    if (end->unbound)
        sl_io_note_lost(end, UINT64_MAX, 0);
    sl_pipe_listen(end->pipe, NULL, NULL);
    finish(end);
}
