/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads for clusters. machine->lock guards the queue of clusters and how many run; a thread that
 * watches an idle cluster (machine->spinning) sees `queued` change and needs no wake-up.
 */
#include "fpga/cluster/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/setting.h"
#include "common/base/values.h"
#include "common/machine/fpmode.h"
#include "common/runtime/hosted.h"
#include "fpga/base/barrier.h"
#include "fpga/base/signals.h"
#include "fpga/cluster/watch.h"
#include "sluice/base/wait.h"
#include "sluice/depth_mode.h"

/* Threads beyond the device's units, for clusters behind kernels that never stop. */
enum { SPARE_THREADS = 62 };
/* What stop() grants a kernel that is still running. */
static const uint64_t grace_ns = 2000000000;

static _Thread_local const struct sl_machine *inside;

bool sl_machine_is_inside(const struct sl_machine *machine)
{
    return inside == machine;
}

/* Handlers of the application may look at the stack they run on, which is a kernel's. */
struct sl_guest sl_machine_enter(const struct sl_machine *machine, uint64_t now_ns)
{
    struct sl_guest guest;
    sigset_t all;
    guest.inside = inside;
    guest.blocked = sl_signals_caught(now_ns);
    if (guest.blocked) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &guest.signals);
    }
    guest.fpmode = sl_fpmode_enter();
    inside = machine;
    return guest;
}

void sl_machine_leave(const struct sl_guest *guest)
{
    inside = guest->inside;
    sl_fpmode_leave(guest->fpmode);
    if (guest->blocked)
        pthread_sigmask(SIG_SETMASK, &guest->signals, NULL);
}

struct sl_machine *sl_fpga_machine(struct sl_device *device)
{
    return sl_hosted(device)->extension;
}

/* ---- clusters -------------------------------------------------------------------------------- */

void sl_machine_add(struct sl_machine *machine, struct sl_cluster *cluster)
{
    pthread_mutex_lock(&machine->lock);
    cluster->prev_cluster = NULL;
    cluster->next_cluster = machine->clusters;
    if (machine->clusters)
        machine->clusters->prev_cluster = cluster;
    machine->clusters = cluster;
    pthread_mutex_unlock(&machine->lock);
}

void sl_machine_remove(struct sl_machine *machine, struct sl_cluster *cluster)
{
    pthread_mutex_lock(&machine->lock);
    *(cluster->prev_cluster ? &cluster->prev_cluster->next_cluster : &machine->clusters) =
        cluster->next_cluster;
    if (cluster->next_cluster)
        cluster->next_cluster->prev_cluster = cluster->prev_cluster;
    pthread_mutex_unlock(&machine->lock);
}

void sl_machine_kick(struct sl_machine *machine)
{
    pthread_mutex_lock(&machine->lock);
    bool queue = machine->queue != NULL, room = machine->running < machine->allowed;
    pthread_mutex_unlock(&machine->lock);
    if (queue && room)
        sl_pool_wake(machine->pool, 1);
    else if (queue && machine->watch)
        sl_watch_late(machine->watch);
}

void sl_machine_enqueue(struct sl_machine *machine, struct sl_cluster *cluster)
{
    pthread_mutex_lock(&machine->lock);
    cluster->queued = NULL;
    if (machine->queue)
        machine->queue_tail->queued = cluster;
    else
        machine->queue = cluster;
    machine->queue_tail = cluster;
    /* seq_cst: before the question whether a thread is watching */
    atomic_fetch_add_explicit(&machine->queued, 1, memory_order_seq_cst);
    bool room = machine->running < machine->allowed;
    pthread_mutex_unlock(&machine->lock);
    if (atomic_load_explicit(&machine->spinning, memory_order_seq_cst))
        return;
    if (room)
        sl_pool_wake(machine->pool, 1);
    else if (machine->watch)
        sl_watch_late(machine->watch);
}

static struct sl_cluster *dequeue(struct sl_machine *machine)
{
    if (!atomic_load_explicit(&machine->queued, memory_order_seq_cst))
        return NULL;
    pthread_mutex_lock(&machine->lock);
    struct sl_cluster *cluster = machine->running < machine->allowed ? machine->queue : NULL;
    if (cluster) {
        machine->queue = cluster->queued;
        machine->running++;
        atomic_fetch_sub_explicit(&machine->queued, 1, memory_order_seq_cst);
    }
    bool more = machine->queue != NULL;
    pthread_mutex_unlock(&machine->lock);
    if (more) /* one thread may have answered several calls */
        sl_machine_kick(machine);
    return cluster;
}

