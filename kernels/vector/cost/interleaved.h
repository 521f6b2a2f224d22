/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenCL vectors of items, kept as memory would have them: all elements of the first item, those of
 * the next one, in one vector of lanes times elements. What loops keep and only meets others
 * element by element (float4 sums of a product of matrices, of a filter over pixels) is loaded and
 * stored as it is then, and fewer items than a register has words fill all of its words. Other
 * values have a vector of lanes per element, and are taken apart and put together where both kinds
 * meet.
 */
#ifndef SL_KERNELS_VECTOR_COST_INTERLEAVED_H
#define SL_KERNELS_VECTOR_COST_INTERLEAVED_H

#include "vector/analysis/facts.h"

/* Which values these are, and how many. Shapes are known then. */
uint32_t sl_vector_find_interleaved(struct sl_vector_facts *);
/* There are some, and loops compute with nothing else but addresses. */
bool sl_vector_all_interleaved(const struct sl_vector_facts *);
/* Bits of the smallest vector of one item that is, in loops; 0: none is. */
uint32_t sl_vector_interleaved_bits(const struct sl_vector_facts *);

#endif
