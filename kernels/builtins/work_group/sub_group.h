/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sub-group functions are written with (groups/sub_group.h has the other side). Between
 * two places where they wait, the items that go on together run one after the other in the order of
 * their ids, so a sum over them is one memory cell that each of them adds to. Who waits anew may
 * change what others still read only behind that place: so every function begins with one.
 */
#ifndef SL_BUILTINS_SUB_GROUP_H
#define SL_BUILTINS_SUB_GROUP_H

#include "table.h"
#include "work_group/extremes.h"

private
ulong *__sl_sub_group_memory(void);
__attribute__((convergent)) void __sl_sub_group_meet(void);
__attribute__((convergent)) void __sl_sub_group_stop(void);

/* All items of the sub-group; or those that come here. */
#define SL_MEET __sl_sub_group_meet()
#define SL_STOP __sl_sub_group_stop()

#define SL_MOST 64 /* items */
#define SL_ME get_sub_group_local_id()
#define SL_TOGETHER (__sl_sub_group_memory()[0])
#define SL_FLAG (__sl_sub_group_memory()[1])
#define SL_ROOM (__sl_sub_group_memory() + 16)

static inline bool sl_is_first(void)
{
    return !(SL_TOGETHER & ((1ul << SL_ME) - 1));
}

/* One type's view of the room: a value of each item, or what they add to. */
#define SL_SHARED(T) typedef T __attribute__((may_alias)) sl_shared_##T
#define SL_VALUES(T) ((private sl_shared_##T *)SL_ROOM)

/* The items' values go over `a`, the sum so far, and `b`. */
#define SL_FOLD(T, x, STEP)                                                                        \
    T a = SL_VALUES(T)[0], b = x, sum = sl_is_first() ? b : (STEP);                                \
    SL_VALUES(T)[0] = sum;

#define SL_REDUCE(PREFIX, WAIT, NAME, T, NEUTRAL, STEP)                                            \
    SL_OVERLOAD T PREFIX##_reduce_##NAME(T x)                                                      \
    {                                                                                              \
        WAIT;                                                                                      \
        SL_FOLD(T, x, STEP)                                                                        \
        WAIT;                                                                                      \
        return SL_VALUES(T)[0];                                                                    \
    }                                                                                              \
    SL_OVERLOAD T PREFIX##_scan_inclusive_##NAME(T x)                                              \
    {                                                                                              \
        WAIT;                                                                                      \
        SL_FOLD(T, x, STEP)                                                                        \
        return sum;                                                                                \
    }                                                                                              \
    SL_OVERLOAD T PREFIX##_scan_exclusive_##NAME(T x)                                              \
    {                                                                                              \
        WAIT;                                                                                      \
        SL_FOLD(T, x, STEP)                                                                        \
        return sl_is_first() ? NEUTRAL : a;                                                        \
    }

/* M(type, least value, largest value) */
#define SL_EACH_WHOLE_NUMBER(M)                                                                    \
    M(char, CHAR_MIN, CHAR_MAX)                                                                    \
    M(uchar, 0, UCHAR_MAX)                                                                         \
    M(short, SHRT_MIN, SHRT_MAX)                                                                   \
    M(ushort, 0, USHRT_MAX)                                                                        \
    M(int, INT_MIN, INT_MAX)                                                                       \
    M(uint, 0, UINT_MAX)                                                                           \
    M(long, LONG_MIN, LONG_MAX)                                                                    \
    M(ulong, 0, ULONG_MAX)
#define SL_EACH_REAL_NUMBER(M)                                                                     \
    M(half, -INFINITY, INFINITY)                                                                   \
    M(float, -INFINITY, INFINITY)                                                                  \
    M(double, -INFINITY, INFINITY)
#define SL_EACH_NUMBER(M) SL_EACH_WHOLE_NUMBER(M) SL_EACH_REAL_NUMBER(M)

/* Each item leaves its value; `from` is whose it takes. */
#define SL_EXCHANGE(T, x, WAIT, from)                                                              \
    WAIT;                                                                                          \
    SL_VALUES(T)[SL_ME] = x;                                                                       \
    WAIT;                                                                                          \
    return SL_VALUES(T)[(from) & (SL_MOST - 1)];

#endif
