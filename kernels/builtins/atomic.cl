/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics: OpenCL 1.x functions (relaxed) and the C11 set, which become LLVM's atomic instructions.
 * Orders other than sequentially consistent all compile to acquire-release, free on this machine.
 */
#include "table.h"

/* ---- OpenCL 1.x ------------------------------------------------------------------------------ */

#define SL_FETCH(PREFIX, NAME, OP, SPACE, T)                                                       \
    SL_OVERLOAD T PREFIX##_##NAME(volatile SPACE T *p, T value)                                    \
    {                                                                                              \
        return __atomic_fetch_##OP(p, value, __ATOMIC_RELAXED);                                    \
    }

#define SL_ATOMICS(PREFIX, SPACE, T)                                                               \
    SL_FETCH(PREFIX, add, add, SPACE, T)                                                           \
    SL_FETCH(PREFIX, sub, sub, SPACE, T)                                                           \
    SL_FETCH(PREFIX, and, and, SPACE, T)                                                           \
    SL_FETCH(PREFIX, or, or, SPACE, T)                                                             \
    SL_FETCH(PREFIX, xor, xor, SPACE, T)                                                           \
    SL_FETCH(PREFIX, min, min, SPACE, T)                                                           \
    SL_FETCH(PREFIX, max, max, SPACE, T)                                                           \
    SL_OVERLOAD T PREFIX##_inc(volatile SPACE T *p)                                                \
    {                                                                                              \
        return __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);                                         \
    }                                                                                              \
    SL_OVERLOAD T PREFIX##_dec(volatile SPACE T *p)                                                \
    {                                                                                              \
        return __atomic_fetch_sub(p, 1, __ATOMIC_RELAXED);                                         \
    }                                                                                              \
    SL_OVERLOAD T PREFIX##_xchg(volatile SPACE T *p, T value)                                      \
    {                                                                                              \
        return __atomic_exchange_n(p, value, __ATOMIC_RELAXED);                                    \
    }                                                                                              \
    SL_OVERLOAD T PREFIX##_cmpxchg(volatile SPACE T *p, T expected, T value)                       \
    {                                                                                              \
        __atomic_compare_exchange_n(p, &expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);   \
        return expected;                                                                           \
    }

#define SL_ATOMICS_IN(SPACE)                                                                       \
    SL_ATOMICS(atomic, SPACE, int)                                                                 \
    SL_ATOMICS(atomic, SPACE, uint)                                                                \
    SL_ATOMICS(atom, SPACE, int)                                                                   \
    SL_ATOMICS(atom, SPACE, uint)                                                                  \
    SL_ATOMICS(atom, SPACE, long)                                                                  \
    SL_ATOMICS(atom, SPACE, ulong)                                                                 \
    SL_OVERLOAD float atomic_xchg(volatile SPACE float *p, float value)                            \
    {                                                                                              \
        return as_float(                                                                           \
            __atomic_exchange_n((volatile SPACE uint *)p, as_uint(value), __ATOMIC_RELAXED));      \
    }

SL_ATOMICS_IN(global)
SL_ATOMICS_IN(local)

/* ---- the C11 set ----------------------------------------------------------------------------- */

/* NAME with its three forms: plain, with an order, with order and scope. */
#define SL_C11_FETCH_BY(NAME, SPACE, A, M, V)                                                      \
    SL_OVERLOAD M atomic_##NAME##_explicit(volatile SPACE A *p, V value, memory_order order,       \
                                           memory_scope scope)                                     \
    {                                                                                              \
        return __opencl_atomic_##NAME(p, value, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);   \
    }                                                                                              \
    SL_OVERLOAD M atomic_##NAME##_explicit(volatile SPACE A *p, V value, memory_order order)       \
    {                                                                                              \
        return __opencl_atomic_##NAME(p, value, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);   \
    }                                                                                              \
    SL_OVERLOAD M atomic_##NAME(volatile SPACE A *p, V value)                                      \
    {                                                                                              \
        return __opencl_atomic_##NAME(p, value, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);   \
    }