/* sl_pool_ops.run */
static bool run(void *owner, struct sl_worker *worker, bool late)
{
    struct sl_machine *machine = owner;
    struct sl_cluster *cluster = dequeue(machine);
    (void)worker;
    (void)late;
    if (!cluster)
        return false;
    inside = machine;
    atomic_store_explicit(&cluster->state, SL_CLUSTER_BUSY, memory_order_seq_cst);
    sl_machine_resumes(machine, cluster);
    sl_cluster_run(cluster);
    sl_cluster_drop(cluster);
    inside = NULL;
    pthread_mutex_lock(&machine->lock);
    machine->running--;
    pthread_mutex_unlock(&machine->lock);
    return true;
}

/* sl_pool_ops.watch: clusters that are queued were told to a thread. */
static bool watch(void *owner)
{
    (void)owner;
    return false;
}

/* sl_pool_ops.rest */
static bool rest(void *owner, bool now)
{
    struct sl_machine *machine = owner;
    return sl_fiber_pool_rest(&machine->fibers, now);
}

void sl_machine_rests(struct sl_machine *machine, struct sl_cluster *cluster)
{
    sl_machine_resumes(machine, cluster); /* who counted as resting may have ended */
    cluster->resting = sl_cluster_launched(cluster);
    if (cluster->resting)
        sl_machine_may_stall(machine);
}

void sl_machine_may_stall(struct sl_machine *machine)
{
    if (machine->watch && atomic_load_explicit(&machine->host_waits, memory_order_seq_cst) > 0)
        sl_watch_stall(machine->watch);
}

/* Also says that the host is there: it may be what everything waits for. */
static void host_asks(struct sl_machine *machine)
{
    atomic_fetch_add_explicit(&machine->asks, 1, memory_order_relaxed);
    if (machine->watch)
        sl_watch_stall(machine->watch);
}

void sl_machine_resumes(struct sl_machine *machine, struct sl_cluster *cluster)
{
    atomic_fetch_add_explicit(&machine->activity, 1, memory_order_relaxed);
    cluster->resting = 0;
}

