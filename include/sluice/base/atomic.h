/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic members of structs that C and C++ share: <stdatomic.h>, by its names in C++17 too. Such a
 * type has the same size and place in both, as the platform's ABI has it.
 */
#ifndef SL_BASE_ATOMIC_H
#define SL_BASE_ATOMIC_H

#ifdef __cplusplus
#include <atomic>
using std::atomic_flag;
using std::atomic_int;
using std::atomic_uint;
using std::memory_order_relaxed;
#define SL_ATOMIC(type) std::atomic<type>
#else
#include <stdatomic.h>
#define SL_ATOMIC(type) _Atomic(type)
#endif

#endif
