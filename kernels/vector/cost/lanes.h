/* SPDX-License-Identifier: Apache-2.0 */
/* How many lanes a region takes: not more than registers bear, and as many as keep the machine
 * busy. */
#ifndef SL_KERNELS_VECTOR_COST_LANES_H
#define SL_KERNELS_VECTOR_COST_LANES_H

#include "vector/analysis/facts.h"

/* Not more lanes than registers bear: how many there are then. */
uint32_t sl_vector_fit_lanes(struct sl_vector_facts *);
/* How many registers per value are of use. */
uint32_t sl_vector_fill_registers(struct sl_vector_facts *);
/* The same of machines with many registers that begin two operations on the largest ones per cycle:
 * most code waits there, and what does not find a register is read from memory meanwhile. */
uint32_t sl_vector_fill_wide_units(struct sl_vector_facts *);
/* The same of machines with many registers where there are longs, of which a register has fewer,
 * but nearly everything is words: two halves of a register are one. */
uint32_t sl_vector_fill_words(struct sl_vector_facts *);
/* Would so many lanes have long rows and find registers? */
bool sl_vector_has_room(struct sl_vector_facts *, uint32_t lanes);

#endif
