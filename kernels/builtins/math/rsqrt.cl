/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rsqrt of float and double, for machines without a good estimate (rsqrt_avx512.cl).
 */
#include "table.h"

#define SL_RSQRT(T, N, ONE)                                                                        \
    SL_PURE T##N rsqrt(T##N x)                                                                     \
    {                                                                                              \
        return ONE / sqrt(x);                                                                      \
    }
SL_EACH_WIDTH(SL_RSQRT, float, 1.0f)
SL_EACH_WIDTH(SL_RSQRT, double, 1.0)
