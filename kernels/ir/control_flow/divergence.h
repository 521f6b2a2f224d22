/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where work-items part at a branch: which blocks some of them may pass by, and where they meet
 * again by different ways. Of any graph whose nodes are numbers: a function's blocks, or those of a
 * region. Which branches part them the caller finds out (ir/control_flow/uniformity.h for a whole
 * function, vector/analysis/shape.h from lane to lane). One thread's.
 */
#ifndef SL_KERNELS_IR_DIVERGENCE_H
#define SL_KERNELS_IR_DIVERGENCE_H

#include "ir/control_flow/dominators.h"

#include <stdbool.h>
#include <stdint.h>

struct sl_divergence {
    uint32_t count;            /* of blocks; the end, where all leave the graph, has this number */
    struct sl_dominators post; /* from the end */
    uint32_t *out, *in;        /* neighbours, block after block */
    uint32_t *first_out, *first_in;           /* per block, and one more: where its own begin */
    uint32_t branch, *reached, reached_count; /* what was asked last */
    bool *has;     /* per block: items come to it between the branch and where all have met */
    uint32_t *way; /* per block, by which way they come: by a successor (its number behind the
                      end's), or one for all from the block where ways met; SL_NO_NODE: not known */
};

/* Blocks in reverse post-order; edges in the order of each block's successors, those that leave
 * the graph to `count`. Owns what it makes, and needs the edges no more. */
void sl_divergence_init(struct sl_divergence *, uint32_t count, const struct sl_graph_edge *,
                        uint32_t edge_count);
void sl_divergence_finish(struct sl_divergence *);

/* Items part at this branch: what the following say is of it. */
void sl_divergence_follow(struct sl_divergence *, uint32_t branch);
/* Some items may come to this block, or come once more, while others do not. */
bool sl_divergence_passes(const struct sl_divergence *, uint32_t block);
/* Items that parted may come to this block, or to the end, by different edges. */
bool sl_divergence_joins(const struct sl_divergence *, uint32_t block);

#endif
