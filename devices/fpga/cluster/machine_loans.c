/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters that the host visits. machine->lock guards the list of clusters and what was seen of
 * their visits; a cluster changes hands without it. */
#include "fpga/cluster/machine.h"
#include "sluice/base/count.h"

/* Held, and what is lent although nobody has come since the last look; with `all` what is lent. */
static struct sl_cluster *find(struct sl_machine *machine, bool all, bool *others)
{
    struct sl_cluster *found = NULL;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at && !found; at = at->next_cluster) {
        if (!at->hosted ||
            atomic_load_explicit(&at->state, memory_order_relaxed) != SL_CLUSTER_LENT)
            continue;
        uint32_t visits = atomic_load_explicit(&at->visits, memory_order_relaxed);
        bool came = visits != at->visits_seen;
        at->visits_seen = visits;
        *others |= came;
        if ((all || !came) && sl_add_unless_zero(&at->refs)) /* else it is about to go */
            found = at;
    }
    pthread_mutex_unlock(&machine->lock);
    return found;
}

bool sl_machine_end_loans(struct sl_machine *machine, enum sl_loans which)
{
    enum { MOST = 64 }; /* others may lend meanwhile what was taken back */
    bool others = false;
    struct sl_cluster *cluster;
    for (int i = 0; i < MOST && (cluster = find(machine, which != SL_LOANS_LEFT, &others)); i++) {
        if (which == SL_LOANS_STOPPED)
            sl_cluster_end_loan(cluster);
        else
            sl_cluster_take_back(cluster);
        sl_cluster_drop(cluster);
    }
    return others;
}
