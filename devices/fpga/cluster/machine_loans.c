/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters that the host runs. machine->lock guards the list of clusters, what was seen of their
 * visits, and the queue; a cluster that is lent changes hands without it. */
#include "fpga/cluster/machine.h"
#include "sluice/base/count.h"

static bool is_lent(const struct sl_cluster *cluster)
{
    return cluster->hosted &&
           atomic_load_explicit(&cluster->state, memory_order_relaxed) == SL_CLUSTER_LENT;
}

/* Which of them nobody has visited since the last look; true: somebody has visited others. */
static bool look(struct sl_machine *machine)
{
    bool others = false;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at; at = at->next_cluster) {
        uint32_t visits = atomic_load_explicit(&at->visits, memory_order_relaxed);
        at->left = visits == at->visits_seen;
        others |= is_lent(at) && !at->left;
        at->visits_seen = visits;
    }
    pthread_mutex_unlock(&machine->lock);
    return others;
}

/* Held. */
static struct sl_cluster *find(struct sl_machine *machine, bool all)
{
    struct sl_cluster *found = NULL;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at && !found; at = at->next_cluster)
        if (is_lent(at) && (all || at->left) &&
            sl_add_unless_zero(&at->refs)) /* else it is about to go */
            found = at;
    pthread_mutex_unlock(&machine->lock);
    return found;
}

bool sl_machine_end_loans(struct sl_machine *machine, enum sl_loans which)
{
    enum { MOST = 64 }; /* others may lend meanwhile what was taken back */
    const bool stopped = which == SL_LOANS_STOPPED;
    const bool others = which == SL_LOANS_LEFT && look(machine);
    struct sl_cluster *cluster;
    for (int i = 0; (i < MOST || stopped) && (cluster = find(machine, which != SL_LOANS_LEFT));
         i++) {
        if (stopped)
            sl_cluster_end_loan(cluster);
        else
            sl_cluster_take_back(cluster);
        sl_cluster_drop(cluster);
    }
    return others;
}

/* Whose kernels are known: what they do at a time is short. No longer queued; the hold is the
 * caller's. */
static struct sl_cluster *take_known(struct sl_machine *machine)
{
    struct sl_cluster *before = NULL, *at;
    pthread_mutex_lock(&machine->lock);
    for (at = machine->queue; at && (!at->hosted || sl_cluster_is_strange(at)); at = at->queued)
        before = at;
    if (at) {
        *(before ? &before->queued : &machine->queue) = at->queued;
        if (machine->queue_tail == at)
            machine->queue_tail = before;
        atomic_fetch_sub_explicit(&machine->queued, 1, memory_order_seq_cst);
    }
    pthread_mutex_unlock(&machine->lock);
    return at;
}

bool sl_machine_help(struct sl_machine *machine)
{
    if (!atomic_load_explicit(&machine->queued, memory_order_relaxed) ||
        !sl_machine_is_inside(NULL) || !machine->watch)
        return false;
    struct sl_cluster *cluster = take_known(machine);
    if (!cluster)
        return false;
    sl_cluster_help(cluster);
    sl_cluster_drop(cluster);
    return true;
}
