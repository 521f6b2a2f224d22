/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a sub-group that all its items call (__opencl_c_subgroups and
 * cl_khr_subgroup_extended_types), and those that any of them may call: votes, ballots, and sums over
 * whoever is there.
 */
#include "work_group/sub_group.h"

SL_OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
    SL_MEET;
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}

SL_OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags)
{
    sub_group_barrier(flags, memory_scope_sub_group);
}

/* ---- votes ----------------------------------------------------------------------------------- */

/* Of the items that go on together those that say yes, one bit each. */
#define SL_ASK(NAME, WAIT)                                                                         \
    static ulong NAME(int yes, ulong *together)                                                    \
    {                                                                                              \
        WAIT;                                                                                      \
        ulong bit = yes ? 1ul << SL_ME : 0, all = SL_TOGETHER;                                     \
        SL_FLAG = sl_is_first() ? bit : SL_FLAG | bit;                                             \
        WAIT;                                                                                      \
        *together = all;                                                                           \
        return SL_FLAG;                                                                            \
    }
SL_ASK(sl_ask_all, SL_MEET)
SL_ASK(sl_ask_those_here, SL_STOP)

SL_OVERLOAD int sub_group_any(int predicate)
{
    ulong together;
    return sl_ask_all(predicate, &together) != 0;
}

SL_OVERLOAD int sub_group_all(int predicate)
{
    ulong together, yes = sl_ask_all(predicate, &together);
    return yes == together;
}

SL_OVERLOAD int sub_group_elect(void)
{
    SL_STOP;
    return sl_is_first();
}

SL_OVERLOAD int sub_group_non_uniform_any(int predicate)
{
    ulong together;
    return sl_ask_those_here(predicate, &together) != 0;
}

SL_OVERLOAD int sub_group_non_uniform_all(int predicate)
{
    ulong together, yes = sl_ask_those_here(predicate, &together);
    return yes == together;
}

/* ---- ballots --------------------------------------------------------------------------------- */

static uint4 sl_to_ballot(ulong bits)
{
    return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0);
}

static ulong sl_all_items(void)
{
    return ~0ul >> (SL_MOST - get_max_sub_group_size());
}

/* What belongs to items that there may be. */
static ulong sl_from_ballot(uint4 value)
{
    return (value.x | (ulong)value.y << 32) & sl_all_items();
}

static ulong sl_below(uint id)
{
    return (1ul << id) - 1;
}

SL_OVERLOAD uint4 sub_group_ballot(int predicate)
{
    ulong together;
    return sl_to_ballot(sl_ask_those_here(predicate, &together));
}

SL_OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index)
{
    return value[index / 32 & 3] >> index % 32 & 1;
}

SL_OVERLOAD int sub_group_inverse_ballot(uint4 value)
{
    return sub_group_ballot_bit_extract(value, SL_ME);
}

SL_OVERLOAD uint sub_group_ballot_bit_count(uint4 value)
{
    return popcount(sl_from_ballot(value));
}

SL_OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value)
{
    return popcount(sl_from_ballot(value) & (sl_below(SL_ME) << 1 | 1));
}

SL_OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value)
{
    return popcount(sl_from_ballot(value) & sl_below(SL_ME));
}

SL_OVERLOAD uint sub_group_ballot_find_lsb(uint4 value)
{
    return ctz(sl_from_ballot(value));
}

SL_OVERLOAD uint sub_group_ballot_find_msb(uint4 value)
{
    return 63 - clz(sl_from_ballot(value));
}

SL_OVERLOAD uint4 get_sub_group_eq_mask(void)
{
    return sl_to_ballot(1ul << SL_ME);
}

SL_OVERLOAD uint4 get_sub_group_lt_mask(void)
{
    return sl_to_ballot(sl_below(SL_ME));
}

SL_OVERLOAD uint4 get_sub_group_le_mask(void)
{
    return sl_to_ballot(sl_below(SL_ME) << 1 | 1);
}

SL_OVERLOAD uint4 get_sub_group_ge_mask(void)
{
    return sl_to_ballot(sl_all_items() & ~sl_below(SL_ME));
}

SL_OVERLOAD uint4 get_sub_group_gt_mask(void)
{
    return sl_to_ballot(sl_all_items() & ~(sl_below(SL_ME) << 1 | 1));
}

