/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dominators of any graph whose nodes are numbers: of a function's blocks, of a region's, and with
 * the edges turned round post-dominators. Stateless.
 */
#ifndef SL_KERNELS_IR_DOMINATORS_H
#define SL_KERNELS_IR_DOMINATORS_H

#include <stdbool.h>
#include <stdint.h>

#define SL_NO_NODE UINT32_MAX

struct sl_graph_edge {
    uint32_t from, to;
};

/* Per node its immediate dominator, for the caller to free: the root's is itself, SL_NO_NODE where
 * nothing leads from the root to the node. */
uint32_t *sl_find_dominators(uint32_t count, const struct sl_graph_edge *, uint32_t edge_count,
                             uint32_t root);

/* The same with what makes questions cheap. */
struct sl_dominators {
    uint32_t *idom; /* as above */
    uint32_t *enter,
        *leave; /* by node: the numbers below it in the tree, of which enter is its own */
};
struct sl_dominators sl_make_dominators(uint32_t count, const struct sl_graph_edge *,
                                        uint32_t edge_count, uint32_t root);
void sl_free_dominators(struct sl_dominators *);
/* Does every way from the root to b lead through a? True where there is none. Constant time. */
bool sl_dominates(const struct sl_dominators *, uint32_t a, uint32_t b);

#endif