#define SL_C11_FETCH(NAME, SPACE, A, M) SL_C11_FETCH_BY(NAME, SPACE, A, M, M)

static bool sl_is_strict(memory_order order)
{
    return order == memory_order_seq_cst;
}

/* A sequentially consistent store is the one access that costs more than the others. */
#define SL_C11_STORE(SPACE, A, M)                                                                  \
    SL_OVERLOAD void atomic_store_explicit(volatile SPACE A *p, M value, memory_order order,       \
                                           memory_scope scope)                                     \
    {                                                                                              \
        if (sl_is_strict(order))                                                                   \
            __opencl_atomic_store(p, value, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);       \
        else                                                                                       \
            __opencl_atomic_store(p, value, __ATOMIC_RELEASE, memory_scope_all_svm_devices);       \
    }                                                                                              \
    SL_OVERLOAD void atomic_store_explicit(volatile SPACE A *p, M value, memory_order order)       \
    {                                                                                              \
        atomic_store_explicit(p, value, order, memory_scope_device);                               \
    }                                                                                              \
    SL_OVERLOAD void atomic_store(volatile SPACE A *p, M value)                                    \
    {                                                                                              \
        atomic_store_explicit(p, value, memory_order_seq_cst, memory_scope_device);                \
    }                                                                                              \
    SL_OVERLOAD void atomic_init(volatile SPACE A *p, M value)                                     \
    {                                                                                              \
        __opencl_atomic_store(p, value, __ATOMIC_RELAXED, memory_scope_all_svm_devices);           \
    }

#define SL_C11_LOAD(SPACE, A, M)                                                                   \
    SL_OVERLOAD M atomic_load_explicit(volatile SPACE A *p, memory_order order,                    \
                                       memory_scope scope)                                         \
    {                                                                                              \
        return __opencl_atomic_load(p, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);            \
    }                                                                                              \
    SL_OVERLOAD M atomic_load_explicit(volatile SPACE A *p, memory_order order)                    \
    {                                                                                              \
        return __opencl_atomic_load(p, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);            \
    }                                                                                              \
    SL_OVERLOAD M atomic_load(volatile SPACE A *p)                                                 \
    {                                                                                              \
        return __opencl_atomic_load(p, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);            \
    }

/* How strong: strong and weak are the same instruction. */
#define SL_C11_COMPARE(NAME, SPACE, OTHER, A, M)                                                   \
    SL_OVERLOAD bool NAME##_explicit(volatile SPACE A *p, OTHER M *expected, M value,              \
                                     memory_order success, memory_order failure,                   \
                                     memory_scope scope)                                           \
    {                                                                                              \
        M old = *expected;                                                                         \
        bool same = __opencl_atomic_compare_exchange_strong(                                       \
            p, &old, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, memory_scope_all_svm_devices);     \
        if (!same)                                                                                 \
            *expected = old;                                                                       \
        return same;                                                                               \
    }                                                                                              \
    SL_OVERLOAD bool NAME##_explicit(volatile SPACE A *p, OTHER M *expected, M value,              \
                                     memory_order success, memory_order failure)                   \
    {                                                                                              \
        return NAME##_explicit(p, expected, value, success, failure, memory_scope_device);         \
    }                                                                                              \
    SL_OVERLOAD bool NAME(volatile SPACE A *p, OTHER M *expected, M value)                         \
    {                                                                                              \
        return NAME##_explicit(p, expected, value, memory_order_seq_cst, memory_order_seq_cst,     \
                               memory_scope_device);                                               \
    }

#define SL_C11_COMPARES(SPACE, OTHER, A, M)                                                        \
    SL_C11_COMPARE(atomic_compare_exchange_strong, SPACE, OTHER, A, M)                             \
    SL_C11_COMPARE(atomic_compare_exchange_weak, SPACE, OTHER, A, M)

