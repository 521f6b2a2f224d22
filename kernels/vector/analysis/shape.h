/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape: how a value goes from lane to lane - uniform, linear (affine in the lane's number) or
 * varying. Read-only but for sl_vector_find_shapes.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H
#define SL_KERNELS_VECTOR_ANALYSIS_SHAPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum sl_shape_kind {
    SL_SHAPE_NONE,    /* not computed so far */
    SL_SHAPE_UNIFORM, /* the same in all active lanes */
    SL_SHAPE_LINEAR,  /* lane 0's plus lane times stride, modulo the width */
    SL_SHAPE_VARYING,
};

struct sl_shape {
    enum sl_shape_kind kind;
    int64_t stride; /* bytes for pointers */
    bool nsw, nuw;  /* linear integers: also as signed / unsigned numbers, not just modulo */
};

struct sl_vector_facts;
void sl_vector_find_shapes(struct sl_vector_facts *);
struct sl_shape sl_vector_shape(const struct sl_vector_facts *, LLVMValueRef);
/* As a user in `block` sees it: values of loops that lanes leave at different times vary outside.
 */
struct sl_shape sl_vector_shape_at(const struct sl_vector_facts *, LLVMValueRef, uint32_t block);

#endif
