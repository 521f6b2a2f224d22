/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that turn a tile round: what lies in a row elsewhere lies in a column here. */
#ifndef SL_KERNELS_VECTOR_COST_TURNED_ROWS_H
#define SL_KERNELS_VECTOR_COST_TURNED_ROWS_H

#include "vector/analysis/facts.h"

/* What loads and stores cost whose lanes lie apart and whose rows (dimension 1) lie side by side.
 * Of several rows in step they become one access of each lane
 * (llvm/loops/memory/turned_accesses.h). */
uint64_t sl_vector_turned_cost(const struct sl_vector_facts *);

#endif
