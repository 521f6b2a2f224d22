/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector form of a region (items/region_copy.h): one run of its code computes `lanes`
 * work-items that follow each other in dimension 0. What is the same in all of them stays scalar;
 * branches on which they agree stay branches; where they differ, blocks run one after the other
 * under masks.
 *
 * Order of work: control flow, shape (what values look like across lanes), then emission:
 * flow (blocks, masks, loops) calls instruction, which calls memory, call and value.
 *
 * A value that lives longer than the blocks around it in the new order (out of a loop whose lanes
 * leave at different times, out of a block that is skipped when no lane wants it) goes through a
 * variable; mem2reg makes phis of these.
 *
 * State in three parts, by who may see it: what is known (analysis/facts.h), what is being emitted,
 * and what accesses of memory have to tell each other. Each folder's headers say what its sources
 * do. A compilation is one thread's.
 */
#ifndef SL_KERNELS_VECTOR_H
#define SL_KERNELS_VECTOR_H

#include "vector/analysis/facts.h"

/* One of the kernel's values, as code. */
struct sl_vector_value {
    struct sl_vector_known *known; /* the facts' */
    LLVMValueRef scalar;           /* uniform: the value; linear: lane 0's */
    LLVMValueRef *parts;           /* varying: one vector of lanes per element; owned */
    uint32_t part_count;
    LLVMValueRef *cells; /* variables that keep it for later blocks, instead; owned */
    LLVMTypeRef *cell_types;
    bool cell_scalar; /* one cell with `scalar` */
};

/* Where the code stands. */
struct sl_vector_emission {
    LLVMBuilderRef top; /* where values of the prologue go: dominates all that follows */
    LLVMValueRef mask;  /* lanes that run the current block */
    LLVMValueRef entry_mask;
    uint32_t block;           /* the kernel's block whose code is being emitted */
    LLVMValueRef *edge_masks; /* per edge: variable that holds the lanes that take it; NULL: none;
                                 flow.c owns it */
    struct sl_map values;     /* kernel's value -> struct sl_vector_value; owned */
    struct sl_list slots;     /* serial.c: memory for one vector each; owned */
    /* from the owner, for what is not of the region */
    LLVMValueRef (*place)(void *data, LLVMValueRef value); /* NULL: none */
    void *data;
};

/* What loads and stores leave for others. */
struct sl_vector_memory {
    struct sl_map
        wholes; /* memory_order.c: kernel's load -> variable: all lanes' in memory's order */
    struct sl_map delayed;  /* record.c: store -> the stores that it is made with */
    struct sl_list records; /* these; owned */
};

struct sl_vector {
    struct sl_group_function *g;
    struct sl_vector_facts facts;
    struct sl_vector_emission now;
    struct sl_vector_memory memory;
};

/* Frees all three parts. */
void sl_vector_finish(struct sl_vector *);

#endif
