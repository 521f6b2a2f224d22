/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_subgroup_matrix_multiply_accumulate: a times b plus acc, of M rows. Of each row of a an
 * item has a part, 32 bits in sub-groups of 8 and 16 bits in those of 16; of b and acc it has a
 * column. So a row of a is eight words, as a column of b is. Vectors have a form of their own
 * (vector/operations/matrix.c).
 */
#include "work_group/sub_group.h"

/* ---- products of the numbers in two words, and a sum ----------------------------------------- */

#define SL_BYTES(KIND, A, B)                                                                       \
    static inline int sl_sum_##KIND(uint a, uint b, int sum)                                       \
    {                                                                                              \
        const A x = as_##A(a);                                                                     \
        const B y = as_##B(b);                                                                     \
        return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;                                \
    }
SL_BYTES(i8_i8, char4, char4)
SL_BYTES(i8_u8, char4, uchar4)
SL_BYTES(u8_i8, uchar4, char4)
SL_BYTES(u8_u8, uchar4, uchar4)

/* Number k of eight, by its highest bit or without a sign. */
static inline int sl_i4(uint word, uint k)
{
    return (int)(word << (28 - 4 * k)) >> 28;
}

static inline int sl_u4(uint word, uint k)
{
    return word >> 4 * k & 15;
}

#define SL_HALF_BYTES(A, B)                                                                        \
    static inline int sl_sum_##A##_##B(uint a, uint b, int sum)                                    \
    {                                                                                              \
        for (uint k = 0; k < 8; k++)                                                               \
            sum += sl_##A(a, k) * sl_##B(b, k);                                                    \
        return sum;                                                                                \
    }
SL_HALF_BYTES(i4, i4)
SL_HALF_BYTES(i4, u4)
SL_HALF_BYTES(u4, i4)
SL_HALF_BYTES(u4, u4)

/* Products of these are exact, unless one of bfloat16 is beyond the range of float: what is rounded
 * is the sum. */
static inline float sl_sum_bf16_bf16(uint a, uint b, float sum)
{
    sum += as_float(a << 16) * as_float(b << 16);
    return sum + as_float(a & 0xffff0000) * as_float(b & 0xffff0000);
}

static inline float sl_sum_f16_f16(uint a, uint b, float sum)
{
    const half2 x = as_half2(a), y = as_half2(b);
    sum += (float)x.x * (float)y.x;
    return sum + (float)x.y * (float)y.y;
}

/* ---- what a sum is, and is made of ----------------------------------------------------------- */

SL_PURE ushort intel_convert_bfloat16_as_ushort(float);

#define SL_SAME(x) (x)
#define SL_FROM_BFLOAT(x) as_float((uint)(ushort)(x) << 16)
#define SL_TO_BFLOAT(x) as_short(intel_convert_bfloat16_as_ushort(x))
#define SL_FROM_HALF(x) ((float)(x))
#define SL_TO_HALF(x) ((half)(x))

SL_SHARED(int);
SL_SHARED(uint);
SL_SHARED(short);
SL_SHARED(ushort);

#define SL_ROWS_OF 1
#define SL_ROWS_OF2 2
#define SL_ROWS_OF4 4
#define SL_ROWS_OF8 8

