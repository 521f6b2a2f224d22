/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a turn of a cluster's thread (cluster_run.c), for a thread of the application that runs
 * the cluster in its place (cluster_visit.c). By whoever runs it. */
#ifndef SL_FPGA_CLUSTER_RUN_H
#define SL_FPGA_CLUSTER_RUN_H

#include "fpga/cluster/cluster.h"

/* What has been taken out of the inbox; NULL is a no-op. */
void sl_cluster_take_news(struct sl_cluster *, struct sl_news *newest);
/* Fibers whose foreign end has moved become ready. True: there was one. */
bool sl_cluster_look_outside(struct sl_cluster *);
/* The next ready fiber, no longer in that list; NULL: there is none. */
struct sl_fiber *sl_cluster_pick(struct sl_cluster *);
/* The calling thread goes to it, and comes back here from one of them. */
void sl_cluster_switch_to(struct sl_cluster *, struct sl_fiber *);
/* What the fibers left for the thread: it calls the driver. */
void sl_cluster_report(struct sl_cluster *);

#endif
