/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/stall/stall_claims.h"

#include <stdlib.h>
#include <time.h>

#include "fpga/cluster/machine.h"
#include "sluice/base/count.h"
#include "sluice/base/wait.h"

bool sl_stall_list_clusters(struct sl_machine *machine, struct sl_stall_claims *claims)
{
    uint32_t count = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at; at = at->next_cluster)
        count++;
    claims->at = calloc(count, sizeof *claims->at);
    for (struct sl_cluster *at = machine->clusters; claims->at && at; at = at->next_cluster) {
        if (sl_add_unless_zero(&at->refs)) /* else it is about to leave the list */
            claims->at[claims->count++] = (struct sl_stall_claim){.cluster = at};
    }
    pthread_mutex_unlock(&machine->lock);
    return claims->at != NULL;
}

static bool claim_one(struct sl_stall_claim *claim)
{
    static const enum sl_cluster_state states[] = {SL_CLUSTER_IDLE, SL_CLUSTER_NAPPING};
    claim->poked = atomic_load_explicit(&claim->cluster->poked, memory_order_seq_cst);
    for (int i = 0; i < 2 && !claim->claimed; i++) {
        claim->state = states[i];
        claim->claimed = sl_cluster_claim(claim->cluster, states[i]);
    }
    /* Who poked it since it fell idle may have found it claimed, and told nobody. */
    if (claim->claimed && claim->state == SL_CLUSTER_IDLE)
        claim->poked = claim->cluster->poked_seen;
    return claim->claimed;
}

void sl_stall_claim(struct sl_machine *machine, struct sl_stall_claims *claims)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 100000};
    bool all = false;
    atomic_fetch_add_explicit(&machine->looking, 1, memory_order_seq_cst);
    for (int turn = 0; turn < TRIES && !all; turn++) {
        if (turn)
            nanosleep(&moment, NULL);
        all = true;
        for (uint32_t i = 0; i < claims->count; i++)
            all &= claims->at[i].claimed || claim_one(&claims->at[i]);
    }
}

void sl_stall_release(struct sl_machine *machine, struct sl_stall_claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        if (claims->at[i].claimed)
            sl_cluster_release(claims->at[i].cluster, claims->at[i].state, claims->at[i].poked);
    }
    atomic_fetch_add_explicit(&machine->looking, 1, memory_order_seq_cst);
    sl_futex_wake(&machine->looking, INT32_MAX);
    for (uint32_t i = 0; i < claims->count; i++)
        sl_cluster_drop(claims->at[i].cluster);
    free(claims->at);
}
