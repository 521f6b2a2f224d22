/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_integer_dot_product: of four 8-bit numbers each, apart or packed in a uint. */
#include "table.h"

#define SL_DOT(A, B, R)                                                                            \
    SL_PURE R dot(A a, B b)                                                                        \
    {                                                                                              \
        return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w;              \
    }                                                                                              \
    SL_PURE R dot_acc_sat(A a, B b, R sum)                                                         \
    {                                                                                              \
        return add_sat(dot(a, b), sum);                                                            \
    }

SL_DOT(char4, char4, int)
SL_DOT(char4, uchar4, int)
SL_DOT(uchar4, char4, int)
SL_DOT(uchar4, uchar4, uint)

#define SL_PACKED(NAME, A, B, R)                                                                   \
    SL_PURE R dot_4x8packed_##NAME(uint a, uint b)                                                 \
    {                                                                                              \
        return dot(as_##A(a), as_##B(b));                                                          \
    }                                                                                              \
    SL_PURE R dot_acc_sat_4x8packed_##NAME(uint a, uint b, R sum)                                  \
    {                                                                                              \
        return dot_acc_sat(as_##A(a), as_##B(b), sum);                                             \
    }

SL_PACKED(uu_uint, uchar4, uchar4, uint)
SL_PACKED(ss_int, char4, char4, int)
SL_PACKED(us_int, uchar4, char4, int)
SL_PACKED(su_int, char4, uchar4, int)
