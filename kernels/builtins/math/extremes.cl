/* SPDX-License-Identifier: Apache-2.0 */
/*
 * max and min of floats: a comparison and a choice, which is one instruction. What becomes of NaNs
 * is open there; who minds calls fmax and fmin.
 */
#include "table.h"

#define SL_BODY "math/extremes_body.h"
#include "each_width.h"

#define SL_SCALAR(T, N)                                                                            \
    SL_PURE T##N max(T##N x, T y)                                                                  \
    {                                                                                              \
        return x < (T##N)y ? (T##N)y : x;                                                          \
    }                                                                                              \
    SL_PURE T##N min(T##N x, T y)                                                                  \
    {                                                                                              \
        return (T##N)y < x ? (T##N)y : x;                                                          \
    }
#define SL_SCALARS(T)                                                                              \
    SL_SCALAR(T, 2) SL_SCALAR(T, 3) SL_SCALAR(T, 4) SL_SCALAR(T, 8) SL_SCALAR(T, 16)

SL_SCALARS(float)
SL_SCALARS(double)
