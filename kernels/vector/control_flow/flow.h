/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the vector form's control flow share. A scope is the piece, or a loop that all
 * active lanes leave together; in it, blocks that all of the scope's lanes reach keep their
 * branches
 * ("real"), and what lies between a divergent branch and the place where lanes meet again is a
 * chain: its blocks run one behind the other, each for the lanes whose edges lead to it. Loops
 * inside a chain are units of it, skipped when no lane wants them.
 */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_H

#include "vector/vector.h"

struct sl_scope {
    uint32_t loop; /* number; 0: the whole piece */
    LLVMValueRef mask;
    uint64_t *masked;          /* owned */
    LLVMBasicBlockRef landing; /* loop: where real edges out of it go */
};

struct sl_flow {
    struct sl_vector *v;
    struct sl_scope *scope;
    sl_vector_leave_fn leave;
    void *data;
    LLVMBasicBlockRef *begin; /* per real block */
    bool *done;
    bool *kept; /* per block: a loop around it wants its values in variables */
};

static inline LLVMBuilderRef sl_flow_builder(struct sl_flow *f)
{
    return f->v->g->e.builder;
}

static inline LLVMBasicBlockRef sl_flow_new_block(struct sl_flow *f, const char *name)
{
    return LLVMAppendBasicBlockInContext(f->v->g->e.context, f->v->g->function, name);
}

static inline struct sl_vector_block *sl_flow_block_of(struct sl_flow *f, uint32_t b)
{
    return &f->v->plan.blocks[b];
}

static inline bool sl_flow_in_scope(struct sl_flow *f, uint32_t b)
{
    return b < f->v->plan.count &&
           (!f->scope->loop || sl_vector_loop_has(&f->v->plan, f->scope->loop, b));
}

static inline bool sl_flow_is_masked(struct sl_flow *f, uint32_t b)
{
    return sl_bits_has(f->scope->masked, b);
}

/* ---- flow_mask.c: masks of edges, kept in variables; phis ------------------------------------ */
LLVMTypeRef sl_flow_mask_type(struct sl_flow *);
LLVMValueRef sl_flow_mask_cell(struct sl_flow *);
void sl_flow_clear_mask(struct sl_flow *, LLVMValueRef cell);
LLVMValueRef sl_flow_load_mask(struct sl_flow *, LLVMValueRef cell);
/* A variable for the edge's mask, without lanes. */
void sl_flow_open_edge(struct sl_flow *, uint32_t edge);
/* Lanes that come by any of these edges; NULL: none has a mask. */
LLVMValueRef sl_flow_arriving(struct sl_flow *, const uint32_t *edges, uint32_t count);
/* From the lanes at the end of a block to those of its edges. */
void sl_flow_set_edge_masks(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* What a phi is given by these edges: lane by lane, or for all lanes that are on their way. */
LLVMValueRef sl_flow_blend(struct sl_flow *, LLVMValueRef phi, uint32_t part, const uint32_t *edges,
                           uint32_t count);
LLVMValueRef sl_flow_choose(struct sl_flow *, LLVMValueRef phi, const uint32_t *edges,
                            uint32_t count);
bool sl_flow_is_vector(struct sl_flow *, LLVMValueRef);
void sl_flow_set_phis_of_chain(struct sl_flow *, uint32_t block);
/* A real block and its phis, still without entries. */
void sl_flow_open_real(struct sl_flow *, uint32_t block);
/* Goes to a real block, by one edge or with lanes from several. */
void sl_flow_arrive(struct sl_flow *, uint32_t block, const uint32_t *edges, uint32_t count);

/* ---- flow_block.c: the code of one block ----------------------------------------------------- */
typedef void (*sl_flow_value_fn)(struct sl_flow *, LLVMValueRef value);
bool sl_flow_used_outside_loop(struct sl_flow *, LLVMValueRef, uint32_t loop);
void sl_flow_each_live_out(struct sl_flow *, uint32_t loop, sl_flow_value_fn visit);
void sl_flow_emit_code(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* The same; once more for all lanes where masks cost. */
void sl_flow_emit_for(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* One block for some lanes. Its phis are set, or it is the header of the loop that runs. */
void sl_flow_emit_masked(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* The same, or the loop that it heads, if that is not `around`. */
void sl_flow_emit_in_chain(struct sl_flow *, uint32_t block, uint32_t around);

/* ---- flow_loop.c: a loop in a chain ---------------------------------------------------------- */
void sl_flow_emit_loop(struct sl_flow *, uint32_t loop);

/* ---- flow.c ---------------------------------------------------------------------------------- */
void sl_flow_find_masked(struct sl_flow *, struct sl_scope *);
/* Masked blocks that are reached from here through masked blocks. */
void sl_flow_collect_chain(struct sl_flow *, uint32_t from, bool *chain);
void sl_flow_emit_scope(struct sl_flow *, struct sl_scope *);

#endif
