/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes by UCX: ucx:HOST:PORT[,listen]. What streams call (engine.h). */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "sluice/base/wait.h"
#include "ucx/ucx_end.h"

enum { LEAST_WINDOW = 1 << 20, MOST_WINDOW = 16 << 20, EAGER = 256, IDLE_MS = 20, HURRY_MS = 2 };
enum { DRAIN_MS = 10, BLIND = 16, LITTLE = 4096 };
static const uint64_t ns_per_ms = 1000000;

/* ---- coming and going ------------------------------------------------------------------------ */

static void free_end(struct sl_engine_end *end)
{
    if (end->listener)
        ucp_listener_destroy(end->listener);
    if (end->worker)
        ucp_worker_destroy(end->worker);
    pthread_mutex_destroy(&end->lock);
    if (!end->input)
        ucx_free_kept(end);
    if (end->wakeup >= 0)
        close(end->wakeup);
    free(end->rest.at);
    free(end->target);
    free(end);
}

/* Room for what two pipes hold, within limits; a whole number of packets. */
static size_t window_of(const struct sl_engine_pipe *pipe)
{
    const uint64_t most =
        4 * pipe->packet_bytes > MOST_WINDOW ? 4 * pipe->packet_bytes : MOST_WINDOW;
    uint64_t bytes = 2 * pipe->depth * pipe->packet_bytes;
    bytes = bytes < LEAST_WINDOW ? LEAST_WINDOW : bytes > most ? most : bytes;
    return (size_t)(bytes + pipe->packet_bytes - bytes % pipe->packet_bytes);
}

static const char *begin_end(struct sl_engine_end *end, const struct sl_engine_pipe *pipe)
{
    end->packet_bytes = pipe->packet_bytes;
    end->window = end->own_window = window_of(pipe);
    end->slots = pipe->slots;
    end->slot_bytes = pipe->slots ? pipe->slot_count * pipe->packet_bytes : 0;
    end->target = strdup(pipe->target);
    if (getrandom(&end->self, sizeof end->self, 0) != sizeof end->self)
        return "no random numbers";
    if (!end->target || (!end->input && !ucx_make_kept(end, pipe->depth * pipe->packet_bytes)))
        return "no memory";
    const char *fault = ucx_new_worker(end);
    if (!fault)
        fault = ucx_hear(end);
    if (!fault && end->listen && !ucx_listen(end))
        fault = end->trouble;
    return fault;
}

static struct sl_engine_end *open_end(const struct sl_engine_pipe *pipe, char *why,
                                      size_t why_bytes)
{
    struct sl_engine_end *end = calloc(1, sizeof *end);
    if (end) {
        end->input = pipe->input;
        end->listen = pipe->listen;
        end->wakeup = -1;
        pthread_mutex_init(&end->lock, NULL);
    }
    const char *fault = end ? begin_end(end, pipe) : "no memory";
    if (!fault) {
        ucx_enlist(end);
        return end;
    }
    snprintf(why, why_bytes, "%s", fault);
    if (end)
        free_end(end);
    return NULL;
}

static void close_end(struct sl_engine_end *end)
{
    ucx_delist(end);
    pthread_mutex_lock(&end->lock);
    bool over = end->over;
    if (!over) {
        end->arrived = end->input ? end->handed : end->arrived;
        ucx_part(end);
        ucx_disconnect(end);
        for (unsigned i = 0; i < end->waiting_count; i++)
            ucp_listener_reject(end->listener, end->waiting[i]);
    }
    pthread_mutex_unlock(&end->lock);
    if (!over) /* else it stays: its thread's memory goes with the process */
        free_end(end);
}

/* ---- moving ---------------------------------------------------------------------------------- */

static size_t room_of(const struct sl_engine_end *end)
{
    return end->window - end->spare - (size_t)(end->written - end->first);
}

/* To ask what has come costs more than to send a little, and can wait while there is room. */
static bool is_time(struct sl_engine_end *end, size_t bytes)
{
    return bytes > LITTLE || !end->joined || end->broken || end->sends || ++end->blind > BLIND ||
           room_of(end) < bytes;
}

static void keep(struct sl_engine_end *end, const char *from, size_t bytes)
{
    size_t at = end->written % end->window, behind = end->window - at;
    if (end->in_place)
        return; /* it is there */
    behind = behind < bytes ? behind : bytes;
    memcpy(end->kept + at, from, behind);
    memcpy(end->kept, from + behind, bytes - behind);
}

static ptrdiff_t write_locked(struct sl_engine_end *end, const char *from, size_t bytes)
{
    if (is_time(end, bytes)) {
        ucx_pump(end);
        end->blind = 0;
    }
    if (end->refused)
        return SL_ENGINE_ENDED;
    size_t room = room_of(end);
    bytes = bytes < room ? bytes : room;
    if (!end->joined || end->broken || !bytes)
        return SL_ENGINE_LATER;
    keep(end, from, bytes);
    end->written += bytes;
    ucx_push(end);
    if (end->sends)
        ucx_pump(end);
    return (ptrdiff_t)bytes;
}

