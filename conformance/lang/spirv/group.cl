/* SPDX-License-Identifier: Apache-2.0 */
#include "item.h"

/* Groups and atomics. Local size 16. */

#define SUMS(P, T)                                                                                 \
    KERNEL(P##sums_##T, T, PUT(P##reduce_add(x)); PUT(P##reduce_min(x)); PUT(P##reduce_max(x));    \
           PUT(P##scan_inclusive_add(x)); PUT(P##scan_inclusive_min(x));                           \
           PUT(P##scan_inclusive_max(x)); PUT(P##scan_exclusive_add(x));                           \
           PUT(P##scan_exclusive_min(x)); PUT(P##scan_exclusive_max(x));)
SUMS(work_group_, int)
SUMS(work_group_, uint)
SUMS(work_group_, long)
SUMS(work_group_, ulong)
SUMS(work_group_, float)
SUMS(work_group_, double)
SUMS(sub_group_, int)
SUMS(sub_group_, uint)
SUMS(sub_group_, long)
SUMS(sub_group_, float)
SUMS(sub_group_, double)
KERNEL(votes, int, PUT(work_group_all(x & 1)); PUT(work_group_any(x & 1)); PUT(work_group_all(1));
       PUT(sub_group_all(x & 1)); PUT(sub_group_any(x == y)); PUT(work_group_broadcast(x, 3));
       PUT(sub_group_broadcast(x, 2)); PUT(work_group_broadcast(as_float(x), 5, 0));)

/* What comes from items that are not there, or not at the place, is anybody's. */
#define OTHERS(T)                                                                                  \
    KERNEL(others_##T, T, uint me = get_sub_group_local_id(); PUT(sub_group_shuffle(x, me ^ 1));   \
           PUT(sub_group_shuffle_xor(x, 3)); T up = sub_group_shuffle_up(x, 2);                    \
           if (me >= 2) PUT(up); T down = sub_group_shuffle_down(x, 1); if (me < 2) PUT(down);     \
           PUT(sub_group_non_uniform_broadcast(x, 1)); PUT(sub_group_broadcast_first(x));          \
           PUT(sub_group_non_uniform_all_equal(x)); T turned = sub_group_rotate(x, 1);             \
           if (me + 1 < get_sub_group_size()) PUT(turned);)
KERNEL(ballots, int, uint4 b = sub_group_ballot(x & 1); PUT(b); PUT(sub_group_inverse_ballot(b));
       PUT(sub_group_ballot_bit_extract(b, 2)); PUT(sub_group_ballot_bit_count(b));
       PUT(sub_group_ballot_inclusive_scan(b)); PUT(sub_group_ballot_exclusive_scan(b)); b.x |= 4;
       PUT(sub_group_ballot_find_lsb(b)); PUT(sub_group_ballot_find_msb(b)); PUT(sub_group_elect());
       PUT(sub_group_non_uniform_all(x)); PUT(sub_group_non_uniform_any(x & 1));)
OTHERS(int)
OTHERS(float)
OTHERS(double)
#define THERE(T)                                                                                   \
    KERNEL(                                                                                        \
        there_##T, T, if (IN(int, 1) & 1) {                                                        \
            PUT(sub_group_non_uniform_reduce_add(x));                                              \
            PUT(sub_group_non_uniform_reduce_mul(x));                                              \
            PUT(sub_group_non_uniform_scan_inclusive_min(x));                                      \
            PUT(sub_group_non_uniform_scan_exclusive_max(x));                                      \
            PUT(sub_group_clustered_reduce_add(x, 2));                                             \
            PUT(sub_group_clustered_reduce_max(x, 4));                                             \
        })
THERE(int)
THERE(uint)
THERE(float)
KERNEL(there_bits, uint, PUT(sub_group_non_uniform_reduce_and(x));
       PUT(sub_group_non_uniform_scan_inclusive_or(x));
       PUT(sub_group_non_uniform_scan_exclusive_xor(x)); PUT(sub_group_clustered_reduce_xor(x, 4));
       PUT(sub_group_non_uniform_reduce_logical_and(x & 1));
       PUT(sub_group_non_uniform_scan_inclusive_logical_or(x & 1));
       PUT(sub_group_clustered_reduce_logical_xor(x & 1, 2));)

/* Copies by a group, and barriers. */
kernel void copies(global uint *out, global const uint *in)
{
    local uint4 a[16];
    local ushort2 b[32];
    global uint *group = out + get_group_id(0) * 96 * 16;
    event_t e = async_work_group_copy(a, (global const uint4 *)in + get_group_id(0) * 64, 16, 0);
    e = async_work_group_strided_copy(b, (global const ushort2 *)in, 32, 2, e);
    wait_group_events(1, &e);
    group[get_local_id(0)] = a[15 - get_local_id(0)].z;
    e = async_work_group_copy((global uint4 *)group + 4, a, 16, 0);
    e = async_work_group_strided_copy((global ushort2 *)group + 128, b, 32, 3, e);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a[get_local_id(0)].x = get_local_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    group[32 + get_local_id(0)] = a[(get_local_id(0) + 5) % 16].x;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);
}

/* One item alone, so that old values are certain. */
#define OLD(...)                                                                                   \
    PUT(__VA_ARGS__);                                                                              \
    PUT(*(volatile global uint *)u)
KERNEL(old_atomics, int, global uint *u = to + 80; global int *p = (global int *)u; *p = x;
       OLD(atomic_add(p, y)); OLD(atomic_sub(p, 3)); OLD(atomic_xchg(p, y)); OLD(atomic_inc(p));
       OLD(atomic_dec(u)); OLD(atomic_cmpxchg(p, y, 77)); OLD(atomic_cmpxchg(u, 5u, 6u));
       OLD(atomic_min(p, y)); OLD(atomic_max(u, (uint)y)); OLD(atomic_and(p, 0xffff));
       OLD(atomic_or(u, 0x70000u)); OLD(atomic_xor(p, y));)
#define TRY(A, T, ORDER)                                                                           \
    KERNEL(atomics_##T##_##ORDER, T, volatile global A *p = (volatile global A *)(to + 80);        \
           atomic_store_explicit(p, x, ORDER, memory_scope_device);                                \
           PUT(atomic_load_explicit(p, memory_order_relaxed, memory_scope_device));                \
           PUT(atomic_exchange_explicit(p, y, ORDER, memory_scope_work_group)); T e = x;           \
           PUT((int)atomic_compare_exchange_strong_explicit(p, &e, x, ORDER, memory_order_relaxed, \
                                                            memory_scope_device));                 \
           PUT(e); PUT(atomic_load_explicit(p, memory_order_acquire, memory_scope_device));)
#define TRY_WHOLE(A, T)                                                                            \
    TRY(A, T, memory_order_release)                                                                \
    TRY(A, T, memory_order_seq_cst)                                                                \
    KERNEL(                                                                                        \
        sums_of_##T, T, volatile global A *p = (volatile global A *)(to + 80); atomic_init(p, x);  \
        PUT(atomic_fetch_add(p, y)); PUT(atomic_fetch_sub_explicit(p, 3, memory_order_relaxed));   \
        PUT(atomic_fetch_min(p, y)); PUT(atomic_fetch_max(p, x)); PUT(atomic_fetch_and(p, 0xff0)); \
        PUT(atomic_fetch_or(p, y)); PUT(atomic_fetch_xor(p, x)); PUT(atomic_load(p));)
TRY_WHOLE(atomic_int, int)
TRY_WHOLE(atomic_uint, uint)
TRY_WHOLE(atomic_long, long)
KERNEL(counted, uint, local atomic_uint n; if (!get_local_id(0)) atomic_init(&n, 5u);
       barrier(CLK_LOCAL_MEM_FENCE);
       atomic_fetch_add_explicit(&n, x & 7, memory_order_relaxed, memory_scope_work_group);
       barrier(CLK_LOCAL_MEM_FENCE); PUT(atomic_load(&n));)
KERNEL(flags, uint, volatile global atomic_flag *f = (volatile global atomic_flag *)(to + 80);
       atomic_flag_clear(f); PUT((int)atomic_flag_test_and_set(f));
       PUT((int)atomic_flag_test_and_set_explicit(f, memory_order_acquire));
       atomic_flag_clear_explicit(f, memory_order_release); PUT((int)atomic_flag_test_and_set(f));)
