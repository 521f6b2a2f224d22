/* SPDX-License-Identifier: Apache-2.0 */
/* What a design's clock consists of: counted by clock.c, written by clock_text.c. Counters are
 * relaxed: a kernel's are written by the thread that runs its cluster alone, and read at any time.
 */
#ifndef SL_FPGA_CLOCK_DATA_H
#define SL_FPGA_CLOCK_DATA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fpga/clock/clock_schedule.h"

struct sl_clock_events;
struct sl_module_info;

typedef _Atomic uint64_t sl_clock_count;

struct sl_clock_kernel_row {
    sl_clock_count runs, begin, end; /* begin: UINT64_MAX: it has not run */
    sl_clock_count busy, stalled;    /* cycles of all runs, and those by which they were late */
    const struct sl_clock_kernel *schedule; /* NULL: none */
    uint32_t first_loop;                    /* of its rows in clock->loops */
};

struct sl_clock_loop_row {
    sl_clock_count entries, iterations;
};

struct sl_clock {
    const struct sl_module_info *info;
    char *rates; /* owned; of the outside, see clock_rate.h */
    struct sl_clock_schedule schedule;
    struct sl_clock_kernel_row *kernels; /* owned; by row of the module */
    struct sl_clock_loop_row *loops;     /* owned */
    sl_clock_count *sites;               /* owned; cycles that were waited there */
    sl_clock_count (*pipes)[2]; /* owned; by row of the profile and enum sl_pipe_op: the same */
    uint32_t pipe_count;
    struct sl_clock_events *events; /* owned; NULL: not kept */
    atomic_bool lost;               /* counters are not those of a whole run */
    _Atomic uint32_t doubts;        /* enum sl_clock_doubt, in so many bits */
};

static inline uint64_t sl_clock_get(const sl_clock_count *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

#endif
