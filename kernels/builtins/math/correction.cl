/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In place of libclc's: gamma, whose digits and range it loses, functions that read beyond their
 * tables, and ldexp, of which it flushes subnormals.
 */
#include "table.h"

#define SL_BODY "math/correction_body.h"
#include "each_width.h"

/* Vectors with one exponent for all. */
#define SL_LDEXP(T, N, ...)                                                                        \
    SL_PURE T##N ldexp(T##N x, int n)                                                              \
    {                                                                                              \
        return ldexp(x, (int##N)n);                                                                \
    }
#define SL_LDEXPS(T)                                                                               \
    SL_LDEXP(T, 2)                                                                                 \
    SL_LDEXP(T, 3)                                                                                 \
    SL_LDEXP(T, 4)                                                                                 \
    SL_LDEXP(T, 8)                                                                                 \
    SL_LDEXP(T, 16)
SL_LDEXPS(float)
SL_LDEXPS(double)