/* ---- sums ------------------------------------------------------------------------------------ */

#define SL_SUMS(T, LEAST, MOST)                                                                    \
    SL_SHARED(T);                                                                                  \
    SL_REDUCE(sub_group, SL_MEET, add, T, 0, a + b)                                                \
    SL_REDUCE(sub_group, SL_MEET, min, T, MOST, SL_LESS_OF(a, b))                                     \
    SL_REDUCE(sub_group, SL_MEET, max, T, LEAST, SL_MORE_OF(a, b))                                    \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, add, T, 0, a + b)                                    \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, mul, T, 1, a *b)                                     \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, min, T, MOST, SL_LESS_OF(a, b))                         \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, max, T, LEAST, SL_MORE_OF(a, b))                        \
    SL_OVERLOAD int sub_group_non_uniform_all_equal(T x)                                           \
    {                                                                                              \
        SL_STOP;                                                                                   \
        bool first = sl_is_first();                                                                \
        T of_first = first ? x : SL_VALUES(T)[0];                                                  \
        ulong same = x == of_first;                                                                \
        SL_VALUES(T)[0] = of_first;                                                                \
        SL_FLAG = first ? same : SL_FLAG & same;                                                   \
        SL_STOP;                                                                                   \
        return (int)SL_FLAG;                                                                       \
    }                                                                                              \
    SL_OVERLOAD T sub_group_broadcast_first(T x)                                                   \
    {                                                                                              \
        SL_STOP;                                                                                   \
        SL_FOLD(T, x, a)                                                                           \
        SL_STOP;                                                                                   \
        return SL_VALUES(T)[0];                                                                    \
    }
SL_EACH_NUMBER(SL_SUMS)

#define SL_BIT_SUMS(T, LEAST, MOST)                                                                \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, and, T, (T)~0ul, a &b)                               \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, or, T, 0, a | b)                                     \
    SL_REDUCE(sub_group_non_uniform, SL_STOP, xor, T, 0, a ^ b)
SL_EACH_WHOLE_NUMBER(SL_BIT_SUMS)

SL_REDUCE(sub_group_non_uniform, SL_STOP, logical_and, int, 1, a && b)
SL_REDUCE(sub_group_non_uniform, SL_STOP, logical_or, int, 0, a || b)
SL_REDUCE(sub_group_non_uniform, SL_STOP, logical_xor, int, 0, !a != !b)

/* ---- sums of clusters ------------------------------------------------------------------------ */

static ulong sl_cluster(uint size)
{
    uint first = SL_ME & ~(size - 1);
    return SL_TOGETHER & ~0ul >> (SL_MOST - size) << first;
}

#define SL_CLUSTER(NAME, T, STEP)                                                                  \
    SL_OVERLOAD T sub_group_clustered_reduce_##NAME(T x, uint size)                                \
    {                                                                                              \
        SL_STOP;                                                                                   \
        SL_VALUES(T)[SL_ME] = x;                                                                   \
        ulong items = sl_cluster(size);                                                            \
        SL_STOP;                                                                                   \
        T a = SL_VALUES(T)[ctz(items)];                                                            \
        while (items &= items - 1) {                                                               \
            T b = SL_VALUES(T)[ctz(items)];                                                        \
            a = STEP;                                                                              \
        }                                                                                          \
        return a;                                                                                  \
    }
#define SL_CLUSTERS(T, LEAST, MOST)                                                                \
    SL_CLUSTER(add, T, a + b)                                                                      \
    SL_CLUSTER(mul, T, a *b)                                                                       \
    SL_CLUSTER(min, T, SL_LESS_OF(a, b))                                                              \
    SL_CLUSTER(max, T, SL_MORE_OF(a, b))
SL_EACH_NUMBER(SL_CLUSTERS)
#define SL_BIT_CLUSTERS(T, LEAST, MOST)                                                            \
    SL_CLUSTER(and, T, a &b)                                                                       \
    SL_CLUSTER(or, T, a | b)                                                                       \
    SL_CLUSTER(xor, T, a ^ b)
SL_EACH_WHOLE_NUMBER(SL_BIT_CLUSTERS)
SL_CLUSTER(logical_and, int, a &&b)
SL_CLUSTER(logical_or, int, a || b)
SL_CLUSTER(logical_xor, int, !a != !b)
