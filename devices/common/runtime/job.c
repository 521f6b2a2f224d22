/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running one work, in chunks (group_chunks.h). Who joins and who was last is decided under
 * sched->lock, and only for published jobs.
 */
#include "common/runtime/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/times.h"
#include "common/base/values.h"
#include "common/kernel/item_listener.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/printf.h"
#include "common/kernel/shared_pipe.h"
#include "common/machine/fpmode.h"
#include "common/runtime/caller.h"
#include "common/runtime/code.h"
#include "common/runtime/device_enqueue.h"
#include "common/runtime/estimate.h"
#include "common/runtime/group_chunks.h"
#include "common/runtime/guest.h"
#include "common/runtime/measure.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/thread.h"
#include "sluice/base/wait.h"

/* A private job that runs longer than this is published. */
static const uint64_t publish_after_ns = 20000;
/* A guest looks after its own business that often. */
static const uint64_t guest_slice_ns = 300000;

/* A kernel known to be done by then is not cut up to see how long it takes. */
static const uint64_t cheap_ns = 5000;

enum { LEAST_ITEMS = 256 };

static _Thread_local struct sl_worker *current; /* whose trap a kernel's trap() jumps to */

static _Thread_local const struct sl_sched
    *reporting; /* whose worker this thread is, in finished() */

bool sl_job_reporting_on_worker(const struct sl_sched *sched)
{
    return reporting == sched;
}

/* ---- services for kernels -------------------------------------------------------------------- */

static int32_t runtime_print(const struct sl_launch *launch, const char *format, const void *record,
                             uint32_t record_bytes, uint32_t arg_count)
{
    (void)launch;
    return sl_print(format, record, record_bytes, arg_count);
}

static void give_up(struct sl_job *job, int status)
{
    atomic_store_explicit(&job->status, status, memory_order_relaxed);
    atomic_store_explicit(&job->handed_out, job->total, memory_order_relaxed);
}

static void tell_failed(struct sl_job *job, const char *why)
{
    struct sl_sched *sched = job->work_queue->sched;
    sched->host->tell(sched->device, why);
    sched->host->failed(sl_child_launch(job->work), why);
}

static void runtime_trap(const struct sl_launch *launch, const char *what)
{
    struct sl_job *job = launch->owner;
    char why[256];
    snprintf(why, sizeof why, "kernel %s stopped: %s", job->kernel->name, what);
    tell_failed(job, why);
    give_up(job, SL_OUT_OF_RESOURCES);
    longjmp(current->trap, 1);
}

static const struct sl_runtime runtime = {
    .abi = SL_MODULE_ABI,
    .size = sizeof runtime,
    .print = runtime_print,
    .trap = runtime_trap,
    .shared_move = sl_shared_move,
    .shared_reserve = sl_shared_reserve,
    .shared_move_at = sl_shared_move_at,
    .shared_commit = sl_shared_commit,
    .shared_fill = sl_shared_fill,
    .child = &sl_child_runtime,
};

/* ---- preparing ------------------------------------------------------------------------------- */

static int prepare_kernel(struct sl_job *job, const struct sl_launch_args *args)
{
    struct sl_sched *sched = job->work_queue->sched;
    const struct sl_kernel_info *kernel = sl_launch_kernel(args);
    job->kernel = kernel;
    if (kernel->stack_bytes > sched->most_stack) {
        sched->host->log(SL_LOG_ERROR, sched->topic,
                         "kernel %s needs %u bytes of stack for a work-item, there are %zu",
                         kernel->name, kernel->stack_bytes, sched->most_stack);
        return SL_OUT_OF_RESOURCES;
    }
    if (job->work_queue->caller_runs && !sl_caller_bears(kernel)) {
        sched->host->log(SL_LOG_ERROR, sched->topic,
                         "the calling thread's stack is too small for kernel %s", kernel->name);
        return SL_OUT_OF_HOST_MEMORY;
    }
    if (!sl_ndrange_init(&job->launch, args, &job->total))
        return SL_OUT_OF_RESOURCES;
    sl_ndrange_interchange(kernel, &job->launch);
    sl_ndrange_join_rows(kernel, &job->launch, job->seats, &job->total);
    sl_ndrange_make_tiles(kernel, &job->launch, job->seats, &job->total);
    job->launch.stream_kib = (uint32_t)(sched->stream_from / 1024);
    job->launch.runtime = &runtime;
    job->launch.owner = job;
    job->items = sl_ndrange_items(args);
    job->cost_ps = &args->code->cost_ps[args->kernel_index];
    uint64_t group_items = sl_ndrange_group_items(&job->launch), least = LEAST_ITEMS / group_items;
    sl_job_size_chunks(job, sl_times(sl_job_known_cost(args), group_items), least);
    job->grain = sl_ndrange_grain(kernel, &job->launch, job->total);
    job->strip = sl_ndrange_strip(kernel, &job->launch, sl_job_known_cost(args), job->grain);
    job->alone = job->total / 8;
    if (job->work_queue->out_of_order &&
        !sl_job_has_short_chunks(job, sl_job_known_cost(args), group_items))
        job->guests = false;
    if (sl_job_known_cost(args) && sl_times(sl_job_known_cost(args), job->items) < 1000 * cheap_ns)
        job->alone = job->total;
    if (kernel->times && args->code->listen)
        job->listener = args->code->listen(args, job->work_queue);
    return 0;
}

