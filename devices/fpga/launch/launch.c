/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches as fibers. submit() runs on any thread; the rest on the thread that runs the cluster. No
 * lock of its own.
 */
#include "fpga/launch/launch.h"

#include <stdio.h>

#include "common/base/values.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/printf.h"
#include "common/runtime/hosted.h"
#include "common/runtime/job.h"
#include "fpga/ahead/ahead.h"
#include "fpga/ahead/ask.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber_stop.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/region_stop.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_pipe.h"
#include "fpga/launch/design.h"
#include "fpga/profile/profile.h"
#include "fpga/ring/reserve.h"
#include "fpga/ring/ring.h"
#include "sluice/base/wait.h"

/* ---- services for kernels -------------------------------------------------------------------- */

static int32_t runtime_print(const struct sl_launch *launch, const char *format, const void *record,
                             uint32_t record_bytes, uint32_t arg_count)
{
    (void)launch;
    return sl_print(format, record, record_bytes, arg_count);
}

static void runtime_trap(const struct sl_launch *launch, const char *what)
{
    sl_fiber_stop(launch->owner, what);
}

static void runtime_outside(const struct sl_launch *launch, const char *what, int64_t index)
{
    char text[1900];
    snprintf(text, sizeof text, "%s: %lld", what, (long long)index);
    sl_fiber_stop(launch->owner, text);
}

static void runtime_notify(const struct sl_launch *launch, struct sl_pipe_ring *ring)
{
    sl_pipe_notify(launch->owner, ring);
}

static void runtime_yield(const struct sl_launch *launch)
{
    struct sl_fiber *self = launch->owner;
    sl_ahead_settle(self, true);            /* others may not be able to go on before */
    self->settled = self->cluster->changes; /* it looks at memory */
    self->watches = true;
    sl_cluster_yield(self);
}

static void ignore_mark(const struct sl_launch *launch, uint32_t what, uint32_t line,
                        uint32_t column, uint64_t iterations)
{
    (void)iterations;
    (void)launch;
    (void)what;
    (void)line;
    (void)column;
}

static void ignore_move(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site)
{
    (void)launch;
    (void)ring;
    (void)site;
}

static void ignore_rounds(const struct sl_launch *launch, const struct sl_pipe_rounds *what,
                          uint64_t rounds)
{
    (void)launch;
    (void)what;
    (void)rounds;
}

static void ignore_wish(const struct sl_launch *launch, const struct sl_pipe_rounds *what,
                        uint64_t most, uint32_t within)
{
    (void)launch;
    (void)what;
    (void)most;
    (void)within;
}

/* Without room: of each thing it tells by itself. */
static struct sl_pipe_journal *keep_no_journal(const struct sl_launch *launch,
                                               const struct sl_pipe_events *of)
{
    static struct sl_pipe_journal none;
    (void)launch;
    (void)of;
    return &none;
}

static void ignore_end(const struct sl_launch *launch)
{
    (void)launch;
}

const struct sl_runtime sl_fpga_runtime = {
    .abi = SL_MODULE_ABI,
    .size = sizeof sl_fpga_runtime,
    .print = runtime_print,
    .trap = runtime_trap,
    .pipe_slow = sl_ring_slow,
    .pipe_notify = runtime_notify,
    .pipe_reserve = sl_ring_reserve,
    .pipe_reserved = sl_ring_reserved,
    .pipe_commit = sl_ring_commit,
    .yield = runtime_yield,
    .outside = runtime_outside,
    .pipe_claim = sl_ring_claim,
    .loop_mark = ignore_mark,
    .pipe_fill = sl_ask_fill,
    .pipe_moved = ignore_move,
    .pipe_rounds = ignore_rounds,
    .pipe_await = ignore_wish,
    .pipe_journal = keep_no_journal,
    .pipe_slow_noted = sl_ring_slow,
    .pipe_catch_up = ignore_end,
    .pipe_moved_noted = ignore_move,
};