/* A writer that leaves waits for who goes on taking. A kernel that takes all there is never
 * settles, which is when it would be told. */
static bool is_time_to_tell(const struct sl_engine_end *end)
{
    enum { SOON_MS = 5 };
    return end->arrived != end->told_arrived && sl_clock_ns() - end->told_ns > SOON_MS * ns_per_ms;
}

/* To ask what else there is costs more than to read a little. */
static ptrdiff_t read_shared(struct sl_engine_end *end, char *to, size_t bytes)
{
    end->arrived = end->handed;
    size_t now = ucx_read_shared(end, to, bytes);
    if (now && now <= LITTLE && ++end->blind < BLIND)
        return (ptrdiff_t)now;
    end->blind = 0;
    ucx_pump(end);
    ucx_tell_taken(end, is_time_to_tell(end));
    if (!now && !end->gone && end->sharing == UCX_SHARED && ucx_has_begun(end))
        now = ucx_read_shared(end, to, bytes);
    return (ptrdiff_t)now;
}

static ptrdiff_t read_locked(struct sl_engine_end *end, char *to, size_t bytes)
{
    if (end->gone) {
        end->gone = false;
        return SL_ENGINE_GONE;
    }
    if (end->sharing == UCX_SHARED && ucx_has_begun(end))
        return read_shared(end, to, bytes);
    end->arrived = end->handed;
    size_t now = end->joined && ucx_has_begun(end) ? ucx_take(end, to, bytes) : 0;
    end->into = to + now;
    end->into_bytes = bytes - now;
    ucx_pump(end);
    now = bytes - end->into_bytes;
    end->into_bytes = 0;
    if (!now && end->refused)
        return SL_ENGINE_ENDED;
    ucx_tell_taken(end, is_time_to_tell(end));
    if (!now && !end->gone && end->joined && ucx_has_begun(end))
        now = ucx_take(end, to, bytes);
    return (ptrdiff_t)now;
}

static void note_moved(struct sl_engine_end *end, ptrdiff_t moved)
{
    if (moved > 0 && atomic_load_explicit(&end->idle, memory_order_relaxed))
        atomic_store_explicit(&end->idle, 0, memory_order_relaxed);
}

static bool busy(struct sl_engine_end *end)
{
    pthread_mutex_lock(&end->lock);
    bool busy = !end->over && (end->sends || end->sent < end->written);
    pthread_mutex_unlock(&end->lock);
    return busy;
}

static ptrdiff_t write_end(struct sl_engine_end *end, const void *from, size_t bytes)
{
    pthread_mutex_lock(&end->lock);
    ptrdiff_t moved = end->over ? SL_ENGINE_ENDED : write_locked(end, from, bytes);
    pthread_mutex_unlock(&end->lock);
    note_moved(end, moved);
    return moved;
}

static ptrdiff_t read_end(struct sl_engine_end *end, void *to, size_t bytes)
{
    pthread_mutex_lock(&end->lock);
    ptrdiff_t moved = end->over ? SL_ENGINE_LATER : read_locked(end, to, bytes);
    pthread_mutex_unlock(&end->lock);
    note_moved(end, moved);
    return moved;
}

