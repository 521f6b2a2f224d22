/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters that the watch has for a look: of a claimed one no fiber runs. */
#ifndef SL_FPGA_STALL_CLAIMS_H
#define SL_FPGA_STALL_CLAIMS_H

#include "fpga/cluster/cluster.h"

struct sl_stall_claim {
    struct sl_cluster *cluster;  /* held */
    enum sl_cluster_state state; /* before */
    uint32_t poked;
    bool claimed;
    bool known; /* all of its fibers are rows */
};

struct sl_stall_claims {
    struct sl_stall_claim *at; /* owned */
    uint32_t count;
};

/* All clusters, to be claimed. False: no memory. */
bool sl_stall_list_clusters(struct sl_machine *, struct sl_stall_claims *);
/* Those that run come within a moment or not at all; they must not be kept waiting for each other
 * for long. A cluster that comes has no word to say so, which would cost each of its rounds. */
void sl_stall_claim(struct sl_machine *, struct sl_stall_claims *);
void sl_stall_release(struct sl_machine *, struct sl_stall_claims *); /* and forgets them */

#endif
