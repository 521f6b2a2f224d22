/* SPDX-License-Identifier: Apache-2.0 */
/* What the builtins of half are written with: the way to float, where they compute, and back. */
#ifndef SL_BUILTINS_HALF_H
#define SL_BUILTINS_HALF_H

#include "table.h"

/* Declares what another file has. */
#define SL_KNOWN __attribute__((overloadable, const))

#define SL_HALF_WAYS(N)                                                                            \
    SL_PURE __attribute__((unused)) static float##N sl_wide(half##N x)                             \
    {                                                                                              \
        return __builtin_convertvector(x, float##N);                                               \
    }                                                                                              \
    SL_PURE __attribute__((unused)) static half##N sl_narrow(float##N x)                           \
    {                                                                                              \
        return __builtin_convertvector(x, half##N);                                                \
    }
SL_HALF_WAYS(2)
SL_HALF_WAYS(3)
SL_HALF_WAYS(4)
SL_HALF_WAYS(8)
SL_HALF_WAYS(16)

SL_PURE __attribute__((unused)) static float sl_wide(half x)
{
    return x;
}

SL_PURE __attribute__((unused)) static half sl_narrow(float x)
{
    return (half)x;
}

/* What comparisons of halves are. */
typedef int sl_truth;
typedef short2 sl_truth2;
typedef short3 sl_truth3;
typedef short4 sl_truth4;
typedef short8 sl_truth8;
typedef short16 sl_truth16;

#define SL_HALF_MAGNITUDE ((ushort)0x7fff)
#define SL_HALF_INFINITY ((ushort)0x7c00)

#endif