/* What kernels have read of what was handed on; positions of a writer before are of no use. */
static void note_unread(struct sl_engine_end *end, uint64_t unread)
{
    pthread_mutex_lock(&end->lock);
    uint64_t whole = ucx_whole(end, end->handed);
    end->arrived = end->handed;
    end->held = unread;
    if (whole >= unread && whole - unread > end->used)
        end->used = whole - unread;
    pthread_mutex_unlock(&end->lock);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Ready to sleep, until its descriptor is readable. False: there is something to do. */
static bool settle_locked(struct sl_engine_end *end, bool reads)
{
    ucx_tell_taken(end, true);
    if (ucx_pump(end) || end->gone || (reads && !ucx_may_sleep(end)))
        return false;
    return !end->worker || ucp_worker_arm(end->worker) != UCS_ERR_BUSY || end->sends;
}

/* With much that nobody has room for the reader hears what else there is now and then. */
static bool waits_for_room(struct sl_engine_end *end)
{
    uint64_t now = sl_clock_ns();
    if (end->over || !ucx_is_full(end))
        return false;
    if (now < end->drain_ns)
        return true;
    end->drain_ns = now + DRAIN_MS * ns_per_ms;
    return false;
}

/* Not every step of a connection that is made wakes who waits for it, and by shared memory not
 * every one of what is still to be sent. */
static bool is_in_a_hurry(struct sl_engine_end *end)
{
    enum { LOOKS = 200 };
    if (end->over || !end->ep)
        return false;
    return end->joined ? end->sends != 0 : end->hurry < LOOKS && ++end->hurry;
}

/* Who has something for a successor of its reader looks for one often. */
static int idle_end(struct sl_engine_end *end, int *ms)
{
    pthread_mutex_lock(&end->lock);
    bool waits = waits_for_room(end);
    for (int i = 0; i < EAGER && !waits && !end->over && !settle_locked(end, false); i++)
        ;
    waits |= ucx_is_full(end);
    int wakeup = end->over || waits ? -1 : end->wakeup;
    bool looks = !end->over && !end->refused && !end->ep && !end->listener;
    *ms = waits                                ? DRAIN_MS
          : is_in_a_hurry(end)                 ? HURRY_MS
          : looks && end->written > end->first ? UCX_RETRY_MS
                                               : IDLE_MS;
    pthread_mutex_unlock(&end->lock);
    return wakeup;
}

/* Who is not there is tried again; what kernels read meanwhile is told soon. Never for ever: UCX
 * has been seen not to wake who waits for a connection. */
static int patience_ms(struct sl_engine_end *end)
{
    enum { SOON_MS = 5, LATER_MS = 50 };
    unsigned turns = atomic_load_explicit(&end->idle, memory_order_relaxed) - EAGER;
    if (end->over || (!end->ep && !end->listener))
        return UCX_RETRY_MS;
    if (is_in_a_hurry(end))
        return HURRY_MS;
    if (end->input && end->used < end->arrived)
        return turns < 64 ? SOON_MS : LATER_MS;
    return end->joined ? IDLE_MS : UCX_RETRY_MS;
}

static bool wait_end(struct sl_engine_end *end, int stop_fd, int ms)
{
    enum { LOOK = 32 };
    struct pollfd fds[] = {{.fd = stop_fd, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    unsigned idle = atomic_fetch_add_explicit(&end->idle, 1, memory_order_relaxed);
    if (idle < EAGER) {
        sched_yield();
        return idle % LOOK || poll(fds, 1, 0) <= 0;
    }
    pthread_mutex_lock(&end->lock);
    bool settled = end->over || settle_locked(end, end->input);
    int patience = settled ? patience_ms(end) : 0;
    fds[1].fd = end->over ? -1 : end->wakeup;
    pthread_mutex_unlock(&end->lock);
    if (ms >= 0 && (patience < 0 || patience > ms))
        patience = ms;
    return poll(fds, 2, patience) <= 0 || !fds[0].revents;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static bool has_peer(struct sl_engine_end *end)
{
    pthread_mutex_lock(&end->lock);
    bool there = end->joined && !end->broken;
    pthread_mutex_unlock(&end->lock);
    return there;
}

static uint64_t undelivered(struct sl_engine_end *end)
{
    pthread_mutex_lock(&end->lock);
    if (!end->over)
        ucx_pump(end);
    uint64_t bytes = end->written - end->arrived;
    pthread_mutex_unlock(&end->lock);
    return bytes;
}

static uint64_t part(struct sl_engine_end *end)
{
    pthread_mutex_lock(&end->lock);
    ucx_part(end);
    uint64_t bytes = end->written - end->arrived;
    pthread_mutex_unlock(&end->lock);
    return bytes;
}

static bool trouble(struct sl_engine_end *end, char *text, size_t bytes)
{
    pthread_mutex_lock(&end->lock);
    bool any = end->trouble[0] != 0;
    snprintf(text, bytes, "%s", end->trouble);
    pthread_mutex_unlock(&end->lock);
    return any;
}

static void tell(struct sl_engine_end *end, const void *word, size_t bytes)
{
    pthread_mutex_lock(&end->lock);
    if (!end->over)
        ucx_say_news(end, word, bytes);
    pthread_mutex_unlock(&end->lock);
}

static size_t hear(struct sl_engine_end *end, void *word, size_t bytes)
{
    pthread_mutex_lock(&end->lock);
    bytes = end->news_bytes < bytes ? end->news_bytes : bytes;
    memcpy(word, end->news, bytes);
    pthread_mutex_unlock(&end->lock);
    return bytes;
}

static void name_self(char *name, size_t bytes)
{
    char host[32] = "";
    gethostname(host, sizeof host - 1);
    snprintf(name, bytes, "process %d of %s", (int)getpid(), host);
}

static const struct sl_engine engine = {
    .abi = SL_ENGINE_ABI,
    .open = open_end,
    .close = close_end,
    .write = write_end,
    .read = read_end,
    .wait = wait_end,
    .has_peer = has_peer,
    .undelivered = undelivered,
    .unread = note_unread,
    .idle = idle_end,
    .busy = busy,
    .part = part,
    .trouble = trouble,
    .tell = tell,
    .hear = hear,
    .name_self = name_self,
};

__attribute__((visibility("default"))) sl_engine_entry sluice_io_engine;
const struct sl_engine *sluice_io_engine(void (*flush)(void), char *why, size_t why_bytes)
{
    const char *fault = ucx_begin(flush);
    if (fault)
        snprintf(why, why_bytes, "%s", fault);
    return fault ? NULL : &engine;
}
