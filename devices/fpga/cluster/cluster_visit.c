/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the application that runs a cluster for a moment. From inside of a transfer, where
 * nothing of the driver's may be called, it runs fibers only (a visit); where it holds no lock it
 * takes in launches and tells the driver what has ended as well (help). No lock: as in
 * cluster_run.c.
 */
#include <time.h>

#include "fpga/base/shadow.h"
#include "fpga/cluster/cluster_run.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/watch.h"
#include "sluice/base/wait.h"

/* Every fiber that is ready has asked in vain since anything moved. */
static bool is_fruitless(const struct sl_cluster *cluster)
{
    uint32_t count = 0;
    for (struct sl_fiber *at = cluster->fruitless ? cluster->ready : NULL; at; at = at->next)
        count++;
    return count && cluster->fruitless >= count;
}

/* Something for a thread that may call the driver. */
static bool needs_thread(struct sl_cluster *cluster)
{
    return cluster->ended || cluster->notified ||
           atomic_load_explicit(&cluster->inbox, memory_order_seq_cst);
}

static void run_visited(struct sl_cluster *cluster)
{
    sl_shadow_thread(&cluster->thread.shadow);
    cluster->fruitless = 0;
    while (!needs_thread(cluster) && !is_fruitless(cluster)) {
        if (cluster->outside)
            sl_cluster_look_outside(cluster);
        struct sl_fiber *next = sl_cluster_pick(cluster);
        if (!next)
            return;
        sl_cluster_switch_to(cluster, next);
        if (sl_cluster_visit_over(cluster))
            return;
    }
}

/* ---- what is known of kernels ---------------------------------------------------------------- */

static void mark(const struct sl_fiber *fiber, bool brief)
{
    struct sl_design *design = fiber->design;
    if (design)
        atomic_store_explicit(&design->kernels[fiber->kernel - design->info->kernels].brief, brief,
                              memory_order_relaxed);
}

/* All kernels that are there, by what the calling thread had with them. */
static void mark_all(struct sl_cluster *cluster, bool brief)
{
    for (const struct sl_fiber *at = cluster->fibers; at; at = at->next_fiber)
        mark(at, brief);
    atomic_store_explicit(&cluster->strange, !brief, memory_order_relaxed);
}

/* ---- visits ---------------------------------------------------------------------------------- */

/* A thread that was napping still counts on finding the cluster so. */
static void end_visit(struct sl_cluster *cluster, enum sl_cluster_state before)
{
    bool napping = before == SL_CLUSTER_NAPPING, thread = needs_thread(cluster);
    atomic_fetch_add_explicit(&cluster->visits, 1, memory_order_relaxed);
    cluster->visit_until = 0;
    sl_cluster_stir(cluster);
    atomic_store_explicit(&cluster->state, napping ? SL_CLUSTER_NAPPING : SL_CLUSTER_LENT,
                          memory_order_seq_cst);
    if (thread || atomic_load_explicit(&cluster->inbox, memory_order_seq_cst)) {
        sl_cluster_poke(cluster);
        sl_cluster_take_back(cluster);
    } else if (!napping) {
        sl_watch_lent(cluster->machine->watch);
    }
}

bool sl_cluster_visit(struct sl_cluster *cluster, const uint64_t *index, uint64_t now,
                      uint64_t until)
{
    static const enum sl_cluster_state states[] = {SL_CLUSTER_LENT, SL_CLUSTER_IDLE,
                                                   SL_CLUSTER_NAPPING};
    enum { BRIEF_NS = 20000 };
    bool mine = false;
    int i = -1;
    if (!cluster->machine->watch)
        return false;
    while (!mine && ++i < 3)
        mine = sl_cluster_claim(cluster, states[i]);
    atomic_store_explicit(&cluster->wanted, !mine || states[i] == SL_CLUSTER_NAPPING,
                          memory_order_relaxed);
    if (!mine)
        return false;
    const uint64_t before = *index;
    cluster->visit_until = until;
    cluster->visit_looks = 0;
    sl_machine_resumes(cluster->machine, cluster);
    struct sl_guest guest = sl_machine_enter(cluster->machine, now);
    run_visited(cluster);
    sl_machine_leave(&guest);
    if (atomic_load_explicit(&cluster->strange, memory_order_relaxed) && *index != before &&
        sl_clock_ns() - now < BRIEF_NS)
        mark_all(cluster, true);
    end_visit(cluster, states[i]);
    return true;
}

/* ---- help ------------------------------------------------------------------------------------ */

/* A program that is going may be unloaded with the last of its kernels, which takes more stack than
 * a thread of the application may have. Its farewell is still in the inbox if it goes after this.
 */
static bool ends_plainly(const struct sl_fiber *fiber)
{
    return !fiber || !fiber->design ||
           !atomic_load_explicit(&fiber->design->leaving, memory_order_acquire);
}

/* Launches of kernels that are known, and the like. False: there is something else. */
static bool take_brief_news(struct sl_cluster *cluster)
{
    struct sl_news *newest = atomic_load_explicit(&cluster->inbox, memory_order_acquire);
    do {
        for (const struct sl_news *at = newest; at; at = at->next)
            if (!cluster->machine->ops->is_brief(at))
                return false;
    } while (newest &&
             !atomic_compare_exchange_weak_explicit(&cluster->inbox, &newest, NULL,
                                                    memory_order_acquire, memory_order_acquire));
    sl_cluster_take_news(cluster, newest);
    return true;
}

/* Of the calling thread. */
static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* False: it is for a thread of the machine. */
static bool serve(struct sl_cluster *cluster)
{
    do {
        if (!ends_plainly(cluster->ended))
            return false;
        sl_cluster_report(cluster);
        if (!take_brief_news(cluster))
            return false;
        run_visited(cluster);
    } while (needs_thread(cluster) && sl_clock_ns() < cluster->visit_until);
    return true;
}

void sl_cluster_help(struct sl_cluster *cluster)
{
    enum { LONGEST_NS = 50000 };
    const uint64_t now = sl_clock_ns(), cpu = cpu_ns();
    atomic_store_explicit(&cluster->state, SL_CLUSTER_BUSY, memory_order_seq_cst);
    cluster->parked_ns = 0;
    cluster->visit_until = now + LONGEST_NS;
    cluster->visit_looks = 0;
    sl_machine_resumes(cluster->machine, cluster);
    struct sl_guest guest = sl_machine_enter(cluster->machine, now);
    bool served = serve(cluster);
    sl_machine_leave(&guest);
    bool over = sl_clock_ns() >= cluster->visit_until;
    if (over && cpu_ns() - cpu >= LONGEST_NS) /* else the processor was another's meanwhile */
        mark_all(cluster, false);
    else if (!served)
        atomic_store_explicit(&cluster->strange, true, memory_order_relaxed);
    end_visit(cluster, SL_CLUSTER_LENT);
    if (over || !served)
        sl_cluster_take_back(cluster);
}
