/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting. `list_lock` guards the list of profiles that exist: those not written when the process
 * ends are written then; a profile's own lock guards its timeline. A forked child has copies of
 * them, which it neither writes nor waits for: whoever held the lock is not there to let it go.
 */
#include "fpga/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/values.h"
#include "common/runtime/scheduler.h"
#include "fpga/ahead/ahead.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile_data.h"
#include "fpga/profile/trace.h"
#include "sluice/base/file.h"
#include "sluice/base/wait.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_profile *list;
static atomic_int owner; /* the process that put the newest profile into the list */
static atomic_uint written;

static void add(sl_count *count, uint64_t n)
{
    atomic_fetch_add_explicit(count, n, memory_order_relaxed);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void warn(const struct sl_design *design, const char *path, const char *why)
{
    design->machine->host->log(SL_LOG_WARN, "setting", "SLUICE_FPGA_PROFILE=%s: %s", path, why);
}

/* Two processes with one name: the file that is there is of a run that ended during this one. */
static void look_for_others(struct sl_profile *profile, const char *path)
{
    struct stat file;
    const struct timespec *since = &profile->started;
    if (since->tv_sec && !stat(path, &file) && S_ISREG(file.st_mode) &&
        (file.st_mtim.tv_sec > since->tv_sec ||
         (file.st_mtim.tv_sec == since->tv_sec && file.st_mtim.tv_nsec > since->tv_nsec)))
        warn(profile->design, path,
             "another process has written it meanwhile, and it is replaced: with %p in the name "
             "each has a file of its own");
    profile->started = (struct timespec){0};
}

/* The first one gets the name as it is, others a number behind it. */
static int write_file(struct sl_profile *profile)
{
    char path[4096], *text;
    if (!profile->number)
        profile->number = atomic_fetch_add_explicit(&written, 1, memory_order_relaxed) + 1;
    if (profile->number == 1)
        snprintf(path, sizeof path, "%s", profile->path);
    else
        snprintf(path, sizeof path, "%s.%u", profile->path, profile->number);
    if (sl_profile_text(profile, &text))
        return SL_OUT_OF_RESOURCES;
    look_for_others(profile, path);
    const char *why = "cannot be written";
    FILE *out = sl_output_stream(path, &why);
    bool bad = !out || fputs(text, out) < 0;
    if (out)
        bad |= fclose(out) != 0;
    if (bad)
        warn(profile->design, path, why);
    free(text);
    return bad ? SL_OUT_OF_RESOURCES : 0;
}

int sl_profile_write(struct sl_profile *profile)
{
    pthread_mutex_lock(&list_lock);
    int rc = write_file(profile);
    pthread_mutex_unlock(&list_lock);
    return rc;
}

static bool is_owner(void)
{
    return atomic_load_explicit(&owner, memory_order_relaxed) == (int)getpid();
}

static void write_rest(void)
{
    if (!is_owner())
        return;
    pthread_mutex_lock(&list_lock);
    for (struct sl_profile *profile = list; profile; profile = profile->next)
        write_file(profile);
    list = NULL;
    pthread_mutex_unlock(&list_lock);
}

/* If it was not yet. Nobody knows which thread is the last one to need the design: at its end the
 * process waits for the file that another one has begun. */
static void write_last(struct sl_profile *profile)
{
    if (!is_owner())
        return;
    pthread_mutex_lock(&list_lock);
    struct sl_profile **at = &list;
    while (*at && *at != profile)
        at = &(*at)->next;
    if (*at) {
        *at = profile->next;
        write_file(profile);
    }
    pthread_mutex_unlock(&list_lock);
}

static void put_into_list(struct sl_profile *profile)
{
    static bool registered;
    pthread_mutex_lock(&list_lock);
    if (!registered)
        registered = !atexit(write_rest);
    atomic_store_explicit(&owner, (int)getpid(), memory_order_relaxed);
    profile->next = list;
    list = profile;
    pthread_mutex_unlock(&list_lock);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_profile(struct sl_profile *profile)
{
    pthread_mutex_destroy(&profile->lock);
    sl_trace_destroy(profile->trace);
    sl_clock_destroy(profile->clock);
    sl_ahead_finish(profile);
    free(profile->path);
    free(profile->kernels);
    free(profile->pipes);
    free(profile->sites);
    free(profile->spans);
    sl_profile_forget_stalls(profile);
    free(profile);
}

static void name_pipes(struct sl_profile *profile, const struct sl_module_info *info)
{
    for (uint32_t i = 0; i < info->pipe_count + SL_PROFILE_ARGUMENTS; i++) {
        struct sl_profile_pipe *pipe = &profile->pipes[i];
        bool known = i < info->pipe_count;
        pipe->writer = known ? sl_ring_kernel(info->pipes[i].ring, SL_PIPE_WRITE) : -1;
        pipe->reader = known ? sl_ring_kernel(info->pipes[i].ring, SL_PIPE_READ) : -1;
    }
}

/* What will not work is told before the run, once. */
static char *path_of(const struct sl_design *design, const char *setting)
{
    static atomic_bool told;
    const char *why;
    char *path = sl_profile_path(setting, &why);
    if (path && why && !atomic_exchange(&told, true))
        warn(design, path, why);
    return path;
}

struct sl_profile *sl_profile_create(struct sl_design *design, const char *path, bool traced)
{
    const struct sl_module_info *info = design->info;
    struct sl_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NULL;
    pthread_mutex_init(&profile->lock, NULL);
    profile->design = design;
    profile->path = path_of(design, path);
    clock_gettime(CLOCK_REALTIME_COARSE, &profile->started);
    profile->start_ns = sl_clock_ns();
    profile->kernels = calloc(info->kernel_count + 1, sizeof *profile->kernels);
    profile->pipes = calloc(info->pipe_count + SL_PROFILE_ARGUMENTS, sizeof *profile->pipes);
    profile->sites = calloc(info->site_count + 1, sizeof *profile->sites);
    profile->spans = calloc(SL_PROFILE_SPANS, sizeof *profile->spans);
    if (!profile->path || !profile->kernels || !profile->pipes || !profile->sites ||
        !profile->spans) {
        free_profile(profile);
        return NULL;
    }
    if (traced)
        profile->trace = sl_trace_create(info->site_count);
    if (info->timing)
        profile->clock = sl_clock_create(info, info->pipe_count + SL_PROFILE_ARGUMENTS,
                                         design->machine->host->config("SLUICE_FPGA_RATES"));
    if (profile->clock && traced && !sl_clock_keep_events(profile->clock))
        sl_clock_lose(profile->clock);
    name_pipes(profile, info);
    sl_ahead_prepare(profile);
    put_into_list(profile);
    return profile;
}

void sl_profile_destroy(struct sl_profile *profile)
{
    if (!profile)
        return;
    write_last(profile);
    free_profile(profile);
}

static void zero(sl_count *count)
{
    atomic_store_explicit(count, 0, memory_order_relaxed);
}

static void clear_kernel(struct sl_profile_kernel *kernel)
{
    zero(&kernel->launches);
    zero(&kernel->ended);
    sl_tally_clear(&kernel->run_ns);
    sl_tally_clear(&kernel->stall_ns);
}

static void clear_pipe(struct sl_profile_pipe *pipe)
{
    for (int op = 0; op < 2; op++) {
        sl_tally_clear(&pipe->moved[op]);
        sl_tally_clear(&pipe->fill[op]);
        sl_tally_clear(&pipe->stalled_ns[op]);
        sl_tally_clear(&pipe->held_ns[op]);
    }
    zero(&pipe->high_water);
}

void sl_profile_clear(struct sl_profile *profile)
{
    const struct sl_module_info *info = profile->design->info;
    pthread_mutex_lock(&list_lock);
    profile->number = 0;
    pthread_mutex_unlock(&list_lock);
    for (uint32_t i = 0; i < info->kernel_count; i++)
        clear_kernel(&profile->kernels[i]);
    for (uint32_t i = 0; i < info->pipe_count + SL_PROFILE_ARGUMENTS; i++)
        clear_pipe(&profile->pipes[i]);
    for (uint32_t i = 0; i < info->site_count; i++) {
        sl_tally_clear(&profile->sites[i].stalls);
        sl_tally_clear(&profile->sites[i].stall_ns);
    }
    if (profile->trace)
        sl_trace_lose(profile->trace);
    if (profile->clock)
        sl_clock_lose(profile->clock);
    pthread_mutex_lock(&profile->lock);
    profile->span_count = 0;
    sl_profile_forget_stalls(profile);
    atomic_store_explicit(&profile->full, false, memory_order_relaxed);
    const uint64_t now = sl_clock_ns();
    atomic_store_explicit(&profile->start_ns, now, memory_order_relaxed);
    sl_busy_clear(&profile->busy, now);
    pthread_mutex_unlock(&profile->lock);
}

/* ---- counting -------------------------------------------------------------------------------- */

static struct sl_profile *profile_of(const struct sl_fiber *fiber)
{
    return fiber->design ? fiber->design->profile : NULL;
}

static uint32_t kernel_row(const struct sl_design *design, const struct sl_kernel_info *kernel)
{
    return (uint32_t)(kernel - design->info->kernels);
}

int32_t sl_profile_argument_row(struct sl_profile *profile, struct sl_pipe_ring *ring,
                                const struct sl_pipe_site *site)
{
    uint32_t first = profile->design->info->pipe_count;
    for (uint32_t i = first; i < first + SL_PROFILE_ARGUMENTS; i++) {
        struct sl_profile_pipe *pipe = &profile->pipes[i];
        struct sl_pipe_ring *known = atomic_load_explicit(&pipe->ring, memory_order_relaxed);
        if (known == ring)
            return (int32_t)i;
        if (known)
            continue;
        pipe->site = site;
        pipe->packet_bytes = ring->packet_bytes;
        pipe->depth = ring->depth;
        pipe->flags = ring->flags;
        atomic_store_explicit(&pipe->ring, ring, memory_order_release);
        return (int32_t)i;
    }
    return -1;
}

/* What began before the counters were cleared counts from then. */
static uint64_t later(const struct sl_profile *profile, uint64_t since_ns)
{
    uint64_t start = atomic_load_explicit(&profile->start_ns, memory_order_relaxed);
    return since_ns > start ? since_ns : start;
}

static void add_span(struct sl_profile *profile, const struct sl_profile_span *span)
{
    enum { GAP_NS = 1000 };
    if (atomic_load_explicit(&profile->full, memory_order_relaxed))
        return;
    pthread_mutex_lock(&profile->lock);
    struct sl_profile_span *last =
        profile->span_count ? &profile->spans[profile->span_count - 1] : NULL;
    if (last && last->kernel == span->kernel && last->state == span->state &&
        last->pipe == span->pipe && span->start_ns - last->end_ns < GAP_NS)
        last->end_ns = span->end_ns;
    else if (profile->span_count < SL_PROFILE_SPANS)
        profile->spans[profile->span_count++] = *span;
    else
        atomic_store_explicit(&profile->full, true, memory_order_relaxed);
    pthread_mutex_unlock(&profile->lock);
}

/* Launches of one queue follow one another; nothing else is known of their order. */
static uint64_t begin_cycle(const struct sl_work_queue *work_queue)
{
    bool ordered = work_queue && !work_queue->out_of_order;
    return ordered ? atomic_load_explicit(&work_queue->cycles, memory_order_relaxed) : 0;
}

static void begin_clock(struct sl_profile *profile, struct sl_fiber *fiber, uint32_t kernel)
{
    const uint64_t begin = begin_cycle(fiber->work_queue);
    sl_trace_id behind =
        begin ? atomic_load_explicit(&fiber->work_queue->traced, memory_order_relaxed) : 0;
    uint64_t since =
        behind ? atomic_load_explicit(&fiber->work_queue->since, memory_order_relaxed) : 0;
    fiber->clock = sl_clock_begin(profile->clock, kernel, begin,
                                  sl_trace_time(profile->trace, fiber->run, begin, behind, since));
    sl_ahead_begin(profile, fiber);
}

/* A launch of the host begins or ends. */
static void count_launch(struct sl_profile *profile, const struct sl_fiber *fiber,
                         void (*count)(struct sl_busy *, uint64_t))
{
    if (!fiber->work)
        return;
    pthread_mutex_lock(&profile->lock);
    count(&profile->busy, sl_clock_ns());
    pthread_mutex_unlock(&profile->lock);
}

void sl_profile_launched(struct sl_fiber *fiber)
{
    struct sl_profile *profile = profile_of(fiber);
    if (!profile)
        return;
    uint32_t kernel = kernel_row(fiber->design, fiber->kernel);
    add(&profile->kernels[kernel].launches, 1);
    count_launch(profile, fiber, sl_busy_begin);
    if (profile->trace && !fiber->work)
        fiber->run = sl_trace_begin(profile->trace, kernel, 0);
    if (profile->clock)
        begin_clock(profile, fiber, kernel);
}

/* Until when the host may know what has ended. */
static uint64_t heard(const struct sl_fiber *fiber)
{
    const struct sl_host_ops *host = fiber->design->machine->host;
    bool tells = host->size > offsetof(struct sl_host_ops, heard) && host->heard;
    return tells ? host->heard(fiber->work) : UINT64_MAX;
}

void sl_profile_submitted(struct sl_fiber *fiber)
{
    struct sl_profile *profile = profile_of(fiber);
    if (profile && profile->trace)
        fiber->run =
            sl_trace_begin(profile->trace, kernel_row(fiber->design, fiber->kernel), heard(fiber));
}

void sl_profile_ended(struct sl_fiber *fiber)
{
    struct sl_profile *profile = profile_of(fiber);
    sl_trace_id id = profile ? sl_trace_id_of(profile->trace, fiber->run) : 0;
    const bool whole = !fiber->status; /* what was stopped is to be seen as not ended */
    if (profile)
        count_launch(profile, fiber, sl_busy_end);
    if (profile && whole)
        add(&profile->kernels[kernel_row(fiber->design, fiber->kernel)].ended, 1);
    if (profile && profile->trace && whole)
        sl_trace_end(profile->trace, fiber->run, sl_clock_ns());
    fiber->run = NULL;
    if (!fiber->clock)
        return;
    sl_ahead_end(fiber);
    uint64_t cycle = sl_clock_end(profile->clock, fiber->clock);
    fiber->clock = NULL;
    if (!fiber->work_queue)
        return;
    atomic_store_explicit(&fiber->work_queue->cycles, cycle, memory_order_relaxed);
    if (whole) {
        atomic_store_explicit(&fiber->work_queue->traced, id, memory_order_relaxed);
        atomic_store_explicit(&fiber->work_queue->since, 0, memory_order_relaxed);
    }
}

/* A trace has no run of it: what comes behind it in its queue is so much later than what came
 * before it. */
static void pass(struct sl_work_queue *work_queue, uint64_t begin, uint64_t end)
{
    if (end == begin || !work_queue)
        return;
    atomic_store_explicit(&work_queue->cycles, end, memory_order_relaxed);
    atomic_fetch_add_explicit(&work_queue->since, end - begin, memory_order_relaxed);
}

void sl_profile_passes(const struct sl_launch_args *args, struct sl_work_queue *work_queue)
{
    const struct sl_design *design = args->code->design;
    struct sl_profile *profile = design ? design->profile : NULL;
    if (!profile)
        return;
    struct sl_profile_kernel *kernel = &profile->kernels[args->kernel_index];
    add(&kernel->launches, 1);
    add(&kernel->ended, 1); /* nothing makes it wait */
    if (!profile->clock)
        return;
    pthread_mutex_lock(&profile->lock);
    const uint64_t begin = begin_cycle(work_queue);
    const uint64_t end = sl_clock_go_through(profile->clock, args->kernel_index, begin,
                                             args->global_size, args->local_size);
    pthread_mutex_unlock(&profile->lock);
    pass(work_queue, begin, end);
}

void sl_profile_heard(struct sl_profile *profile, uint32_t kernel, struct sl_work_queue *work_queue,
                      const struct sl_clock_heard *heard)
{
    pthread_mutex_lock(&profile->lock);
    const uint64_t begin = begin_cycle(work_queue);
    const uint64_t end = sl_clock_go_heard(profile->clock, kernel, begin, heard);
    pthread_mutex_unlock(&profile->lock);
    pass(work_queue, begin, end);
}

void sl_profile_committed(const struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                          const struct sl_pipe_site *site, uint64_t packets)
{
    struct sl_profile *profile = profile_of(fiber);
    fiber->cluster->changes++;
    if (profile && profile->trace)
        sl_trace_lose(profile->trace);
    if (profile && profile->clock)
        sl_clock_committed(profile->clock, fiber->clock, ring, site,
                           sl_profile_pipe_row(profile, ring, site), packets);
}

/* A wait that is reported while it lasts is counted in parts, but as one. */
static void count_wait(struct sl_profile *profile, const struct sl_fiber *fiber,
                       struct sl_pipe_ring *ring, const struct sl_pipe_site *site,
                       uint64_t until_ns)
{
    const struct sl_module_info *info = fiber->design->info;
    uint64_t since_ns = later(profile, fiber->stalled_since);
    uint64_t spent = until_ns > since_ns ? until_ns - since_ns : 0;
    uint32_t kernel = kernel_row(fiber->design, fiber->kernel);
    int32_t row = sl_profile_pipe_row(profile, ring, site);
    sl_tally_add(&profile->kernels[kernel].stall_ns, spent);
    if (row >= 0) {
        const uint64_t busy = sl_busy_ns(&profile->busy, until_ns), before = fiber->stalled_busy;
        const uint64_t held = busy > before ? busy - before : 0;
        sl_tally_add(&profile->pipes[row].stalled_ns[site->op], spent);
        sl_tally_add(&profile->pipes[row].held_ns[site->op], held < spent ? held : spent);
    }
    if (site >= info->sites && site < info->sites + info->site_count) {
        sl_tally_add(&profile->sites[site - info->sites].stalls, !fiber->stall_counted);
        sl_tally_add(&profile->sites[site - info->sites].stall_ns, spent);
    }
    const struct sl_profile_span span = {since_ns, since_ns + spent, kernel, row,
                                         site->op == SL_PIPE_WRITE ? SL_SPAN_FULL : SL_SPAN_EMPTY};
    add_span(profile, &span);
}

void sl_profile_stalls(struct sl_fiber *fiber)
{
    const struct sl_profile *profile = profile_of(fiber);
    fiber->cluster->parked_ns = fiber->stalled_since = sl_clock_ns();
    fiber->stalled_busy = profile ? sl_busy_ns(&profile->busy, fiber->stalled_since) : 0;
}

void sl_profile_waited(struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                       const struct sl_pipe_site *site, uint64_t until_ns)
{
    struct sl_profile *profile = profile_of(fiber);
    if (profile)
        count_wait(profile, fiber, ring, site, until_ns);
    fiber->stalled_since = 0;
    fiber->stall_counted = false;
}

struct sl_context *sl_profile_next(const struct sl_fiber *self)
{
    struct sl_cluster *cluster = self->cluster;
    struct sl_fiber *next = cluster->ready;
    if (!cluster->parked_ns || !self->design || !next || !--cluster->turns ||
        atomic_load_explicit(&cluster->inbox, memory_order_relaxed))
        return sl_cluster_next(cluster);
    sl_profile_ran(self->design, self->kernel, cluster->resumed_ns, cluster->parked_ns);
    cluster->resumed_ns = cluster->parked_ns;
    cluster->parked_ns = 0;
    cluster->ready = next->next;
    cluster->running = next;
    if (next->stalled_at)
        sl_profile_went_on(next, cluster->resumed_ns);
    return &next->context;
}

void sl_profile_went_on(struct sl_fiber *fiber, uint64_t until_ns)
{
    struct sl_pipe_ring *ring = fiber->stalled_at;
    fiber->stalled_at = NULL;
    sl_profile_waited(fiber, ring, fiber->site, until_ns);
}

void sl_profile_waiting(struct sl_fiber *fiber, uint64_t now_ns)
{
    struct sl_profile *profile = profile_of(fiber);
    if (!profile || !fiber->stalled_since || !fiber->ring)
        return;
    count_wait(profile, fiber, fiber->ring, fiber->site, now_ns);
    fiber->stalled_since = now_ns;
    fiber->stalled_busy = sl_busy_ns(&profile->busy, now_ns);
    fiber->stall_counted = true;
}

void sl_profile_ran(struct sl_design *design, const struct sl_kernel_info *kernel,
                    uint64_t since_ns, uint64_t until_ns)
{
    if (!design->profile)
        return;
    since_ns = later(design->profile, since_ns);
    uint32_t row = kernel_row(design, kernel);
    sl_tally_add(&design->profile->kernels[row].run_ns, until_ns - since_ns);
    const struct sl_profile_span span = {since_ns, until_ns, row, -1, SL_SPAN_RUN};
    add_span(design->profile, &span);
}
