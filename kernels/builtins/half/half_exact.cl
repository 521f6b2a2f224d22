/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of half that look at bits or only choose: signs, comparisons, selection, neighbours,
 * classes of numbers, and fma, whose sum would be rounded twice.
 */
#include "half/half.h"

#define SL_BODY "half/half_exact_body.h"
#include "each_width.h"

#define SL_SCALARS(N)                                                                              \
    SL_PURE half##N clamp(half##N x, half low, half high)                                          \
    {                                                                                              \
        return clamp(x, (half##N)low, (half##N)high);                                              \
    }                                                                                              \
    SL_PURE half##N max(half##N x, half y)                                                         \
    {                                                                                              \
        return max(x, (half##N)y);                                                                 \
    }                                                                                              \
    SL_PURE half##N min(half##N x, half y)                                                         \
    {                                                                                              \
        return min(x, (half##N)y);                                                                 \
    }
SL_SCALARS(2)
SL_SCALARS(3)
SL_SCALARS(4)
SL_SCALARS(8)
SL_SCALARS(16)

/* A scalar's truth is 1, a vector's all bits; a vector is asked for its highest bit. */
#define SL_SELECTS(N, CONDITION, WHEN)                                                             \
    SL_PURE half##N select(half##N no, half##N yes, CONDITION##N condition)                        \
    {                                                                                              \
        return WHEN ? yes : no;                                                                    \
    }
#define SL_VECTOR_SELECTS(N)                                                                       \
    SL_SELECTS(N, short, condition < (short)0)                                                     \
    SL_SELECTS(N, ushort, as_short##N(condition) < (short)0)
SL_SELECTS(, short, condition)
SL_SELECTS(, ushort, condition)
SL_VECTOR_SELECTS(2)
SL_VECTOR_SELECTS(3)
SL_VECTOR_SELECTS(4)
SL_VECTOR_SELECTS(8)
SL_VECTOR_SELECTS(16)
