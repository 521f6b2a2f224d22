/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculative stride: addresses that count up from lane to lane unless a number on the way wraps
 * around or meets a bound (`id & 255`, `id / width`, `min(id + 1, last)`).
 * memory/speculative_base.c makes lane 0's numbers of them and what has to be asked. Read-only; no
 * shared state.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SPECULATIVE_STRIDE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SPECULATIVE_STRIDE_H

#include "vector/analysis/facts.h"

#define SL_SPECULATIVE_DEEPEST 8 /* instructions on the way from lanes to an address */
struct sl_speculation {
    const struct sl_vector_facts *v;
    uint32_t block; /* where the value is wanted */
};

/* Addresses that vary in these steps unless a number on the way wraps around */
bool sl_vector_speculative_stride(const struct sl_vector_facts *, LLVMValueRef pointer,
                                  uint32_t block, int64_t *stride);
/* Do lanes count by *stride, unless something is met on the way? An integer or a pointer (bytes).
 */
bool sl_speculative_find(const struct sl_speculation *, LLVMValueRef, unsigned depth,
                         int64_t *stride);
bool sl_speculative_is_same(const struct sl_speculation *,
                            LLVMValueRef); /* one number for all lanes */
/* How far the last lane is from the first. */
uint64_t sl_speculative_span(const struct sl_vector_facts *, int64_t stride);
bool sl_speculative_is_constant(LLVMValueRef, uint64_t *is);
uint64_t sl_speculative_ones(LLVMTypeRef integer); /* all of its bits */
bool sl_speculative_is_low_mask(uint64_t mask);
bool sl_speculative_looks_high(LLVMValueRef mask);
/* The operand of an "and" that counts; the other one is its mask. */
unsigned sl_speculative_counting_operand(const struct sl_speculation *, LLVMValueRef);
/* The step of a quotient, or of a shift to the right, whose first operand's is a multiple of the
 * divisor; else 0. */
int64_t sl_speculative_divided(LLVMValueRef quotient, int64_t stride);

/* Min, max, abs, and differences that stop at 0. */
struct sl_speculative_bound {
    bool most;     /* the result is no more than the bound; else no less */
    bool sign;     /* of signed numbers */
    bool minus;    /* the bound is subtracted */
    bool zero;     /* the bound is 0, for of the other numbers it is the absolute value */
    unsigned same; /* the operand that is the bound, the other one counts */
};

bool sl_speculative_read_bound(const struct sl_speculation *, LLVMValueRef call,
                               struct sl_speculative_bound *);

/* `a < same ? b : c`, where lanes agree unless the comparison turns between them; or `same ? b :
 * c`. */
struct sl_speculative_choice {
    bool agreed; /* the second: only `likely` and `stride` are set then */
    LLVMIntPredicate is;
    LLVMValueRef counts, same; /* what is compared */
    bool right;                /* `same` is the right one */
    int64_t counting;          /* stride of `counts`, not 0 */
    unsigned likely;           /* the select's operand that is taken, 1 or 2 */
    int64_t stride;            /* of that, not 0 unless agreed */
};

bool sl_speculative_read_choice(const struct sl_speculation *, LLVMValueRef select, unsigned depth,
                                struct sl_speculative_choice *);

#endif