const struct sl_runtime sl_fpga_runtime_general = {
    .abi = SL_MODULE_ABI,
    .size = sizeof sl_fpga_runtime_general,
    .print = runtime_print,
    .trap = runtime_trap,
    .pipe_slow = sl_ring_slow_general,
    .pipe_notify = runtime_notify,
    .pipe_reserve = sl_ring_reserve,
    .pipe_reserved = sl_ring_reserved,
    .pipe_commit = sl_ring_commit,
    .yield = runtime_yield,
    .outside = runtime_outside,
    .pipe_claim = sl_ring_claim,
    .loop_mark = sl_ring_told_mark,
    .pipe_fill = sl_ask_fill,
    .pipe_moved = sl_ring_told_packet,
    .pipe_rounds = sl_ring_told_rounds,
    .pipe_await = sl_ring_await,
    .pipe_journal = sl_journal_open,
    .pipe_slow_noted = sl_ring_slow_noted,
    .pipe_catch_up = sl_ring_catch_up,
    .pipe_moved_noted = sl_ring_told_noted,
};

/* ---- running --------------------------------------------------------------------------------- */

static void run_once(struct sl_fiber *fiber)
{
    sl_ndrange_run(fiber->code, fiber->args, &fiber->launch, &fiber->arena,
                   fiber->launch.group_count[0], 0, fiber->groups);
}

/* For ever; but a body that uses no pipe would keep its thread for nothing. */
static void run_autorun(struct sl_fiber *fiber)
{
    enum { ROUND = 256 };
    for (;;) {
        uint64_t before = sl_reach_progress(fiber);
        fiber->failed = false;
        for (int i = 0; i < ROUND; i++) {
            run_once(fiber);
            if (i == 0 && !fiber->failed && sl_reach_progress(fiber) == before)
                return;
        }
        if (!fiber->failed && sl_reach_progress(fiber) == before)
            return;
        sl_cluster_yield(fiber);
    }
}

/* Of a design that runs ahead of its clock autorun kernels come as far as the packets that they
 * have let them, before the host hears that a kernel has ended. */
static void let_others_come(struct sl_fiber *fiber)
{
    const struct sl_cluster *cluster = fiber->cluster;
    bool only = fiber->ahead && fiber->work;
    for (uint32_t turns = cluster->fiber_count; turns && cluster->ready && only; turns--) {
        for (const struct sl_fiber *at = cluster->ready; at && only; at = at->next)
            only = !at->work;
        if (only)
            sl_cluster_step_back(fiber);
        sl_ahead_settle(fiber, false);
    }
}

