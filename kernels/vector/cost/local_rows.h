/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's local memory says of its groups, where no size is required: `table[4][1024]` of
 * which each item has a row is for groups of four. Stateless. */
#ifndef SL_KERNELS_VECTOR_COST_LOCAL_ROWS_H
#define SL_KERNELS_VECTOR_COST_LOCAL_ROWS_H

#include "ir/pass.h"

/* The most items of a group along dimension 0 that find their places in local memory; UINT32_MAX:
 * nobody can tell. Whether a group has more is not known: it would be the program's mistake. */
uint32_t sl_vector_most_in_row(const struct sl_kernel_facts *);

#endif
