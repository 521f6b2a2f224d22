/* SPDX-License-Identifier: Apache-2.0 */
/*
 * x % n and its kin: affine analysis with a guard at run time (SL_AFFINE_GUARDED): numbers that
 * count up from item to item unless one on the way wraps around or meets a bound (`id & 255`, `id /
 * width`, `min(id + 1, last)`). What that depends on is known before the access, so the code asks
 * for it: with the first item's number and the strides it sees whether its items are on one side.
 * What is here says in parts what such code has to ask. A stride of 0 is of those that are the same
 * unless something is met; uniform are those that are so for certain. Read-only; no shared state.
 */
#ifndef SL_KERNELS_IR_AFFINE_MODULO_H
#define SL_KERNELS_IR_AFFINE_MODULO_H

#include "ir/affine/affine.h"

/* Of SL_AFFINE_GUARDED what sl_affine_by_operands is. */
struct sl_shape sl_affine_guarded_by_operands(struct sl_affine *, LLVMValueRef instruction);

bool sl_affine_is_same(struct sl_affine *, LLVMValueRef); /* one number for all items */
/* How far the last item is from the first. */
uint64_t sl_affine_span(const struct sl_affine *, int64_t stride);
bool sl_affine_is_constant(LLVMValueRef, uint64_t *is);
uint64_t sl_affine_ones(LLVMTypeRef integer); /* all of its bits */
bool sl_affine_is_low_mask(uint64_t mask);
/* -x, ~x, -1 << x: most likely ones above zeros, where x + 1, 1 << x - 1 are zeros above ones. */
bool sl_affine_looks_high(LLVMValueRef mask);
bool sl_affine_is_complement(LLVMValueRef); /* ~x: counts down where x counts up */
/* The operand of an "and" or a product that counts; the other one is its mask, or by what. */
unsigned sl_affine_counting_operand(struct sl_affine *, LLVMValueRef);
/* An argument, or what lies at a constant place of a struct that is one, or behind a pointer that
 * is: the launch brings it. */
bool sl_affine_is_brought(LLVMValueRef);
/* A product with such a number that is most likely 1: the distance of a vector's elements, say. */
bool sl_affine_has_unit_factor(struct sl_affine *, LLVMValueRef product);
/* The step of a quotient, or of a shift to the right, whose first operand's is a multiple of the
 * divisor; else 0. */
int64_t sl_affine_divided(LLVMValueRef quotient, int64_t stride);

/* Min, max, abs, and differences that stop at 0. */
struct sl_affine_bound {
    bool most;     /* the result is no more than the bound; else no less */
    bool sign;     /* of signed numbers */
    bool minus;    /* the bound is subtracted */
    bool zero;     /* the bound is 0, for of the other numbers it is the absolute value */
    unsigned same; /* the operand that is the bound, the other one counts */
};

bool sl_affine_read_bound(struct sl_affine *, LLVMValueRef call, struct sl_affine_bound *);

/* `a < same ? b : c`, where items agree unless the comparison turns between them; or `same ? b :
 * c`. */
struct sl_affine_choice {
    bool agreed; /* the second: only `likely` and `stride` are set then */
    LLVMIntPredicate is;
    LLVMValueRef counts, same; /* what is compared */
    bool right;                /* `same` is the right one */
    int64_t counting;          /* stride of `counts`, not 0 */
    unsigned likely;           /* the select's operand that is taken, 1 or 2 */
    int64_t stride;            /* of that, not 0 unless agreed */
};

/* The same of a truth as a number, where it asks whether items meet a number: 1, 0 or -1 until one
 * does. */
bool sl_affine_read_truth(struct sl_affine *, LLVMValueRef cast, struct sl_affine_choice *);
bool sl_affine_read_choice(struct sl_affine *, LLVMValueRef select, struct sl_affine_choice *);

#endif
