/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_extended_bit_ops. Shifts take as many bits of their count as the type needs, so a field
 * of no bits has a mask of its own. */
#include "table.h"

/* T: the type, S and U: signed and unsigned of its kind, BITS wide. */
#define SL_FIELDS(T, N, S, U, BITS)                                                                \
    SL_PURE T##N bitfield_insert(T##N base, T##N insert, uint offset, uint count)                  \
    {                                                                                              \
        U field = count ? (U)((U)~(U)0 >> (BITS - count)) << offset : (U)0;                        \
        U##N mask = field;                                                                         \
        U##N moved = as_##U##N(insert) << (U##N)(U)offset;                                         \
        return as_##T##N((U##N)((as_##U##N(base) & ~mask) | (moved & mask)));                              \
    }                                                                                              \
    SL_PURE S##N bitfield_extract_signed(T##N base, uint offset, uint count)                       \
    {                                                                                              \
        S##N top = as_##S##N(base) << (S##N)(S)(BITS - offset - count);                            \
        return count ? top >> (S##N)(S)(BITS - count) : (S##N)(S)0;                                \
    }                                                                                              \
    SL_PURE U##N bitfield_extract_unsigned(T##N base, uint offset, uint count)                     \
    {                                                                                              \
        U##N top = as_##U##N(base) << (U##N)(U)(BITS - offset - count);                            \
        return count ? top >> (U##N)(U)(BITS - count) : (U##N)(U)0;                                \
    }                                                                                              \
    SL_PURE T##N bit_reverse(T##N base)                                                            \
    {                                                                                              \
        return __builtin_elementwise_bitreverse(base);                                             \
    }

#define SL_BOTH(S, U, BITS)                                                                        \
    SL_EACH_WIDTH(SL_FIELDS, S, S, U, BITS)                                                        \
    SL_EACH_WIDTH(SL_FIELDS, U, S, U, BITS)

SL_BOTH(char, uchar, 8)
SL_BOTH(short, ushort, 16)
SL_BOTH(int, uint, 32)
SL_BOTH(long, ulong, 64)
