/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where ids are parted at powers of two: `id / 32` is the number of a row and `id % 32` the place
 * in it where so many work-items share a row's work. Vectors that begin at multiples of their lanes
 * (facts.h, may_count_on) lie on one side of all of these, unless they have more lanes than that.
 * Read-only; no shared state.
 */
#ifndef SL_KERNELS_VECTOR_COST_PARTS_H
#define SL_KERNELS_VECTOR_COST_PARTS_H

#include "vector/analysis/facts.h"

struct sl_vector_parts {
    uint32_t least; /* lanes: no more, or what shapes count on would not be so; 0: as many as one
                       likes */
    uint32_t fewer; /* the most lanes with which a number that now is one per lane would be one; 0:
                       there is none */
};

struct sl_vector_parts sl_vector_parts(const struct sl_vector_facts *);

#endif
