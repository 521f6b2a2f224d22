/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vstore_half and vstorea_half. libclc's go element by element, which no pass puts together again,
 * and those that round up or down lose what is smaller than the smallest half. The value is rounded
 * to nearest, then one step further where that was the wrong way. The bits of a half count away
 * from zero, so a step up makes negative ones smaller.
 */
#include "table.h"

#define SL_CAST(x, T) ((T)(x))

/* T is stored. TO: __builtin_convertvector or a cast. */
#define SL_NEAREST(T, N, TO)                                                                       \
    SL_PURE static ushort##N sl_half_nearest(T##N x)                                               \
    {                                                                                              \
        return as_ushort##N(TO(x, half##N));                                                       \
    }

/* Comparing two of T gives I. WRONG(nearest, x): a step has to be taken, which is STEP(I, sign),
 * where sign is 0 or 2, this for negative numbers. */
#define SL_ROUND(T, I, N, MODE, WRONG, STEP, TO)                                                   \
    SL_PURE static ushort##N sl_half_##MODE(T##N x)                                                \
    {                                                                                              \
        ushort##N nearest = sl_half_nearest(x);                                                    \
        I##N bits = TO(nearest, I##N);                                                             \
        I##N step = STEP(I##N, (bits >> (I##N)14 & (I##N)2));                                      \
        T##N there = TO(as_half##N(nearest), T##N);                                                \
        return TO(WRONG(there, x) ? bits + step : bits, ushort##N);                                \
    }

#define SL_TOO_LOW(there, x) ((there) < (x))
#define SL_TOO_HIGH(there, x) ((there) > (x))
#define SL_TOO_FAR(there, x) (__builtin_elementwise_abs(there) > __builtin_elementwise_abs(x))
#define SL_STEP_UP(I, sign) ((I)1 - (sign))
#define SL_STEP_DOWN(I, sign) ((sign) - (I)1)
#define SL_STEP_BACK(I, sign) ((I)(-1))

/* SUFFIX: of the name, as _rtz, or nothing. */
#define SL_PUT(T, N, SUFFIX, MODE, SPACE)                                                          \
    SL_OVERLOAD void vstore_half##N##SUFFIX(T##N x, size_t i, SPACE half *to)                      \
    {                                                                                              \
        vstore##N(sl_half_##MODE(x), i, (SPACE ushort *)to);                                       \
    }                                                                                              \
    SL_OVERLOAD void vstorea_half##N##SUFFIX(T##N x, size_t i, SPACE half *to)                     \
    {                                                                                              \
        *(SPACE ushort##N *)(to + i * N) = sl_half_##MODE(x);                                      \
    }

#define SL_PUT_ONE(T, SUFFIX, MODE, SPACE)                                                         \
    SL_OVERLOAD void vstore_half##SUFFIX(T x, size_t i, SPACE half *to)                            \
    {                                                                                              \
        ((SPACE ushort *)to)[i] = sl_half_##MODE(x);                                               \
    }

/* Aligned vectors of three lie four apart, and the fourth element is not touched. */
#define SL_PUT_THREE(T, SUFFIX, MODE, SPACE)                                                       \
    SL_OVERLOAD void vstore_half3##SUFFIX(T##3 x, size_t i, SPACE half *to)                        \
    {                                                                                              \
        vstore3(sl_half_##MODE(x), i, (SPACE ushort *)to);                                         \
    }                                                                                              \
    SL_OVERLOAD void vstorea_half3##SUFFIX(T##3 x, size_t i, SPACE half *to)                       \
    {                                                                                              \
        vstore3(sl_half_##MODE(x), 0, (SPACE ushort *)to + 4 * i);                                 \
    }

#define SL_SPACES(PUT, ...)                                                                        \
    PUT(__VA_ARGS__, private)                                                                      \
    PUT(__VA_ARGS__, global)                                                                       \
    PUT(__VA_ARGS__, local)                                                                        \
    PUT(__VA_ARGS__, generic)

#define SL_STORES(T, SUFFIX, MODE)                                                                 \
    SL_SPACES(SL_PUT_ONE, T, SUFFIX, MODE)                                                         \
    SL_SPACES(SL_PUT, T, 2, SUFFIX, MODE)                                                          \
    SL_SPACES(SL_PUT_THREE, T, SUFFIX, MODE)                                                       \
    SL_SPACES(SL_PUT, T, 4, SUFFIX, MODE)                                                          \
    SL_SPACES(SL_PUT, T, 8, SUFFIX, MODE)                                                          \
    SL_SPACES(SL_PUT, T, 16, SUFFIX, MODE)

#define SL_MODE(T, I, MODE, WRONG, STEP)                                                           \
    SL_ROUND(T, int, , MODE, WRONG, STEP, SL_CAST)                                                 \
    SL_ROUND(T, I, 2, MODE, WRONG, STEP, __builtin_convertvector)                                  \
    SL_ROUND(T, I, 3, MODE, WRONG, STEP, __builtin_convertvector)                                  \
    SL_ROUND(T, I, 4, MODE, WRONG, STEP, __builtin_convertvector)                                  \
    SL_ROUND(T, I, 8, MODE, WRONG, STEP, __builtin_convertvector)                                  \
    SL_ROUND(T, I, 16, MODE, WRONG, STEP, __builtin_convertvector)                                 \
    SL_STORES(T, _##MODE, MODE)

#define SL_TYPE(T, I)                                                                              \
    SL_NEAREST(T, , SL_CAST)                                                                       \
    SL_NEAREST(T, 2, __builtin_convertvector)                                                      \
    SL_NEAREST(T, 3, __builtin_convertvector)                                                      \
    SL_NEAREST(T, 4, __builtin_convertvector)                                                      \
    SL_NEAREST(T, 8, __builtin_convertvector)                                                      \
    SL_NEAREST(T, 16, __builtin_convertvector)                                                     \
    SL_STORES(T, , nearest)                                                                        \
    SL_STORES(T, _rte, nearest)                                                                    \
    SL_MODE(T, I, rtz, SL_TOO_FAR, SL_STEP_BACK)                                                   \
    SL_MODE(T, I, rtp, SL_TOO_LOW, SL_STEP_UP)                                                     \
    SL_MODE(T, I, rtn, SL_TOO_HIGH, SL_STEP_DOWN)

SL_TYPE(float, int)
SL_TYPE(double, long)
