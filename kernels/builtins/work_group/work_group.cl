/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a whole work-group. Each item puts its value into the group's local memory, the
 * first one goes over them, and each takes its result: a group runs on one thread, so nothing is
 * gained by a tree. Sums of all are made of several that run side by side: they are done sooner,
 * and round less. Barriers before and after keep one call's scratch from the next one's.
 */
#include "table.h"
#include "work_group/extremes.h"

/* Room in the group's local memory for the largest group and one more (passes/local_memory.c). */
local ulong *__sl_group_scratch(void);

/* All types share it, one after the other. */
#define SL_VALUES(T) ((local sl_shared_##T *)__sl_group_scratch())
#define SL_JOINED barrier(CLK_LOCAL_MEM_FENCE)

static size_t sl_items(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

#define SL_PARTS 16
#define SL_EACH_PART(K) _Pragma("unroll") for (int K = 0; K < SL_PARTS; K++)
#define SL_EACH_STEP(HALF) _Pragma("unroll") for (int HALF = SL_PARTS / 2; HALF; HALF /= 2)

/* The exclusive scan is made in place. */
#define SL_SCAN(NAME, T, FIRST, STEP)                                                              \
    static T sl_scan_##NAME##_##T(T x)                                                             \
    {                                                                                              \
        size_t me = get_local_linear_id();                                                         \
        SL_VALUES(T)[me] = x;                                                                      \
        SL_JOINED;                                                                                 \
        if (!me) {                                                                                 \
            size_t n = sl_items();                                                                 \
            T so_far = FIRST;                                                                      \
            for (size_t i = 0; i < n; i++) {                                                       \
                T a = so_far, b = SL_VALUES(T)[i];                                                 \
                SL_VALUES(T)[i] = so_far;                                                          \
                so_far = STEP;                                                                     \
            }                                                                                      \
        }                                                                                          \
        SL_JOINED;                                                                                 \
        return SL_VALUES(T)[me];                                                                   \
    }                                                                                              \
    SL_OVERLOAD T work_group_scan_exclusive_##NAME(T x)                                            \
    {                                                                                              \
        T result = sl_scan_##NAME##_##T(x);                                                        \
        SL_JOINED;                                                                                 \
        return result;                                                                             \
    }                                                                                              \
    SL_OVERLOAD T work_group_scan_inclusive_##NAME(T x)                                            \
    {                                                                                              \
        T a = sl_scan_##NAME##_##T(x), b = x;                                                      \
        SL_JOINED;                                                                                 \
        return STEP;                                                                               \
    }

/* Sixteen sums, one of each sixteenth item. */
#define SL_SUM(NAME, T, FIRST, STEP)                                                               \
    static T sl_sum_##NAME##_##T(local const sl_shared_##T *x, size_t n)                           \
    {                                                                                              \
        T part[SL_PARTS];                                                                          \
        size_t i = 0;                                                                              \
        SL_EACH_PART(k) part[k] = FIRST;                                                           \
        for (; n - i >= SL_PARTS; i += SL_PARTS)                                                   \
            SL_EACH_PART(k)                                                                        \
            {                                                                                      \
                T a = part[k], b = x[i + k];                                                       \
                part[k] = STEP;                                                                    \
            }                                                                                      \
        for (; i < n; i++) {                                                                       \
            T a = part[0], b = x[i];                                                               \
            part[0] = STEP;                                                                        \
        }                                                                                          \
        SL_EACH_STEP(by)                                                                           \
        for (int k = 0; k < by; k++) {                                                             \
            T a = part[k], b = part[k + by];                                                       \
            part[k] = STEP;                                                                        \
        }                                                                                          \
        return part[0];                                                                            \
    }

/* Neighbours stay together: numbers that are large and small in turn have a product then. */
#define SL_PRODUCT(T)                                                                              \
    static T sl_sum_mul_##T(local const sl_shared_##T *x, size_t n)                                \
    {                                                                                              \
        size_t quarter = n / 4;                                                                    \
        T a = 1, b = 1, c = 1, d = 1;                                                              \
        for (size_t i = 0; i < quarter; i++) {                                                     \
            a *= x[i];                                                                             \
            b *= x[quarter + i];                                                                   \
            c *= x[2 * quarter + i];                                                               \
            d *= x[3 * quarter + i];                                                               \
        }                                                                                          \
        for (size_t i = 4 * quarter; i < n; i++)                                                   \
            d *= x[i];                                                                             \
        return a * b * (c * d);                                                                    \
    }

#define SL_REDUCE(NAME, T)                                                                         \
    SL_OVERLOAD T work_group_reduce_##NAME(T x)                                                    \
    {                                                                                              \
        size_t me = get_local_linear_id(), n = sl_items();                                         \
        SL_VALUES(T)[me] = x;                                                                      \
        SL_JOINED;                                                                                 \
        if (!me)                                                                                   \
            SL_VALUES(T)[n] = sl_sum_##NAME##_##T(SL_VALUES(T), n);                                \
        SL_JOINED;                                                                                 \
        T result = SL_VALUES(T)[n];                                                                \
        SL_JOINED;                                                                                 \
        return result;                                                                             \
    }

#define SL_FOLD(NAME, T, FIRST, STEP)                                                              \
    SL_SCAN(NAME, T, FIRST, STEP)                                                                  \
    SL_SUM(NAME, T, FIRST, STEP)                                                                   \
    SL_REDUCE(NAME, T)

#define SL_BROADCAST(T)                                                                            \
    static T sl_broadcast_##T(T x, bool chosen)                                                    \
    {                                                                                              \
        if (chosen)                                                                                \
            SL_VALUES(T)[0] = x;                                                                   \
        SL_JOINED;                                                                                 \
        T result = SL_VALUES(T)[0];                                                                \
        SL_JOINED;                                                                                 \
        return result;                                                                             \
    }                                                                                              \
    SL_OVERLOAD T work_group_broadcast(T x, size_t i)                                              \
    {                                                                                              \
        return sl_broadcast_##T(x, get_local_id(0) == i);                                          \
    }                                                                                              \
    SL_OVERLOAD T work_group_broadcast(T x, size_t i, size_t j)                                    \
    {                                                                                              \
        return sl_broadcast_##T(x, get_local_id(0) == i && get_local_id(1) == j);                  \
    }                                                                                              \
    SL_OVERLOAD T work_group_broadcast(T x, size_t i, size_t j, size_t k)                          \
    {                                                                                              \
        return sl_broadcast_##T(x, get_local_id(0) == i && get_local_id(1) == j &&                 \
                                       get_local_id(2) == k);                                      \
    }

