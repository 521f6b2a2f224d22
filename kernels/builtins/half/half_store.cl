/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vstore_half and vstorea_half that round up or down: libclc's lose what is smaller than the
 * smallest half. The value is rounded to nearest, then one step further where that was the wrong
 * way. The bits of a half count away from zero, so a step up makes negative ones smaller.
 */
#include "table.h"

#define SL_CAST(x, T) ((T)(x))

/* T is stored; comparing two of them gives I. UP: 1 or -1. TO: __builtin_convertvector or a cast.
 */
#define SL_ROUND(T, I, N, MODE, WRONG_WAY, UP, TO)                                                 \
    SL_PURE static ushort##N sl_half_##MODE(T##N x)                                                \
    {                                                                                              \
        half##N nearest = TO(x, half##N);                                                          \
        I##N bits = TO(as_ushort##N(nearest), I##N);                                               \
        I##N step = (I##N)(UP) * ((I##N)1 - (bits >> (I##N)14 & (I##N)2));                         \
        return TO(TO(nearest, T##N) WRONG_WAY x ? bits + step : bits, ushort##N);                  \
    }

#define SL_PUT(T, N, MODE, SPACE)                                                                  \
    SL_OVERLOAD void vstore_half##N##_##MODE(T##N x, size_t i, SPACE half *to)                     \
    {                                                                                              \
        vstore##N(sl_half_##MODE(x), i, (SPACE ushort *)to);                                       \
    }                                                                                              \
    SL_OVERLOAD void vstorea_half##N##_##MODE(T##N x, size_t i, SPACE half *to)                    \
    {                                                                                              \
        *(SPACE ushort##N *)(to + i * N) = sl_half_##MODE(x);                                      \
    }

#define SL_PUT_ONE(T, MODE, SPACE)                                                                 \
    SL_OVERLOAD void vstore_half_##MODE(T x, size_t i, SPACE half *to)                             \
    {                                                                                              \
        ((SPACE ushort *)to)[i] = sl_half_##MODE(x);                                               \
    }

/* Aligned vectors of three lie four apart, and the fourth element is not touched. */
#define SL_PUT_THREE(T, MODE, SPACE)                                                               \
    SL_OVERLOAD void vstore_half3_##MODE(T##3 x, size_t i, SPACE half *to)                         \
    {                                                                                              \
        vstore3(sl_half_##MODE(x), i, (SPACE ushort *)to);                                         \
    }                                                                                              \
    SL_OVERLOAD void vstorea_half3_##MODE(T##3 x, size_t i, SPACE half *to)                        \
    {                                                                                              \
        vstore3(sl_half_##MODE(x), 0, (SPACE ushort *)to + 4 * i);                                 \
    }

#define SL_SPACES(PUT, ...)                                                                        \
    PUT(__VA_ARGS__, private)                                                                      \
    PUT(__VA_ARGS__, global)                                                                       \
    PUT(__VA_ARGS__, local)                                                                        \
    PUT(__VA_ARGS__, generic)

#define SL_MODE(T, I, MODE, WRONG_WAY, UP)                                                         \
    SL_ROUND(T, int, , MODE, WRONG_WAY, UP, SL_CAST)                                               \
    SL_ROUND(T, I, 2, MODE, WRONG_WAY, UP, __builtin_convertvector)                                \
    SL_ROUND(T, I, 3, MODE, WRONG_WAY, UP, __builtin_convertvector)                                \
    SL_ROUND(T, I, 4, MODE, WRONG_WAY, UP, __builtin_convertvector)                                \
    SL_ROUND(T, I, 8, MODE, WRONG_WAY, UP, __builtin_convertvector)                                \
    SL_ROUND(T, I, 16, MODE, WRONG_WAY, UP, __builtin_convertvector)                               \
    SL_SPACES(SL_PUT_ONE, T, MODE)                                                                 \
    SL_SPACES(SL_PUT, T, 2, MODE)                                                                  \
    SL_SPACES(SL_PUT_THREE, T, MODE)                                                               \
    SL_SPACES(SL_PUT, T, 4, MODE)                                                                  \
    SL_SPACES(SL_PUT, T, 8, MODE)                                                                  \
    SL_SPACES(SL_PUT, T, 16, MODE)

SL_MODE(float, int, rtp, <, 1)
SL_MODE(float, int, rtn, >, -1)
SL_MODE(double, long, rtp, <, 1)
SL_MODE(double, long, rtn, >, -1)
