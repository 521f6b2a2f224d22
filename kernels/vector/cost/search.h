/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches by halves: what an item loaded decides where its next load is. In turn that is a branch,
 * or a move that waits for the load, and a branch that nobody can foretell; lanes only blend.
 */
#ifndef SL_KERNELS_VECTOR_COST_SEARCH_H
#define SL_KERNELS_VECTOR_COST_SEARCH_H

#include "vector/analysis/facts.h"

/* Is this the choice of such a search, as each item makes it for itself? */
bool sl_vector_is_search(const struct sl_vector_facts *, LLVMValueRef i);
/* `a += x[a] <= y[b]`, a step through one of two lists that are merged or compared: in turn each
 * round waits for the last one's loads. */
bool sl_vector_is_merge_step(const struct sl_vector_facts *, LLVMValueRef i);

#endif