#define SL_C11_BASE(SPACE, A, M)                                                                   \
    SL_C11_LOAD(SPACE, A, M)                                                                       \
    SL_C11_STORE(SPACE, A, M)                                                                      \
    SL_C11_FETCH(exchange, SPACE, A, M)                                                            \
    SL_C11_COMPARES(SPACE, global, A, M)                                                           \
    SL_C11_COMPARES(SPACE, local, A, M)                                                            \
    SL_C11_COMPARES(SPACE, private, A, M)                                                          \
    SL_C11_COMPARES(SPACE, generic, A, M)

#define SL_C11_INTEGER(SPACE, A, M)                                                                \
    SL_C11_BASE(SPACE, A, M)                                                                       \
    SL_C11_FETCH(fetch_add, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_sub, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_and, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_or, SPACE, A, M)                                                            \
    SL_C11_FETCH(fetch_xor, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_min, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_max, SPACE, A, M)

#define SL_C11_FLOAT(SPACE, A, M)                                                                  \
    SL_C11_BASE(SPACE, A, M)                                                                       \
    SL_C11_FETCH(fetch_add, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_sub, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_min, SPACE, A, M)                                                           \
    SL_C11_FETCH(fetch_max, SPACE, A, M)

#define SL_FLAG(SPACE)                                                                             \
    SL_OVERLOAD bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag *p,              \
                                                       memory_order order, memory_scope scope)     \
    {                                                                                              \
        return __opencl_atomic_exchange((volatile SPACE atomic_int *)p, 1, __ATOMIC_SEQ_CST,       \
                                        memory_scope_all_svm_devices);                             \
    }                                                                                              \
    SL_OVERLOAD bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag *p,              \
                                                       memory_order order)                         \
    {                                                                                              \
        return atomic_flag_test_and_set_explicit(p, order, memory_scope_device);                   \
    }                                                                                              \
    SL_OVERLOAD bool atomic_flag_test_and_set(volatile SPACE atomic_flag *p)                       \
    {                                                                                              \
        return atomic_flag_test_and_set_explicit(p, memory_order_seq_cst, memory_scope_device);    \
    }                                                                                              \
    SL_OVERLOAD void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order, \
                                                memory_scope scope)                                \
    {                                                                                              \
        atomic_store_explicit((volatile SPACE atomic_int *)p, 0, order, scope);                    \
    }                                                                                              \
    SL_OVERLOAD void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order) \
    {                                                                                              \
        atomic_flag_clear_explicit(p, order, memory_scope_device);                                 \
    }                                                                                              \
    SL_OVERLOAD void atomic_flag_clear(volatile SPACE atomic_flag *p)                              \
    {                                                                                              \
        atomic_flag_clear_explicit(p, memory_order_seq_cst, memory_scope_device);                  \
    }

/* A difference of pointers can be added to a pointer, which is unsigned. */
#define SL_C11_POINTER(SPACE)                                                                      \
    SL_C11_FETCH_BY(fetch_add, SPACE, atomic_ulong, ulong, long)                                   \
    SL_C11_FETCH_BY(fetch_sub, SPACE, atomic_ulong, ulong, long)

#define SL_C11_IN(SPACE)                                                                           \
    SL_C11_INTEGER(SPACE, atomic_int, int)                                                         \
    SL_C11_INTEGER(SPACE, atomic_uint, uint)                                                       \
    SL_C11_INTEGER(SPACE, atomic_long, long)                                                       \
    SL_C11_INTEGER(SPACE, atomic_ulong, ulong)                                                     \
    SL_C11_FLOAT(SPACE, atomic_float, float)                                                       \
    SL_C11_FLOAT(SPACE, atomic_double, double)                                                     \
    SL_C11_POINTER(SPACE)                                                                          \
    SL_FLAG(SPACE)

SL_C11_IN(global)
SL_C11_IN(local)
SL_C11_IN(generic)
