/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a region costs in vector form and item by item, in scalar instructions; what is in a loop
 * counts more. The figures are rough on purpose: they have to tell arithmetic from gathers, not one
 * kernel from the next. What has been decided so far, lanes above all, is the vector's. No shared
 * state.
 */
#ifndef SL_KERNELS_VECTOR_COST_COST_H
#define SL_KERNELS_VECTOR_COST_COST_H

#include "vector/analysis/facts.h"

struct sl_vector_costs {
    const struct sl_vector_facts *v;
    uint64_t scalar, vector; /* of all lanes, one run of the region */
    uint64_t apart;          /* of the latter, what is not the same for all lanes */
    uint64_t updates;        /* of the latter, what updates memory lane by lane */
    uint32_t busiest;        /* varying instructions of the largest innermost loop */
    bool recurs;             /* in it a sum waits for itself */
    uint64_t loss;           /* what the dearest instruction costs more at once than in turn */
    LLVMValueRef dearest;    /* NULL: none does */
};

/* Of all blocks of the plan. */
struct sl_vector_costs sl_vector_cost_of_region(const struct sl_vector_facts *);
/* What an instruction costs. */
uint64_t sl_vector_cost(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);
/* What it costs to get from memory's order to the lanes', or back. */
uint64_t sl_vector_regrouping(const struct sl_vector_facts *, LLVMTypeRef);
/* Bits of one element in memory; 8 of what has none, as structs. */
unsigned sl_vector_bits(LLVMTypeRef);
/* Floats of any width, and vectors of them. */
bool sl_vector_is_number(LLVMTypeRef);

#endif
