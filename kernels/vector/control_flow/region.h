/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region in vector form: planned and emitted for one vector by region.c; region_loops.c puts that
 * into loops over rows. A compilation is one thread's.
 */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_REGION_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_REGION_H

#include "items/region_copy.h"
#include "vector/analysis/guard.h"
#include "vector/control_flow/remainder.h"
#include "vector/vector.h"

struct sl_vector_region {
    struct sl_vector v;
    struct sl_group_function *g;
    struct sl_region *region;
    uint32_t number;
    struct sl_list blocks;
    struct sl_map variables;
    struct sl_list owned; /* struct sl_vector_variable */
    const struct sl_item *item;
    LLVMBasicBlockRef latch;
    bool *written, *used; /* per slot; owned */
    struct sl_vector_guard guard;
    bool is_guarded;
    bool tells; /* items in turn: the last one of a row runs as well, for what it is the end of */
    struct sl_vector_inner *inner;    /* owned; NULL: the row has no such part (inner_part.c) */
    bool full;                        /* rows are so many items as fill vectors, all of them */
    bool once;                        /* there are no items whose slots could be read */
    struct sl_vector_outcome outcome; /* of several loops */
};

/* The same in vector form. NULL: there is none. */
struct sl_vector_region *sl_vector_region_plan(struct sl_group_function *, uint32_t number);
/* The same region planned once more, for items of which so much is known. NULL: there is no vector
 * form. Freed with sl_vector_region_free. */
struct sl_vector_region *sl_vector_region_plan_decided(struct sl_group_function *, uint32_t number,
                                                       const struct sl_vector_decided *);
/* For items in turn, of which only some do anything there, as the guard says: no vector form.
 * NULL: all may, or there are no barriers that part the kernel. Freed with sl_vector_region_free.
 */
struct sl_vector_region *sl_vector_region_plan_turns(struct sl_group_function *, uint32_t number);
/* Bits of enum sl_vector_multiples: rows whose first item is not so have no vector form. */
uint32_t sl_vector_region_counts_on(const struct sl_vector_region *);
/* Nothing in it depends on the item: it runs once, without rows. */
bool sl_vector_region_is_one(const struct sl_vector_region *);
void sl_vector_region_emit_once(struct sl_vector_region *, struct sl_region *);
void sl_vector_region_free(struct sl_vector_region *);
/* Results go there from now on. */
void sl_vector_region_begin(struct sl_vector_region *, struct sl_region *);
/* Code of one vector of items; an sl_item_body_fn. */
void sl_vector_region_emit_lanes(const struct sl_item *, void *region);
/* As sl_way.next, from a block behind the region. */
int32_t sl_vector_region_way_to(const struct sl_split *, LLVMBasicBlockRef target);

#endif
