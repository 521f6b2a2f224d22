/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are one instruction of AVX-512 each, or a few for products of bytes, for the
 * builtins' versions for such machines. The vector form of a kernel makes the instructions of the
 * calls (kernels/vector/operations/builtin.c), which is why they stay calls until then; the bodies
 * in lane.cl are for what has no vector form, but for the estimate, whose bits are the machine's
 * there as well (kernels/compiler/builtins/lane_code.h).
 */
#ifndef SL_BUILTINS_LANE_H
#define SL_BUILTINS_LANE_H

#define SL_LANE __attribute__((overloadable, const, noinline))

#define SL_DECLARE_LANE(T, N, INDEX)                                                               \
    /* floor(log2|x|); of zero and infinity -+infinity */                                          \
    SL_LANE T##N sl_lane_exponent(T##N x);                                                         \
    /* x over the power of two that puts it into [0.75, 1.5); of zero and infinity 1, NaN below    \
     * zero                                                                                        \
     */                                                                                            \
    SL_LANE T##N sl_lane_significand(T##N x);                                                      \
    /* The same in [1, 2). */                                                                      \
    SL_LANE T##N sl_lane_mantissa(T##N x);                                                         \
    /* The smaller one of |x| and bound with the sign of x; not NaN. */                            \
    SL_LANE T##N sl_lane_limit(T##N x, T##N bound);                                                \
    /* y * 2^floor(n) for finite y; NaN if n is */                                                 \
    SL_LANE T##N sl_lane_scale(T##N y, T##N n);                                                    \
    /* 1/sqrt(x), but for 2^-14 of it; of zero and infinity what it should be */                   \
    SL_LANE T##N sl_lane_rsqrt(T##N x);                                                            \
    /* 1/x, but for about 2^-14 of it */                                                           \
    SL_LANE T##N sl_lane_reciprocal(T##N x);                                                       \
    /* table[i modulo 16] */                                                                       \
    SL_LANE T##N sl_lane_entry16(constant T *table, INDEX##N i);

#define SL_DECLARE_ENTRY32(T, N, INDEX) SL_LANE T##N sl_lane_entry32(constant T *table, INDEX##N i);

SL_EACH_WIDTH(SL_DECLARE_LANE, float, int)
SL_EACH_WIDTH(SL_DECLARE_LANE, double, long)
SL_EACH_WIDTH(SL_DECLARE_ENTRY32, float, int)

/* The sum of the four products of bytes: signed ones, unsigned ones, or unsigned with signed. */
SL_LANE int sl_lane_dot_ss(uint a, uint b);
SL_LANE int sl_lane_dot_uu(uint a, uint b);
SL_LANE int sl_lane_dot_us(uint a, uint b);

#endif
