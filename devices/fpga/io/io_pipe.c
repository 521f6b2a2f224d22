/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes: how their ends come and go. */
#include "fpga/io/io_pipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/base/values.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_end.h"
#include "fpga/io/io_shared.h"
#include "fpga/stream/engine.h"
#include "fpga/stream/io_engine.h"
#include "fpga/stream/shm_ring.h"
#include "sluice/movable_slots.h"

static bool is_shm(const struct sl_io_end *end)
{
    return end->binding && end->binding->kind == SL_IO_SHM;
}

static int start_thread(struct sl_io_end *end)
{
    end->thread = (struct sl_thread){
        .name = SL_THREAD_PREFIX "io", .run = is_shm(end) ? sl_io_run_shm : sl_io_run, .data = end};
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
        sl_io_pair_leave(end->io, end->binding->target);
    sl_io_stream_finish(&end->stream);
    if (end->stop >= 0)
        close(end->stop);
    if (end->changed >= 0)
        close(end->changed);
    sem_destroy(&end->begun);
    sl_io_end_drop(end);
}

static void open_engine(struct sl_io_end *end)
{
    char why[512] = "", text[768];
    const struct sl_pipe_info *info = end->info;
    struct sl_engine_pipe pipe = {.packet_bytes = info->packet_bytes, .depth = info->ring->depth};
    if (info->flags & SL_PIPE_MORE_SLOTS)
        pipe.slot_count = sl_io_engine_slots(end->stream.binding, &pipe);
    if (pipe.slot_count > info->ring->mask + 1)
        pipe.slots = sl_pipe_set_apart(end->pipe, pipe.slot_count);
    end->doubted = !sl_io_engine_open(&end->stream, &pipe, sl_io_write_rest, why, sizeof why);
    snprintf(text, sizeof text, "\"%s\": %s", end->binding->row, why);
    if (end->doubted)
        sl_io_say_once(end->io, text);
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
            fd = sl_io_pair_end(end->io, row->target, end->input);
            end->row = row->row;
        }
        if (fd < 0)
            return SL_OUT_OF_RESOURCES;
    }
    sl_io_stream_init(&end->stream, binding, end->input, end->stop, fd);
    if (sl_io_has_engine(binding))
        open_engine(end);
    sl_io_watch_stream(end);
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
    sl_io_say_once(end->io, text);
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
    sl_io_say_once(end->io, text);
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
    sl_pipe_listen(end->pipe, sl_io_changed, end);
    if (end->stream.engine_end && end->stream.engine->busy)
        sl_pipe_poll_by(end->pipe, sl_io_poll, end);
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
    sl_io_say_once(end->io, text);
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
        sl_pipe_poll_by(pipe, NULL, NULL);
        sl_pipe_listen(pipe, NULL, NULL);
        finish(end);
        return rc;
    }
    end->listed = !end->input || is_shm(end) || end->stream.engine_end;
    if (end->listed)
        sl_io_enlist(end);
    *out = end;
    return 0;
}

void sl_io_stop(struct sl_io_end *end)
{
    uint64_t one = 1;
    if (end && !end->stopped && !end->unbound)
        end->stopped = write(end->stop, &one, sizeof one) == sizeof one;
    if (end && end->stopped && end->shm)
        sl_shm_ring_bell(end->shm);
}

void sl_io_detach(struct sl_io_end *end)
{
    if (!end)
        return;
    if (end->listed)
        sl_io_delist(end);
    sl_io_stop(end);
    if (end->stopped)
        pthread_join(end->thread.id, NULL);
    if (end->unbound)
        sl_io_note_lost(end, UINT64_MAX, 0);
    sl_pipe_poll_by(end->pipe, NULL, NULL);
    sl_pipe_listen(end->pipe, NULL, NULL);
    finish(end);
}

/* ---- words ----------------------------------------------------------------------------------- */

bool sl_io_has_words(const struct sl_io_end *end)
{
    return end->stream.engine_end && end->stream.engine->tell;
}

bool sl_io_is_input(const struct sl_io_end *end)
{
    return end->input;
}

void sl_io_tell(struct sl_io_end *end, const void *word, size_t bytes)
{
    end->stream.engine->tell(end->stream.engine_end, word, bytes);
}

size_t sl_io_hear(struct sl_io_end *end, void *word, size_t bytes)
{
    return end->stream.engine->hear(end->stream.engine_end, word, bytes);
}

void sl_io_name_self(struct sl_io_end *end, char *name, size_t bytes)
{
    end->stream.engine->name_self(name, bytes);
}
