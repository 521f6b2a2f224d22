/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the vector form's control flow share. Of a scope (analysis/scope.h) real blocks
 * keep their branches; a sequence's blocks run one behind the other, each for the lanes whose edges
 * lead to it. Loops inside a sequence are units of it, skipped when no lane wants them.
 */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_H

#include "vector/analysis/scope.h"
#include "vector/vector.h"

/* Takes the builder where edges out of the region end up: one that all lanes take and that has no
 * mask, or several with masks. */
typedef void (*sl_vector_leave_fn)(struct sl_vector *, const uint32_t *edges, uint32_t count,
                                   void *data);

struct sl_flow_scope {
    struct sl_scope of;
    LLVMValueRef mask;         /* lanes that run it */
    LLVMBasicBlockRef landing; /* loop: where real edges out of it go */
};

struct sl_flow {
    struct sl_vector *v;
    struct sl_flow_scope *scope;
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
    return &f->v->facts.plan.blocks[b];
}

static inline bool sl_flow_in_scope(struct sl_flow *f, uint32_t b)
{
    return sl_scope_has(&f->scope->of, b);
}

static inline bool sl_flow_is_masked(struct sl_flow *f, uint32_t b)
{
    return sl_scope_is_masked(&f->scope->of, b);
}

/* All blocks of the region. */
void sl_vector_emit_flow(struct sl_vector *, sl_vector_leave_fn leave, void *data);
void sl_flow_emit_scope(struct sl_flow *, struct sl_flow_scope *);

#endif
