/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: a stream belongs to its thread. */
#include "fpga/stream/io_engine.h"

#include <time.h>

#include "fpga/stream/engine.h"
#include "fpga/stream/io_error.h"
#include "fpga/stream/io_open.h"
#include "sluice/base/wait.h"

static const char *engine_name(const struct sl_io_binding *b)
{
    return b->kind == SL_IO_MPI ? "mpi" : b->kind == SL_IO_UCX ? "ucx" : NULL;
}

bool sl_io_has_engine(const struct sl_io_binding *b)
{
    return engine_name(b) != NULL;
}

/* What its kernel may write while as much as the reader's pipe holds, and a MiB at least, is on its
 * way from there. Not more: all of them are gone through in turn, and what is in no cache any more
 * costs more than to wait. Small packets are copied in no time, as are those that do not end with a
 * page. */
uint64_t sl_io_engine_slots(const struct sl_io_binding *b, const struct sl_engine_pipe *pipe)
{
    const uint64_t page = 4096, least = 1 << 20, most = 32 << 20, each = pipe->packet_bytes;
    uint64_t depth = pipe->depth, count = 1;
    if (b->kind != SL_IO_UCX || each % page || depth > most / each)
        return 0;
    uint64_t away = depth > least / each ? depth : least / each;
    while (count < depth + away)
        count *= 2;
    return count <= most / each ? count : 0;
}

bool sl_io_engine_open(struct sl_io_stream *s, const struct sl_engine_pipe *shape,
                       void (*flush)(void), char *why, size_t why_bytes)
{
    const struct sl_io_binding *b = s->binding;
    struct sl_engine_pipe pipe = *shape;
    pipe.target = b->target;
    pipe.input = s->input;
    pipe.listen = b->listen;
    s->engine = sl_engine_load(engine_name(b), flush, why, why_bytes);
    if (s->engine)
        s->engine_end = s->engine->open(&pipe, why, why_bytes);
    s->ended = !s->engine_end;
    s->error = s->ended ? SL_IO_NO_ENGINE : 0;
    return !s->ended;
}

static void note_unread(struct sl_io_stream *s)
{
    if (s->engine_end && s->engine->unread && s->unread)
        s->engine->unread(s->engine_end, s->unread(s->data));
}

static void note_trouble(struct sl_io_stream *s)
{
    bool any = s->engine_end && s->engine->trouble &&
               s->engine->trouble(s->engine_end, s->trouble, sizeof s->trouble);
    s->error = any ? SL_IO_NO_ENGINE : 0;
}

static enum sl_io_result end(struct sl_io_stream *s)
{
    note_trouble(s);
    s->ended = true;
    s->error = SL_IO_NO_ENGINE;
    return SL_IO_ENDED;
}

/* What goes on as it is needs no word: only who waits for long, and why if that is news. */
static bool wait_for(struct sl_io_stream *s)
{
    int before = s->error;
    note_trouble(s);
    if (s->input)
        note_unread(s);
    if (s->waits && (!s->told || s->error != before))
        s->waits(s->data);
    s->told = true;
    return s->rests ? s->rests(s->data) : s->engine->wait(s->engine_end, s->stop, -1);
}

enum sl_io_result sl_io_engine_read(struct sl_io_stream *s, void *to, size_t bytes, size_t *got,
                                    bool *fresh)
{
    for (;;) {
        ptrdiff_t moved = s->ended ? SL_ENGINE_ENDED : s->engine->read(s->engine_end, to, bytes);
        if (moved == SL_ENGINE_ENDED)
            return end(s);
        *fresh |= moved == SL_ENGINE_GONE;
        *got = moved > 0 ? (size_t)moved : 0;
        if (moved > 0)
            s->told = false;
        else if (!wait_for(s))
            return SL_IO_STOPPED;
        if (moved > 0 || s->rests)
            return SL_IO_SOME;
    }
}

/* The connection has ended: a packet that it cut in two is sent again, whole. */
static void begin_again(struct sl_io_stream *s, size_t packet_bytes)
{
    uint64_t left = s->engine->undelivered(s->engine_end);
    uint64_t cut = s->done % packet_bytes;
    if (left > cut && s->lost)
        s->lost(s->data, 0, left - cut);
    s->done -= cut;
}

enum sl_io_result sl_io_engine_write(struct sl_io_stream *s, const void *from, size_t bytes,
                                     size_t packet_bytes)
{
    const char *data = from;
    while (s->done < bytes) {
        ptrdiff_t moved = s->ended
                              ? SL_ENGINE_ENDED
                              : s->engine->write(s->engine_end, data + s->done, bytes - s->done);
        if (moved == SL_ENGINE_ENDED)
            return end(s);
        if (moved == SL_ENGINE_GONE)
            begin_again(s, packet_bytes);
        sl_io_note_peer(s, s->engine->has_peer(s->engine_end));
        if (moved > 0) {
            s->done += (size_t)moved;
            s->told = false;
        } else if (!wait_for(s)) {
            return SL_IO_STOPPED;
        } else if (s->rests) {
            return SL_IO_WAITED;
        }
    }
    s->done = 0;
    return SL_IO_SOME;
}

int sl_io_engine_idle(struct sl_io_stream *s, int *ms)
{
    *ms = -1;
    if (!s->engine_end || !s->engine->idle)
        return -1;
    if (s->input)
        note_unread(s);
    return s->engine->idle(s->engine_end, ms);
}

void sl_io_engine_end_input(struct sl_io_stream *s)
{
    note_unread(s);
}

/* As long as the peer goes on taking what was sent, and a moment more: nobody else keeps it. */
size_t sl_io_engine_leave(struct sl_io_stream *s)
{
    const uint64_t patience_ns = 200000000;
    const struct timespec moment = {.tv_nsec = 1000000};
    uint64_t least = UINT64_MAX, left = 0, since = sl_clock_ns();
    while (s->engine_end && (left = s->engine->undelivered(s->engine_end)) &&
           (left < least || sl_clock_ns() - since < patience_ns)) {
        since = left < least ? sl_clock_ns() : since;
        least = left < least ? left : least;
        nanosleep(&moment, NULL);
    }
    if (left && s->engine->part)
        left = s->engine->part(s->engine_end);
    return (size_t)left;
}
