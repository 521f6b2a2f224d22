/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a whole work-group. Each item puts its value into the group's local memory, the
 * first one goes over them, and each takes its result: a group runs on one thread, so nothing is
 * gained by a tree. Barriers before and after keep one call's scratch from the next one's.
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

/* The exclusive scan is made in place, the sum of all is put behind it. */
#define SL_REDUCE(NAME, T, FIRST, STEP)                                                            \
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
            SL_VALUES(T)[n] = so_far;                                                              \
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
    }                                                                                              \
    SL_OVERLOAD T work_group_reduce_##NAME(T x)                                                    \
    {                                                                                              \
        sl_scan_##NAME##_##T(x);                                                                   \
        T result = SL_VALUES(T)[sl_items()];                                                       \
        SL_JOINED;                                                                                 \
        return result;                                                                             \
    }

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
    SL_REDUCE(add, T, 0, a + b)                                                                    \
    SL_REDUCE(min, T, MOST, SL_LESS_OF(a, b))                                                         \
    SL_REDUCE(max, T, LEAST, SL_MORE_OF(a, b))                                                        \
    SL_REDUCE(mul, T, 1, a *b)                                                                     \
    SL_BROADCAST(T)

/* cl_khr_work_group_uniform_arithmetic */
#define SL_BITS_OF(T)                                                                              \
    SL_REDUCE(and, T, (T)~0ul, a &b)                                                               \
    SL_REDUCE(or, T, 0, a | b)                                                                     \
    SL_REDUCE(xor, T, 0, a ^ b)

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
SL_REDUCE(logical_and, int, 1, a && b)
SL_REDUCE(logical_or, int, 0, a || b)
SL_REDUCE(logical_xor, int, 0, !a != !b)

SL_OVERLOAD int work_group_any(int predicate)
{
    return work_group_reduce_max(predicate != 0 ? 1 : 0);
}

SL_OVERLOAD int work_group_all(int predicate)
{
    return work_group_reduce_min(predicate != 0 ? 1 : 0);
}