void sl_machine_host_waits(struct sl_machine *machine, int change)
{
    if (!change) {
        host_asks(machine);
        sl_machine_help(machine);
    }
    atomic_fetch_add_explicit(&machine->host_waits, change, memory_order_seq_cst);
    if (change > 0) {
        /* who might have acted does not: what was settled may not be any more */
        atomic_fetch_add_explicit(&machine->activity, 1, memory_order_relaxed);
        if (machine->watch && sl_watch_has_lent(machine->watch))
            sl_machine_end_loans(machine, SL_LOANS_ALL); /* rather than when they are missed */
        sl_machine_may_stall(machine);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

/* The driver and the compiler take any word. */
static void check_words_of_others(const struct sl_setting *setting)
{
    static const char *const modes[] = {"strict", "default", "ignore-depth", "ignoredepth", NULL};
    static const char *const host_pointers[] = {"use", "copy", NULL};
    sl_setting_word(setting, "SLUICE_FPGA_HOST_PTR", host_pointers);
    sl_setting_word(setting, "SLUICE_FPGA_DEPTH", modes);
    sl_setting_word(setting, "CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE", modes);
}

static void configure(struct sl_machine *machine)
{
    static const char *const on_stall[] = {
        [SL_STALL_REPORT] = "report", [SL_STALL_ERROR] = "error", [SL_STALL_WAIT] = "wait", NULL};
    static const char *const visits[] = {
        [SL_VISIT_AUTO] = "auto", [SL_VISIT_ALWAYS] = "always", [SL_VISIT_NEVER] = "never", NULL};
    static const char *const parts[] = {[SL_PARTS_AUTO] = "auto",
                                        [SL_PARTS_NEVER] = "never",
                                        [SL_PARTS_ALWAYS] = "always",
                                        [SL_PARTS_SWING] = "swing",
                                        NULL};
    const uint64_t ns_per_ms = 1000000;
    const struct sl_setting setting = {machine->host, machine->topic};
    const char *profile = machine->host->config("SLUICE_FPGA_PROFILE");
    machine->seed = sl_setting_number(&setting, "SLUICE_FPGA_SEED", 0, UINT64_MAX);
    machine->stall_ns =
        sl_setting_number(&setting, "SLUICE_FPGA_STALL_MS", 500, UINT32_MAX) * ns_per_ms;
    machine->on_stall =
        (enum sl_stall_mode)sl_setting_word(&setting, "SLUICE_FPGA_ON_STALL", on_stall);
    machine->visits = (enum sl_visit_mode)sl_setting_word(&setting, "SLUICE_FPGA_VISITS", visits);
    machine->parts = (enum sl_parts_mode)sl_setting_word(&setting, "SLUICE_FPGA_PARTS", parts);
    check_words_of_others(&setting);
    machine->profile = profile && *profile;
    machine->trace = sl_setting_flag(&setting, "SLUICE_FPGA_TRACE");
    if (machine->trace && !machine->profile)
        machine->host->log(SL_LOG_WARN, "setting",
                           "SLUICE_FPGA_TRACE is part of a profile: without SLUICE_FPGA_PROFILE "
                           "there is none");
    machine->runtime =
        machine->seed || machine->profile ? machine->ops->runtime_general : machine->ops->runtime;
}

int sl_machine_create(struct sl_hosted *hosted, const struct sl_machine_ops *ops,
                      struct sl_machine **out)
{
    static const struct sl_pool_ops pool_ops = {.run = run, .watch = watch, .rest = rest};
    struct sl_machine *machine = aligned_alloc(64, (sizeof *machine + 63) / 64 * 64);
    if (!machine)
        return SL_OUT_OF_HOST_MEMORY;
    *machine = (struct sl_machine){.ops = ops,
                                   .hosted = hosted,
                                   .host = hosted->sched.host,
                                   .topic = hosted->sched.topic,
                                   .units = hosted->sched.units,
                                   .allowed = hosted->sched.units};
    pthread_mutex_init(&machine->lock, NULL);
    pthread_mutex_init(&machine->start_lock, NULL);
    pthread_mutex_init(&machine->ends_lock, NULL);
    sl_fiber_pool_init(&machine->fibers, ops->run);
    configure(machine);
    const struct sl_pool_desc desc = {
        .ops = &pool_ops, .owner = machine, .limit = machine->units + SPARE_THREADS};
    int rc = sl_pool_create(&desc, &machine->pool);
    if (!rc)
        rc = sl_cluster_create(machine, 0, &machine->shared);
    if (rc) {
        sl_machine_destroy(machine);
        return rc;
    }
    machine->shared->hosted = true;
    *out = machine;
    return 0;
}

bool sl_machine_destroy(struct sl_machine *machine)
{
    if (machine->abandoned)
        return false;
    sl_cluster_drop(machine->shared);
    sl_pool_destroy(machine->pool);
    sl_fiber_pool_finish(&machine->fibers);
    pthread_mutex_destroy(&machine->lock);
    pthread_mutex_destroy(&machine->start_lock);
    pthread_mutex_destroy(&machine->ends_lock);
    free(machine);
    return true;
}

static int start_locked(struct sl_machine *machine)
{
    sl_barrier_init();
    if (!machine->abandoned) { /* else its threads are still there */
        int rc = sl_pool_start(machine->pool);
        if (rc)
            return rc;
        machine->watch = sl_watch_create(machine);
        if (!machine->watch) { /* nobody would ever say that a design is dead */
            sl_pool_stop(machine->pool);
            return SL_OUT_OF_RESOURCES;
        }
    }
    machine->started = true;
    return 0;
}

int sl_machine_start(struct sl_machine *machine)
{
    pthread_mutex_lock(&machine->start_lock);
    int rc = machine->started ? 0 : start_locked(machine);
    pthread_mutex_unlock(&machine->start_lock);
    return rc;
}

/* Waits for the threads to leave their clusters; on one of them, for the others. It looks now and
 * then, for as long as grace_ns: nobody who leaves a cluster should have to think of this. */
static bool fell_quiet(struct sl_machine *machine)
{
    const struct timespec moment = {.tv_nsec = 100000};
    unsigned own = inside == machine;
    for (uint64_t start = sl_clock_ns(); sl_clock_ns() - start < grace_ns;) {
        pthread_mutex_lock(&machine->lock);
        bool quiet = machine->running <= own && !machine->queue;
        pthread_mutex_unlock(&machine->lock);
        if (quiet)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

void sl_machine_stop(struct sl_machine *machine)
{
    if (!machine->started)
        return;
    machine->started = false;
    /* or the watch would queue them when no thread is left */
    sl_machine_end_loans(machine, SL_LOANS_STOPPED);
    if (!fell_quiet(machine)) {
        machine->abandoned = true;
        machine->host->log(SL_LOG_WARN, machine->topic,
                           "a kernel that never waits for a pipe does not end: its thread stays");
        return;
    }
    machine->abandoned = false;
    sl_pool_stop(machine->pool); /* its threads may be about to tell the watch something */
    sl_watch_destroy(machine->watch);
    machine->watch = NULL;
    sl_fiber_pool_trim(&machine->fibers);
}