static int prepare_transfer(struct sl_job *job)
{
    const struct sl_transfer *t = &job->transfer;
    uint64_t unit_bytes = t->bytes / (t->units ? t->units : 1);
    job->total = t->units;
    job->alone = t->units / 8;
    sl_job_size_chunks(job, 0, SL_COPY_BLOCK / (unit_bytes ? unit_bytes : 1));
    return 0;
}

static int prepare(struct sl_job *job)
{
    const struct sl_work *work = job->work;
    uint64_t stream_from = job->work_queue->sched->stream_from;
    switch (work->kind) {
    case SL_WORK_KERNEL:
        return prepare_kernel(job, &work->u.kernel);
    case SL_WORK_COPY:
        sl_transfer_copy(&job->transfer, &work->u.copy, stream_from);
        return prepare_transfer(job);
    case SL_WORK_FILL:
        sl_transfer_fill(&job->transfer, &work->u.fill, stream_from);
        return prepare_transfer(job);
    case SL_WORK_NATIVE:
        job->total = 1;
        return 0;
    case SL_WORK_PIPE:
        break; /* a device with pipes never lets it come this far */
    }
    return SL_INVALID_VALUE;
}

static void init(struct sl_job *job, struct sl_work_queue *work_queue, struct sl_work *work)
{
    job->work_queue = work_queue;
    job->work = work;
    job->seats = work_queue->limit;
    job->inside = 1;
    job->published = job->listed = job->cramped = false;
    job->guests = sl_job_may_be_hosted(work);
    job->node = work->kind == SL_WORK_KERNEL ? work->u.kernel.child : NULL;
    job->cost_ps = NULL;
    job->kernel = NULL;
    job->listener = NULL;
    job->total = 0;
    job->least = job->most = job->alone = job->grain = 1;
    atomic_init(&job->handed_out, 0);
    atomic_init(&job->busy_ns, 0);
    atomic_init(&job->processor_ns, 0);
    job->tells = work->kind == SL_WORK_KERNEL && sl_measure_wanted(work_queue->sched->host);
    atomic_init(&job->status, 0);
    int rc = prepare(job);
    if (rc) {
        job->total = 0;
        atomic_init(&job->status, rc);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* A thread of the application's keeps its own name. */
static void run_native(const struct sl_native *native, const struct sl_worker *worker)
{
    struct sl_thread_name name;
    if (!worker->guest)
        sl_thread_lend(&name);
    native->function(native->args);
    if (!worker->guest)
        sl_thread_return(&name);
}

static void run_chunk(struct sl_job *job, struct sl_worker *worker, uint64_t first, uint64_t count)
{
    const struct sl_work *work = job->work;
    switch (work->kind) {
    case SL_WORK_KERNEL:
        sl_ndrange_run(job->kernel, work->u.kernel.args, &job->launch, &worker->arena, job->strip,
                       first, count);
        break;
    case SL_WORK_COPY:
    case SL_WORK_FILL:
        sl_transfer_run(&job->transfer, first, count);
        break;
    case SL_WORK_NATIVE:
        run_native(&work->u.native, worker);
        break;
    case SL_WORK_PIPE:
        break;
    }
}

static void run_chunks(struct sl_sched *sched, struct sl_worker *worker, struct sl_job *job,
                       uint64_t start)
{
    uint64_t first, count;
    while (sl_job_take_chunk(job, &first, &count)) {
        run_chunk(job, worker, first, count);
        if (first + count == job->total)
            return;
        uint64_t spent = sl_clock_ns() - start;
        if (!job->published && job->seats > 1 && spent > publish_after_ns)
            sl_sched_publish(sched, job);
        if (job->published && worker->guest && spent > guest_slice_ns)
            return;
    }
}

/* Only this frame is left behind by a kernel's trap. */
static void run_guarded(struct sl_sched *sched, struct sl_worker *worker, struct sl_job *job,
                        uint64_t start)
{
    if (!_setjmp(worker->trap))
        run_chunks(sched, worker, job, start);
}

/* Where the words of a group's items begin, behind its contexts; 0: nobody wants them. */
static bool add_times(const struct sl_job *job, size_t *context, size_t *times)
{
    enum { ALIGN = 64 };
    size_t bytes;
    *times = 0;
    if (!job->listener)
        return true;
    if (__builtin_mul_overflow(sl_ndrange_group_items(&job->launch),
                               job->kernel->times * sizeof(uint64_t), &bytes) ||
        __builtin_add_overflow(*context, ALIGN, context))
        return false;
    *times = *context & ~(size_t)(ALIGN - 1);
    return !__builtin_add_overflow(*times, bytes, context);
}

static int reserve(struct sl_worker *worker, const struct sl_job *job)
{
    const struct sl_kernel_info *kernel = job->kernel;
    struct sl_arena *arena = &worker->arena;
    size_t context, times;
    if (worker->stack_bytes && kernel->stack_bytes > SL_ARENA_KEPT) {
        if (kernel->stack_bytes > worker->stack_bytes - SL_SPARE_STACK)
            return SL_OUT_OF_RESOURCES;
        worker->deep = true;
    }
    if (__builtin_mul_overflow(sl_ndrange_group_items(&job->launch), kernel->context_per_item,
                               &context) ||
        __builtin_add_overflow(context, kernel->context_fixed, &context) ||
        !add_times(job, &context, &times))
        return SL_OUT_OF_RESOURCES;
    const struct sl_launch_args *args = &job->work->u.kernel;
    arena->clear_bytes = args->clear_local ? args->local_bytes : 0;
    arena->listener = job->listener;
    int rc = sl_arena_reserve(arena, args->local_bytes, context);
    arena->times = times ? (uint64_t *)((char *)arena->context + times) : NULL;
    return rc;
}

/* False: the thread can do nothing for it, and if no other does the job has failed. */
static bool make_room(struct sl_worker *worker, struct sl_job *job)
{
    int rc = job->kernel ? reserve(worker, job) : 0;
    if (rc && !sl_sched_left_to_others(job->work_queue->sched, job)) {
        char why[256];
        snprintf(why, sizeof why, "kernel %s: there is no memory for its work-groups",
                 job->kernel->name);
        tell_failed(job, why);
        give_up(job, rc);
    }
    return !rc;
}

static void work_on(struct sl_sched *sched, struct sl_worker *worker, struct sl_job *job)
{
    uint64_t start = job->total > 1 || sl_job_wants_cost(job) ? sl_clock_ns() : 0;
    uint64_t used = job->tells ? sl_measure_ns() : 0;
    struct sl_worker *outer = current;
    uint64_t mode = sl_fpmode_enter();
    if (job->kernel && (job->kernel->flags & SL_KERNEL_FLUSH_DENORMALS))
        sl_fpmode_flush();
    current = worker;
    if (make_room(worker, job))
        run_guarded(sched, worker, job, start);
    current = outer;
    sl_fpmode_leave(mode);
    if (start && job->cost_ps)
        atomic_fetch_add_explicit(&job->busy_ns, sl_clock_ns() - start, memory_order_relaxed);
    if (job->tells)
        atomic_fetch_add_explicit(&job->processor_ns, sl_measure_ns() - used, memory_order_relaxed);
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* The end of a launch that has enqueued kernels is told when they have ended as well. */
static void finish(struct sl_sched *sched, struct sl_work_queue *work_queue, struct sl_work *work,
                   struct sl_child *node, int status)
{
    bool is_child = node && node->runs;
    if (node)
        sl_child_ended(work_queue->nest, node, status);
    else
        sched->host->finished(work, status);
    if (!node || is_child)
        sl_work_queue_done(work_queue);
}

static void report(struct sl_sched *sched, struct sl_worker *worker, struct sl_job *job)
{
    struct sl_work_queue *work_queue = job->work_queue;
    struct sl_work *work = job->work;
    struct sl_child *node = job->node;
    struct sl_item_listener *listener = job->listener;
    int status = atomic_load_explicit(&job->status, memory_order_relaxed);
    sl_job_learn_cost(job);
    if (job->tells && !status)
        sl_measure_tell(sched->host, job->kernel->name, job->items,
                        atomic_load_explicit(&job->processor_ns, memory_order_relaxed));
    if (worker->spare)
        free(job);
    else
        worker->spare = job;
    if (listener)
        listener->end(listener);
    const struct sl_sched *outer = reporting;
    reporting = worker->guest ? NULL : sched;
    finish(sched, work_queue, work, node, status);
    reporting = outer;
}

void sl_job_join(struct sl_sched *sched, struct sl_worker *worker, struct sl_job *job)
{
    struct sl_work_queue *work_queue = job->work_queue;
    work_on(sched, worker, job);
    if (sl_sched_leave(sched, job))
        report(sched, worker, job);
    sl_work_queue_exit(work_queue);
    sl_work_queue_drop(work_queue);
}

static struct sl_job *new_job(struct sl_worker *worker)
{
    struct sl_job *job = worker->spare;
    worker->spare = NULL;
    return job ? job : aligned_alloc(_Alignof(struct sl_job), sizeof *job);
}

void sl_job_run(struct sl_sched *sched, struct sl_worker *worker, struct sl_work_queue *work_queue,
                struct sl_work *work)
{
    bool is_long = sl_job_is_long(sl_job_estimate(work));
    struct sl_job *job = new_job(worker);
    struct sl_child *node = work->kind == SL_WORK_KERNEL ? work->u.kernel.child : NULL;
    if (node)
        sl_child_started(node);
    else
        sched->host->started(work);
    if (job) {
        init(job, work_queue, work);
        if (is_long && job->total > 1 && job->seats > 1)
            sl_sched_publish(sched, job);
        work_on(sched, worker, job);
        if (sl_sched_leave(sched, job))
            report(sched, worker, job);
    } else {
        finish(sched, work_queue, work, node, SL_OUT_OF_HOST_MEMORY);
    }
    sl_work_queue_exit(work_queue);
}
