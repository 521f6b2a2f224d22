/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control flow of one region: blocks in reverse post-order, dominators, loops, and how far a
 * divergent branch reaches. Analyses add to it which branches diverge; nobody else changes it. A
 * plan is one thread's.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_CONTROL_FLOW_H
#define SL_KERNELS_VECTOR_ANALYSIS_CONTROL_FLOW_H

#include "ir/control_flow/divergence.h"
#include "ir/map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_vector_edge {
    uint32_t from, to; /* numbers of blocks; plan->count: the region ends here */
    LLVMBasicBlockRef
        target; /* the kernel's block, a split point's if the region ends there; NULL: return */
    uint32_t successor; /* which one of the terminator */
};

struct sl_vector_block {
    LLVMBasicBlockRef ref;
    uint32_t *out, *in; /* numbers of edges, owned; in the order of successors */
    uint32_t out_count, in_count;
    uint32_t idom, ipdom; /* idom of the first is itself; ipdom count: the end */
    uint32_t loop;        /* innermost, 1 + index; 0: none */
    bool divergent;       /* lanes may leave it by different edges */
    uint64_t *influence;  /* of a divergent one: blocks that some lanes may pass by; owned */
};

struct sl_vector_loop {
    uint32_t header, parent; /* parent: 1 + index, 0: none */
    uint64_t *blocks;        /* owned */
    bool divergent;          /* lanes may leave it at different times */
};

struct sl_vector_plan {
    struct sl_vector_block *blocks; /* owned; [0] is where the region starts; reverse post-order */
    uint32_t count;
    size_t words;                 /* of a row of bits for all blocks and the end */
    struct sl_vector_edge *edges; /* owned */
    uint32_t edge_count;
    struct sl_vector_loop *loops; /* owned; outer ones before inner ones */
    uint32_t loop_count;
    struct sl_divergence parting;
    struct sl_map numbers; /* kernel's block -> 1 + number */
    uint64_t *joins;       /* blocks whose phis differ between lanes because paths do */
    uint32_t obstacle;     /* the block where it turned out that there is no vector form */
};

/* Which block is behind an edge of the kernel: NULL means that the region ends. */
typedef LLVMBasicBlockRef (*sl_vector_inside_fn)(LLVMBasicBlockRef, void *data);
/* -1: control flow that has no vector form. */
int sl_vector_plan_init(struct sl_vector_plan *, LLVMBasicBlockRef *blocks, uint32_t count,
                        sl_vector_inside_fn inside, void *data);
void sl_vector_plan_finish(struct sl_vector_plan *);
/* What that block ends with, for remarks. */
LLVMValueRef sl_vector_plan_obstacle(const struct sl_vector_plan *);
/* Lanes differ at the end of this block; true if that is news. */
bool sl_vector_plan_diverge(struct sl_vector_plan *, uint32_t block);
/* Some lanes may, while others run it. */
bool sl_vector_may_pass_by(const struct sl_vector_plan *, uint32_t block);
uint32_t sl_vector_number(const struct sl_vector_plan *, LLVMBasicBlockRef);
bool sl_vector_loop_has(const struct sl_vector_plan *, uint32_t loop, uint32_t block);

#endif
