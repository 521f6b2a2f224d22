/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of half in memory, also as floats, and their elements in another order. */
#include "half/half.h"

/* The components stand one behind the other, at any half's address. */
#define SL_LOAD(N, SPACE)                                                                          \
    SL_OVERLOAD ushort##N vload##N(size_t i, const SPACE ushort *from);                            \
    SL_OVERLOAD half##N vload##N(size_t i, const SPACE half *from)                                 \
    {                                                                                              \
        return as_half##N(vload##N(i, (const SPACE ushort *)from));                                \
    }
#define SL_STORE(N, SPACE)                                                                         \
    SL_OVERLOAD void vstore##N(ushort##N x, size_t i, SPACE ushort *to);                           \
    SL_OVERLOAD void vstore##N(half##N x, size_t i, SPACE half *to)                                \
    {                                                                                              \
        vstore##N(as_ushort##N(x), i, (SPACE ushort *)to);                                         \
    }
#define SL_BOTH(N, SPACE) SL_LOAD(N, SPACE) SL_STORE(N, SPACE)
#define SL_SPACES(N)                                                                               \
    SL_BOTH(N, private)                                                                            \
    SL_BOTH(N, global)                                                                             \
    SL_BOTH(N, local)                                                                              \
    SL_BOTH(N, generic)                                                                            \
    SL_LOAD(N, constant)
SL_SPACES(2)
SL_SPACES(3)
SL_SPACES(4)
SL_SPACES(8)
SL_SPACES(16)

/* As floats: libclc's read and convert element by element. */
#define SL_FLOATS(N, SPACE)                                                                        \
    SL_OVERLOAD float##N vload_half##N(size_t i, const SPACE half *from)                           \
    {                                                                                              \
        return sl_wide(as_half##N(vload##N(i, (const SPACE ushort *)from)));                       \
    }
#define SL_ALIGNED_FLOATS(N, SPACE)                                                                \
    SL_OVERLOAD float##N vloada_half##N(size_t i, const SPACE half *from)                          \
    {                                                                                              \
        return sl_wide(as_half##N(*(const SPACE ushort##N *)(from + i * N)));                      \
    }
/* Aligned vectors of three lie four apart. */
#define SL_ALIGNED_THREE(SPACE)                                                                    \
    SL_OVERLOAD float3 vloada_half3(size_t i, const SPACE half *from)                              \
    {                                                                                              \
        return sl_wide(as_half3(vload3(0, (const SPACE ushort *)from + 4 * i)));                   \
    }
#define SL_FLOATS_OF(SPACE)                                                                        \
    SL_FLOATS(2, SPACE)                                                                            \
    SL_FLOATS(3, SPACE)                                                                            \
    SL_FLOATS(4, SPACE)                                                                            \
    SL_FLOATS(8, SPACE)                                                                            \
    SL_FLOATS(16, SPACE)                                                                           \
    SL_ALIGNED_FLOATS(2, SPACE)                                                                    \
    SL_ALIGNED_THREE(SPACE)                                                                        \
    SL_ALIGNED_FLOATS(4, SPACE)                                                                    \
    SL_ALIGNED_FLOATS(8, SPACE)                                                                    \
    SL_ALIGNED_FLOATS(16, SPACE)
SL_FLOATS_OF(private)
SL_FLOATS_OF(global)
SL_FLOATS_OF(local)
SL_FLOATS_OF(generic)
SL_FLOATS_OF(constant)

#define SL_SHUFFLE(N, FROM)                                                                        \
    SL_KNOWN ushort##N shuffle(ushort##FROM x, ushort##N mask);                                    \
    SL_KNOWN ushort##N shuffle2(ushort##FROM x, ushort##FROM y, ushort##N mask);                   \
    SL_PURE half##N shuffle(half##FROM x, ushort##N mask)                                          \
    {                                                                                              \
        return as_half##N(shuffle(as_ushort##FROM(x), mask));                                      \
    }                                                                                              \
    SL_PURE half##N shuffle2(half##FROM x, half##FROM y, ushort##N mask)                           \
    {                                                                                              \
        return as_half##N(shuffle2(as_ushort##FROM(x), as_ushort##FROM(y), mask));                 \
    }
#define SL_SHUFFLES(N)                                                                             \
    SL_SHUFFLE(N, 2)                                                                               \
    SL_SHUFFLE(N, 4)                                                                               \
    SL_SHUFFLE(N, 8)                                                                               \
    SL_SHUFFLE(N, 16)
SL_SHUFFLES(2)
SL_SHUFFLES(4)
SL_SHUFFLES(8)
SL_SHUFFLES(16)
