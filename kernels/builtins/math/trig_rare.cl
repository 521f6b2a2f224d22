/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos and tan of large arguments, infinity and NaN (rare.h): the part of 2/pi that matters for
 * x * 2/pi modulo 4 is multiplied in integers.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "rare.h"

#define DOUBLEN double
#include "math/trig_double_reduced.h"

/* The fraction bits of 2/pi behind 64 zeros. */
constant ulong sl_two_over_pi[21] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};

/* 64 bits from bit `at` on, the first bit being the highest. */
SL_PURE static ulong sl_bits_at(uint at)
{
    ulong first = sl_two_over_pi[at >> 6];
    ulong second = sl_two_over_pi[(at >> 6) + 1];
    return first << (at & 63) | second >> 1 >> (63 - (at & 63));
}

/*
 * magnitude = quadrant * pi/2 + result, quadrant modulo 4. With magnitude = m * 2^e the bits of 2/pi
 * whose products are multiples of 4 are left out; three words are 137 good bits of the product, of
 * which cancellation takes no more than 62. Not for magnitudes below 1: vectors bring them along, and
 * do not look at the results.
 */
SL_INLINE static double sl_reduce_rare(double magnitude, private uint *quadrant)
{
    ulong bits = as_ulong(magnitude);
    ulong m = (bits & 0x000fffffffffffff) | 0x0010000000000000;
    uint at = max((uint)(bits >> 52), 1023u) - 1075 - 2 + 64;
    ulong v2 = sl_bits_at(at), v1 = sl_bits_at(at + 64), v0 = sl_bits_at(at + 128);
    ulong carried = mul_hi(m, v0);
    ulong p1 = m * v1 + carried;
    ulong p2 = m * v2 + mul_hi(m, v1) + (p1 < carried);
    *quadrant = (uint)((p2 + ((ulong)1 << 61)) >> 62) & 3;
    ulong high = p2 << 2 | p1 >> 62;
    ulong low = p1 << 2 | m * v0 >> 62;
    bool negative = high >> 63;
    high = negative ? ~high + (low == 0) : high;
    low = negative ? -low : low;
    uint zeros = (uint)clz(high | 1);
    high = high << zeros | low >> 1 >> (63 - zeros);
    double scale = as_double((ulong)(1023 - 64 - zeros) << 52);
    double r = (double)high * scale * 0x1.921fb54442d18p+0;
    return negative ? -r : r;
}

SL_PURE static double sl_large_sin(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    uint quadrant;
    double r = sl_reduce_rare(fabs(x), &quadrant);
    double value = quadrant & 1 ? sl_cos_reduced(r) : sl_sin_reduced(r);
    return (quadrant & 2) != 0 != signbit(x) ? -value : value;
}

SL_PURE static double sl_large_cos(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    uint quadrant;
    double r = sl_reduce_rare(fabs(x), &quadrant);
    double value = quadrant & 1 ? sl_sin_reduced(r) : sl_cos_reduced(r);
    return (quadrant + 1 & 2) != 0 ? -value : value;
}

SL_PURE static double sl_large_tan(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    uint quadrant;
    double r = sl_reduce_rare(fabs(x), &quadrant);
    double s = sl_sin_reduced(r), c = sl_cos_reduced(r);
    double value = quadrant & 1 ? -c / s : s / c;
    return signbit(x) ? -value : value;
}

#define SL_SCALARS(NAME)                                                                           \
    SL_RARE double sl_rare_##NAME(double x)                                                        \
    {                                                                                              \
        return sl_large_##NAME(x);                                                                 \
    }                                                                                              \
    SL_RARE float sl_rare_##NAME(float x)                                                          \
    {                                                                                              \
        return (float)sl_large_##NAME((double)x);                                                  \
    }
SL_SCALARS(sin)
SL_SCALARS(cos)
SL_SCALARS(tan)

SL_RARE_VECTORS(float, sl_rare_sin)
SL_RARE_VECTORS(float, sl_rare_cos)
SL_RARE_VECTORS(float, sl_rare_tan)
SL_RARE_VECTORS(double, sl_rare_sin)
SL_RARE_VECTORS(double, sl_rare_cos)
SL_RARE_VECTORS(double, sl_rare_tan)
