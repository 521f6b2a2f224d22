/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from dot of each pair of types: added to a sum without overflow, and of numbers that
 * are packed in a uint. */
#define SL_DOT_SUM(A, B, R)                                                                        \
    SL_PURE R dot_acc_sat(A a, B b, R sum)                                                         \
    {                                                                                              \
        return add_sat(dot(a, b), sum);                                                            \
    }

SL_DOT_SUM(char4, char4, int)
SL_DOT_SUM(char4, uchar4, int)
SL_DOT_SUM(uchar4, char4, int)
SL_DOT_SUM(uchar4, uchar4, uint)

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
