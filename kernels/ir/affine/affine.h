/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Affine analysis: how a number or an address goes from work-item to work-item along one dimension
 * - the same in all, in even steps, or otherwise. One set of rules for all that ask; what an id is,
 * and what else is known of values, the caller says. Read-only; no shared state.
 */
#ifndef SL_KERNELS_IR_AFFINE_H
#define SL_KERNELS_IR_AFFINE_H

#include "ir/map.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

enum sl_shape_kind {
    SL_SHAPE_NONE,    /* not computed so far */
    SL_SHAPE_UNIFORM, /* the same in all items */
    SL_SHAPE_LINEAR,  /* the first item's plus the item's number times stride, modulo the width */
    SL_SHAPE_VARYING,
};

struct sl_shape {
    enum sl_shape_kind kind;
    int64_t stride; /* bytes for pointers */
    bool nsw, nuw;  /* linear integers: also as signed / unsigned numbers, not just modulo */
    bool low_half;  /* linear, of 64 bits: the lower 32 of them are so too, with nsw and nuw */
};

enum sl_affine_exactness {
    SL_AFFINE_PROVEN,  /* the stride is certain; phis vary */
    SL_AFFINE_GUARDED, /* it is what it is unless a number wraps around or meets a bound, which
                          code asks at run time (ir/affine/affine_modulo.h); phis vary */
    SL_AFFINE_LIKELY,  /* for a cost: as if nothing wrapped around, and all items went one way where
                          they may go several */
};

struct sl_affine {
    enum sl_affine_exactness exactness;
    unsigned dimension;      /* for who answers about ids (items/work_item.h) */
    LLVMTargetDataRef data;  /* how large what addresses count is */
    uint32_t items;          /* guarded, and where `multiple` is: so many in a row are looked at */
    bool unit_factors;       /* guarded: an argument that counts are multiplied by is 1 */
    unsigned deepest;        /* operations from what is known to what is asked about, for who makes
                                all of them anew; 0: as many as can be looked at */
    uint64_t element_stride; /* of private arrays: of so many elements each is one item's; 0: 1 */
    /* What the caller knows of a value. False: it follows from its operands. NULL: knows nothing.
     */
    bool (*known)(struct sl_affine *, LLVMValueRef, struct sl_shape *);
    void *user; /* for both */
    /* Proven: what the first item's number is a multiple of, a power of two, where no operands say
     * it. 0: nobody knows. NULL: of nothing. */
    uint64_t (*multiple)(struct sl_affine *, LLVMValueRef);
    uint64_t largest_part; /* numbers parted at more than that are not asked about; 0: all are */
    /* Proven: is such a number below half of what its type has, so that signs do not matter? NULL:
     * none is known to be. */
    bool (*natural)(struct sl_affine *, LLVMValueRef);
    /* Which instructions may be linear: the others vary unless they are uniform. NULL: all may. */
    bool (*may_count)(LLVMValueRef instruction);
    /* The rest is the analysis' own: zero at first, freed by sl_affine_finish. */
    struct sl_map found; /* value -> 1 + its number in `shapes` */
    struct sl_affine_found *shapes;
    size_t count, room;
    unsigned depth, height; /* operations above, and below */
    unsigned looked_at;     /* for the question that is being answered */
};

struct sl_shape sl_shape_uniform(void);
struct sl_shape sl_shape_varying(void);
/* Uniform if the stride is 0, varying if it is too large for any memory. */
struct sl_shape sl_shape_linear(int64_t stride, bool nsw, bool nuw);
/* Of a value that is one or the other, the same choice for all items. */
struct sl_shape sl_shape_meet(struct sl_shape, struct sl_shape);
/* The same, where the first item may be one that is not active: its value is computed as it is, in
 * its own width. It may have gone on below zero; and over the end, if it is far from the active
 * ones. */
struct sl_shape sl_shape_as_is(struct sl_shape);

/* What `known` says, or what follows from the operands. Results are kept: the function may not
 * change in between. */
struct sl_shape sl_affine_shape(struct sl_affine *, LLVMValueRef);
/* What follows from the operands of an instruction, whatever `known` says of it itself. NONE: that
 * of one of them is. Memory is taken for uniform where the address is. */
struct sl_shape sl_affine_by_operands(struct sl_affine *, LLVMValueRef instruction);
/* x >> k, x / n, x % n, x & mask: the power of two at which it parts numbers; 0: it does not. */
uint64_t sl_affine_part(LLVMValueRef);
/* Varying unless all operands are uniform. */
struct sl_shape sl_affine_mixed(struct sl_affine *, LLVMValueRef instruction);
void sl_affine_finish(struct sl_affine *);

#endif
