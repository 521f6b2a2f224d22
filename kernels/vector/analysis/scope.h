/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scope is the region, or a loop that all active lanes leave together; in it, blocks that all of
 * the scope's lanes reach keep their branches ("real"), and what lies between a divergent branch
 * and the place where lanes meet again is masked: its blocks, a sequence, run one behind the other.
 * Read-only but for what is found here.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SCOPE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SCOPE_H

#include "vector/analysis/control_flow.h"

struct sl_scope {
    const struct sl_vector_plan *plan;
    uint32_t loop;    /* number; 0: the whole region */
    uint64_t *masked; /* a row of bits; owned */
};

/* Sets scope->masked, which the caller frees. */
void sl_scope_find_masked(struct sl_scope *);
bool sl_scope_has(const struct sl_scope *, uint32_t block);
bool sl_scope_is_masked(const struct sl_scope *, uint32_t block);
/* Masked blocks that these edges lead to, through masked blocks: sequence[block] is set. */
void sl_scope_find_sequence(const struct sl_scope *, const uint32_t *edges, uint32_t count,
                            bool *sequence);

#endif