/* N: the sub-group's items, S the type of a sum, FROM and TO what make one of a C and back. */
#define SL_MATRIX(KIND, K, N, A, B, C, S, FROM, TO, M)                                             \
    SL_OVERLOAD C##M intel_sub_group_##KIND##_matrix_mad_##K(A##M a, B##8 b, C##M acc)             \
    {                                                                                              \
        const A *mine = (const A *)&a;                                                             \
        const B *column = (const B *)&b;                                                           \
        C *sums = (C *)&acc;                                                                       \
        SL_MEET;                                                                                   \
        for (uint m = 0; m < SL_ROWS_OF##M; m++)                                                   \
            SL_VALUES(A)[m * N + SL_ME] = mine[m];                                                 \
        SL_MEET;                                                                                   \
        for (uint m = 0; m < SL_ROWS_OF##M; m++) {                                                 \
            S sum = FROM(sums[m]);                                                                 \
            for (uint k = 0; k < 8; k++)                                                           \
                sum = sl_sum_##KIND(SL_VALUES(uint)[m * 8 + k], (uint)column[k], sum);             \
            sums[m] = TO(sum);                                                                     \
        }                                                                                          \
        return acc;                                                                                \
    }
#define SL_ALL_ROWS(...)                                                                           \
    SL_MATRIX(__VA_ARGS__, )                                                                       \
    SL_MATRIX(__VA_ARGS__, 2)                                                                      \
    SL_MATRIX(__VA_ARGS__, 4)                                                                      \
    SL_MATRIX(__VA_ARGS__, 8)
#define SL_WHOLE(KIND, K, U, B)                                                                    \
    SL_ALL_ROWS(KIND, K, 8, U##int, B, int, int, SL_SAME, SL_SAME)                                 \
    SL_ALL_ROWS(KIND, K, 16, U##short, B, int, int, SL_SAME, SL_SAME)
#define SL_REAL(KIND)                                                                              \
    SL_ALL_ROWS(KIND, k16, 8, int, int, float, float, SL_SAME, SL_SAME)                            \
    SL_ALL_ROWS(KIND, k16, 16, short, int, float, float, SL_SAME, SL_SAME)

SL_WHOLE(i8_i8, k32, , int)
SL_WHOLE(i8_u8, k32, , uint)
SL_WHOLE(u8_i8, k32, u, int)
SL_WHOLE(u8_u8, k32, u, uint)
SL_WHOLE(i4_i4, k64, , int)
SL_WHOLE(i4_u4, k64, , uint)
SL_WHOLE(u4_i4, k64, u, int)
SL_WHOLE(u4_u4, k64, u, uint)
SL_REAL(bf16_bf16)
SL_REAL(f16_f16)
SL_ALL_ROWS(bf16_bf16, k16, 16, short, int, short, float, SL_FROM_BFLOAT, SL_TO_BFLOAT)
SL_ALL_ROWS(f16_f16, k16, 16, short, int, half, float, SL_FROM_HALF, SL_TO_HALF)

/* ---- floats and doubles: of each row an item has one number ---------------------------------- */

SL_SHARED(float);
SL_SHARED(double);

#define SL_MATRIX_OF(T, NAME, M)                                                                   \
    SL_OVERLOAD T##M __sl_sub_group_##NAME(T##M a, T##16 b, T##M acc)                              \
    {                                                                                              \
        const T *mine = (const T *)&a;                                                             \
        const T *column = (const T *)&b;                                                           \
        T *sums = (T *)&acc;                                                                       \
        SL_MEET;                                                                                   \
        for (uint m = 0; m < SL_ROWS_OF##M; m++)                                                   \
            SL_VALUES(T)[m * 16 + SL_ME] = mine[m];                                                \
        SL_MEET;                                                                                   \
        for (uint m = 0; m < SL_ROWS_OF##M; m++)                                                   \
            for (uint k = 0; k < 16; k++)                                                          \
                sums[m] += SL_VALUES(T)[m * 16 + k] * column[k];                                   \
        return acc;                                                                                \
    }
#define SL_ALL_ROWS_OF(T, NAME)                                                                    \
    SL_MATRIX_OF(T, NAME, )                                                                        \
    SL_MATRIX_OF(T, NAME, 2)                                                                       \
    SL_MATRIX_OF(T, NAME, 4)                                                                       \
    SL_MATRIX_OF(T, NAME, 8)

SL_ALL_ROWS_OF(float, f32_f32_matrix_mad_k16)
SL_ALL_ROWS_OF(double, f64_f64_matrix_mad_k16)
