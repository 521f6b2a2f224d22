/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in which each item goes through a row of its own: as many iterations at once as elements
 * are loaded together. */
#ifndef SL_KERNELS_VECTOR_COST_ROW_WALKS_H
#define SL_KERNELS_VECTOR_COST_ROW_WALKS_H

#include "vector/analysis/facts.h"

/* Loads of loops that are worth several iterations at once: facts->walks. */
void sl_vector_find_walks(struct sl_vector_facts *);
/* Is there a loop in which lanes go through cache lines of their own, bit by bit? The more lanes,
 * the more lines have to stay in the cache meanwhile, and often few of one place in a page do. */
bool sl_vector_has_own_rows(const struct sl_vector_facts *);
/* As many such rows as have room for a line each in the nearest cache at once. */
uint32_t sl_vector_rows_in_cache(const struct sl_vector_facts *);
/* Marks these loops; were there any? */
bool sl_vector_mark_walks(struct sl_vector_facts *);
/* Unrolls what is marked. False: nothing has changed. */
bool sl_vector_unroll_walks(struct sl_pass *, const struct sl_kernel_facts *);

#endif
