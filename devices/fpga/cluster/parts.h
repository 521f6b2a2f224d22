/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster divided into parts, each of which is a cluster with a thread of its own. The cluster
 * that launches are sent to is the home: it alone decides, keeps part 0, and sends fibers of other
 * parts on to them. Rings between parts are cut (cut_ring.h), all others are still one thread's.
 *
 * All fibers are at home while the cluster is whole. To divide it the home, between two of its
 * fibers, cuts rings and sends each part its fibers, in one message. To join it the home recalls
 * the parts: each sends all of its fibers back, and whatever still comes there after them. When the
 * last one has come home the rings are joined again.
 *
 * Only where all operations wait, no variable is shared and each end of a pipe is one launch's: so
 * what kernels compute does not depend on how they are divided. Of launches of one kernel that are
 * under way together, which packet goes to which is a matter of the order in which they run; the
 * second one waits until the cluster is whole again.
 */
#ifndef SL_FPGA_PARTS_H
#define SL_FPGA_PARTS_H

#include <stdbool.h>
#include <stdint.h>

struct sl_cluster;
struct sl_design;
struct sl_fiber;
struct sl_kernel_info;
struct sl_news;
struct sl_parts;

/* Of a component of the design, whose kernels are known; NULL: it is never divided. */
struct sl_parts *sl_parts_create(struct sl_design *, uint32_t component);
/* What its kernels compute does not depend on when they run. */
bool sl_parts_is_determinate(const struct sl_design *, uint32_t component);
void sl_parts_destroy(struct sl_parts *); /* NULL is a no-op */

/* From any thread: the foreign ends of all parts but the home. */
void sl_parts_poke(struct sl_parts *);
/* Of a home: the i-th cluster that is a part of it; NULL: there are no more. */
struct sl_cluster *sl_parts_below(struct sl_cluster *, uint32_t i);

/* ---- for the thread of a cluster that has `parts` -------------------------------------------- */

/* At home, a new fiber: may be sent on. */
void sl_parts_began(struct sl_cluster *, struct sl_fiber *);
/* At home. False: it is divided, and the news will be taken again once it is whole, in front of
 * fibers that begin meanwhile. */
bool sl_parts_await_whole(struct sl_parts *, struct sl_news *);
/* Anywhere: it has ended, and nobody was told yet. */
void sl_parts_ended(struct sl_cluster *, const struct sl_fiber *);
/* The thread goes to a fiber; has come back from fibers, of which the first was one of the kernel.
 */
void sl_parts_go(struct sl_cluster *);
void sl_parts_went(struct sl_cluster *, const struct sl_kernel_info *);
/* cluster->load.due, and there is a fiber. */
void sl_parts_act(struct sl_cluster *);

#endif
