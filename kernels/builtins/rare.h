/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments so rare that nobody should pay for them: a builtin computes as if there were none, and
 * asks sl_rare_NAME for those. These are out of line. In a vectorised loop over work-items the call
 * becomes one of sl_rare_NAME.vLANES with a mask, which tools/split.py makes. It asks the scalar
 * function for each lane that is meant, and returns at once if none is; that of a sl_rare_wide_NAME
 * computes all lanes with the function's own vector. Whatever is named sl_rare_* or sl_cold_* is
 * machine code before any kernel is compiled (tools/precompile.c).
 */
#ifndef SL_BUILTINS_RARE_H
#define SL_BUILTINS_RARE_H

#define SL_RARE __attribute__((overloadable, const, noinline))

#define SL_DECLARE_RARE(T, N, NAME) SL_RARE T##N NAME(T##N x);

/* Of a scalar function: its vectors by halves; three elements as two and one. */
#define SL_RARE_HALVES(T, N, NAME)                                                                 \
    SL_RARE T##N NAME(T##N x)                                                                      \
    {                                                                                              \
        return (T##N)(NAME(x.lo), NAME(x.hi));                                                     \
    }
#define SL_RARE_VECTORS(T, NAME)                                                                   \
    SL_RARE_HALVES(T, 2, NAME)                                                                     \
    SL_RARE T##3 NAME(T##3 x)                                                                      \
    {                                                                                              \
        return (T##3)(NAME(x.xy), NAME(x.z));                                                      \
    }                                                                                              \
    SL_RARE_HALVES(T, 4, NAME)                                                                     \
    SL_RARE_HALVES(T, 8, NAME)                                                                     \
    SL_RARE_HALVES(T, 16, NAME)

#define SL_ANY(T)                                                                                  \
    SL_PURE __attribute__((unused)) static bool sl_any(T x)                                        \
    {                                                                                              \
        return x != 0;                                                                             \
    }                                                                                              \
    SL_ANY_OF(T, 2)                                                                                \
    SL_ANY_OF(T, 3)                                                                                \
    SL_ANY_OF(T, 4)                                                                                \
    SL_ANY_OF(T, 8)                                                                                \
    SL_ANY_OF(T, 16)
#define SL_ANY_OF(T, N)                                                                            \
    SL_PURE __attribute__((unused)) static bool sl_any(T##N x)                                     \
    {                                                                                              \
        return any(x);                                                                             \
    }
SL_ANY(int)
SL_ANY(long)

#endif
