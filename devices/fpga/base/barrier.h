/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store-load barrier paid for by one side only. A thread that is about to sleep announces it,
 * calls sl_barrier() and looks once more; whoever changes something only stores and looks for the
 * announcement.
 */
#ifndef SL_FPGA_BARRIER_H
#define SL_FPGA_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>

/* Asks the system for it; once per process, before the first use. */
void sl_barrier_init(void);

/* All threads of the process pass a full barrier. False: the system cannot do that; the caller must
 * not sleep without a time limit. */
bool sl_barrier(void);

/* A full barrier of the calling thread. */
void sl_barrier_full(void);

/* The cheap side, between its store and its look. */
extern atomic_bool sl_barrier_asymmetric;
static inline void sl_barrier_light(void)
{
    if (__builtin_expect(atomic_load_explicit(&sl_barrier_asymmetric, memory_order_relaxed), 1))
        atomic_signal_fence(memory_order_seq_cst);
    else
        sl_barrier_full();
}

#endif
