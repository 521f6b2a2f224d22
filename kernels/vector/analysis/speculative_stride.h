/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculative stride: what counts up from lane to lane unless a number on the way wraps around or
 * meets a bound (ir/affine/affine_modulo.h), in a region that becomes vectors.
 * memory/speculative_base.c makes lane 0's numbers of it and what has to be asked. Read-only; no
 * shared state.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SPECULATIVE_STRIDE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SPECULATIVE_STRIDE_H

#include "ir/affine/affine_modulo.h"
#include "vector/analysis/facts.h"

#define SL_SPECULATIVE_DEEPEST 10 /* instructions on the way from lanes to an address */
struct sl_speculation {
    const struct sl_vector_facts *v;
    uint32_t block; /* where the value is wanted */
};

/* The analysis of values as that block sees them; the speculation is borrowed. With the address
 * that is asked about, factors of it may be guessed (`unit_factors`); NULL: none are. Freed by
 * sl_affine_finish. */
struct sl_affine sl_speculative_affine(struct sl_speculation *, LLVMValueRef pointer);
/* Addresses that vary in these steps unless a number on the way wraps around */
bool sl_vector_speculative_stride(const struct sl_vector_facts *, LLVMValueRef pointer,
                                  uint32_t block, int64_t *stride);

#endif