#define SL_ALL_OF(T, LEAST, MOST)                                                                  \
    typedef T __attribute__((may_alias)) sl_shared_##T;                                            \
    SL_FOLD(add, T, 0, a + b)                                                                      \
    SL_FOLD(min, T, MOST, SL_LESS_OF(a, b))                                                        \
    SL_FOLD(max, T, LEAST, SL_MORE_OF(a, b))                                                       \
    SL_SCAN(mul, T, 1, a *b)                                                                       \
    SL_PRODUCT(T)                                                                                  \
    SL_REDUCE(mul, T)                                                                              \
    SL_BROADCAST(T)

/* cl_khr_work_group_uniform_arithmetic */
#define SL_BITS_OF(T)                                                                              \
    SL_FOLD(and, T, (T)~0ul, a &b)                                                                 \
    SL_FOLD(or, T, 0, a | b)                                                                       \
    SL_FOLD(xor, T, 0, a ^ b)

SL_ALL_OF(char, CHAR_MIN, CHAR_MAX)
SL_ALL_OF(uchar, 0, UCHAR_MAX)
SL_ALL_OF(short, SHRT_MIN, SHRT_MAX)
SL_ALL_OF(ushort, 0, USHRT_MAX)
SL_ALL_OF(int, INT_MIN, INT_MAX)
SL_ALL_OF(uint, 0, UINT_MAX)
SL_ALL_OF(long, LONG_MIN, LONG_MAX)
SL_ALL_OF(ulong, 0, ULONG_MAX)
SL_ALL_OF(half, -INFINITY, INFINITY)
SL_ALL_OF(float, -INFINITY, INFINITY)
SL_ALL_OF(double, -INFINITY, INFINITY)

SL_BITS_OF(char)
SL_BITS_OF(uchar)
SL_BITS_OF(short)
SL_BITS_OF(ushort)
SL_BITS_OF(int)
SL_BITS_OF(uint)
SL_BITS_OF(long)
SL_BITS_OF(ulong)
SL_FOLD(logical_and, int, 1, a && b)
SL_FOLD(logical_or, int, 0, a || b)
SL_FOLD(logical_xor, int, 0, !a != !b)

SL_OVERLOAD int work_group_any(int predicate)
{
    return work_group_reduce_max(predicate != 0 ? 1 : 0);
}

SL_OVERLOAD int work_group_all(int predicate)
{
    return work_group_reduce_min(predicate != 0 ? 1 : 0);
}
