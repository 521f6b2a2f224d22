/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long launches of the host have been going on while a program is profiled: what kernels wait
 * is a share of that, not of a program's life, most of which autorun kernels wait for a host that
 * has nothing to do. Counted under the profile's lock; read by any thread.
 */
#ifndef SL_FPGA_PROFILE_BUSY_H
#define SL_FPGA_PROFILE_BUSY_H

#include <stdatomic.h>
#include <stdint.h>

struct sl_busy {
    /* twice the nanoseconds spent, or, while any goes on, twice the time at which it would have
     * begun if there had been no pauses, and 1 */
    _Atomic uint64_t state;
    uint64_t going; /* launches */
};

/* Nanoseconds of the time until `now_ns`, which is not before what was told last. */
static inline uint64_t sl_busy_ns(const struct sl_busy *busy, uint64_t now_ns)
{
    uint64_t state = atomic_load_explicit(&busy->state, memory_order_relaxed);
    if (!(state & 1))
        return state >> 1;
    return now_ns > state >> 1 ? now_ns - (state >> 1) : 0;
}

static inline void sl_busy_begin(struct sl_busy *busy, uint64_t now_ns)
{
    if (!busy->going++)
        atomic_store_explicit(&busy->state, (now_ns - sl_busy_ns(busy, now_ns)) << 1 | 1,
                              memory_order_relaxed);
}

static inline void sl_busy_end(struct sl_busy *busy, uint64_t now_ns)
{
    if (!--busy->going)
        atomic_store_explicit(&busy->state, sl_busy_ns(busy, now_ns) << 1, memory_order_relaxed);
}

static inline void sl_busy_clear(struct sl_busy *busy, uint64_t now_ns)
{
    atomic_store_explicit(&busy->state, busy->going ? now_ns << 1 | 1 : 0, memory_order_relaxed);
}

#endif