void sl_launch_run(void *data)
{
    struct sl_fiber *fiber = data;
    sl_shadow_arrive(&fiber->context.shadow);
    if (sl_region_is_broken(fiber))
        fiber->status = SL_OUT_OF_RESOURCES;
    else if (fiber->work)
        run_once(fiber);
    else
        run_autorun(fiber);
    if (sl_ahead_is_behind(fiber))
        sl_ahead_wait(fiber);
    sl_ahead_settle(fiber, false);
    let_others_come(fiber);
    sl_cluster_end(fiber);
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void put_back(struct sl_fiber *fiber)
{
    struct sl_machine *machine = fiber->cluster->machine;
    struct sl_design *design = fiber->design;
    if (design && !fiber->work)
        atomic_fetch_sub_explicit(&design->autorun_fibers, 1, memory_order_relaxed);
    sl_fiber_put(&machine->fibers, fiber);
    if (design)
        sl_design_drop(design);
}

/* The fiber goes first: once reported, the launch's code may be unloaded. What it has written to
 * I/O pipes may still have to leave. */
void sl_launch_ended(struct sl_fiber *fiber)
{
    struct sl_machine *machine = fiber->cluster->machine;
    struct sl_work *work = fiber->work;
    struct sl_work_queue *work_queue = fiber->work_queue;
    int status = fiber->status;
    struct sl_io_debt *debt = work && !status ? sl_io_debt_make(fiber) : NULL;
    if (!work && !status)
        machine->host->log(SL_LOG_INFO, machine->topic,
                           "autorun kernel %s uses no pipe: it is not restarted",
                           fiber->kernel->name);
    if (work)
        sl_cluster_count_launch(fiber->cluster, -1);
    if (machine->profile)
        sl_profile_ended(fiber);
    if (fiber->cluster->parts)
        sl_parts_ended(fiber->cluster, fiber);
    put_back(fiber);
    if (debt)
        sl_io_debt_leave(debt);
    if (!work || debt)
        return;
    machine->host->finished(work, status);
    sl_work_queue_done(work_queue);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static void forget_end(const struct sl_fiber *fiber)
{
    struct sl_design *design = fiber->design;
    struct sl_design_kernel *kernel = &design->kernels[fiber->kernel - design->info->kernels];
    if (atomic_load_explicit(&kernel->was_ended, memory_order_relaxed))
        atomic_store_explicit(&kernel->was_ended, false, memory_order_relaxed);
}

static void add(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    if (fiber->design)
        forget_end(fiber);
    if (fiber->work) {
        sl_cluster_count_launch(cluster, 1);
        sl_machine_may_stall(cluster->machine);
        cluster->machine->host->started(fiber->work);
    }
    if (cluster->machine->profile) {
        cluster->heard_ns = sl_clock_ns();
        sl_profile_launched(fiber);
    }
    sl_cluster_add(cluster, fiber);
    if (sl_ahead_is_starved(fiber)) {
        sl_cluster_discard(fiber, SL_OUT_OF_HOST_MEMORY);
        return;
    }
    if (cluster->parts)
        sl_parts_began(cluster, fiber);
}

static void begin(struct sl_cluster *cluster, struct sl_news *news)
{
    add(cluster, (struct sl_fiber *)((char *)news - offsetof(struct sl_fiber, news)));
}

bool sl_launch_is_brief(const struct sl_news *news)
{
    return news->take == begin &&
           sl_cluster_knows(
               (const struct sl_fiber *)((const char *)news - offsetof(struct sl_fiber, news)));
}

static void give_to(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    fiber->cluster = cluster;
    fiber->launch.runtime = cluster->machine->runtime;
    fiber->launch.pipes = fiber->design ? &fiber->design->memory : NULL;
}

void sl_launch_post(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    give_to(cluster, fiber);
    fiber->news.take = begin;
    sl_cluster_post(cluster, &fiber->news);
}

void sl_launch_begin(struct sl_cluster *cluster, struct sl_fiber *fiber)
{
    give_to(cluster, fiber);
    add(cluster, fiber);
}

static int prepare(struct sl_machine *machine, struct sl_work_queue *work_queue,
                   struct sl_work *work, struct sl_fiber **out)
{
    const struct sl_launch_args *args = &work->u.kernel;
    const struct sl_kernel_info *kernel = &args->code->info->kernels[args->kernel_index];
    struct sl_design *design = args->code->design;
    if (!design)
        return SL_OUT_OF_RESOURCES;
    if (kernel->stack_bytes > machine->hosted->sched.most_stack) {
        machine->host->log(SL_LOG_ERROR, machine->topic,
                           "kernel %s needs %u bytes of stack for a work-item, there are %zu",
                           kernel->name, kernel->stack_bytes, machine->hosted->sched.most_stack);
        return SL_OUT_OF_RESOURCES;
    }
    int rc = sl_fiber_get(&machine->fibers, kernel, args, out);
    if (rc) {
        char why[256];
        snprintf(why, sizeof why, "kernel %s: there is no memory for its work-groups",
                 kernel->name);
        machine->host->log(SL_LOG_ERROR, machine->topic, "%s", why);
        machine->host->failed(work, why);
        return rc;
    }
    (*out)->work = work;
    (*out)->work_queue = work_queue;
    (*out)->design = design;
    (*out)->kernel = &design->info->kernels[args->kernel_index];
    sl_design_hold(design);
    return 0;
}

void sl_launch_submit(struct sl_machine *machine, struct sl_work_queue *work_queue,
                      struct sl_work *work)
{
    struct sl_fiber *fiber;
    sl_work_queue_hold(work_queue);
    atomic_fetch_add_explicit(&work_queue->taken, 1, memory_order_relaxed);
    int rc = prepare(machine, work_queue, work, &fiber);
    if (rc) {
        machine->host->finished(work, rc);
        sl_work_queue_done(work_queue);
        return;
    }
    if (machine->profile)
        sl_profile_submitted(fiber);
    struct sl_design *design = fiber->design;
    sl_design_use_io(design);
    sl_launch_post(design->kernels[work->u.kernel.kernel_index].cluster, fiber);
}
