/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Corrections of libclc: functions that are right but for some arguments (zero's sign, the ends of
 * the range), wrapped; and the few that read beyond their tables or flush subnormals, replaced.
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
