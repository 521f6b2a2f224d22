/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a kernel with a clock, for the files that make it up: clock.c (begin, end, counters),
 * clock_loops.c (where it is in its loops), clock_operations.c (what it does at pipes). All of the
 * thread that runs the cluster. */
#ifndef SL_FPGA_CLOCK_RUN_H
#define SL_FPGA_CLOCK_RUN_H

#include "fpga/profile/clock.h"
#include "fpga/profile/clock_data.h"
#include "fpga/profile/clock_events.h"
#include "sluice/base/delays.h"

enum { SL_CLOCK_FRAMES = 32, SL_CLOCK_NO_ROW = -1 };

struct sl_clock_frame { /* a loop that the run is in */
    uint32_t line, column;
    int32_t row;  /* of its kernel's schedule; SL_CLOCK_NO_ROW: it vanished in the one around it */
    int32_t last; /* the loop inside that was last entered */
    uint64_t began, iterations; /* the nominal cycle in which this iteration began */
    uint32_t next;              /* step: the one behind the last operation */
    bool ahead;                 /* operations told of this iteration before its mark */
};

struct sl_clock_run {
    struct sl_clock *clock;
    struct sl_clock_kernel_row *kernel;
    struct sl_delays time;
    uint64_t begin, last;    /* cycles; last: the one behind all that has happened */
    uint64_t late;           /* the largest delay */
    uint64_t at;             /* nominal: where what is in no pipelined loop goes on */
    uint64_t nominal, cycle; /* of the operation that it is at */
    uint64_t waited;         /* cycles before that */
    bool asks;               /* that one does not wait, and has no answer so far */
    uint32_t depth, above;   /* frames; loops that are deeper */
    struct sl_clock_frame frames[SL_CLOCK_FRAMES + 1]; /* the first stands for the kernel */
};

static inline void sl_clock_add(sl_clock_count *count, uint64_t n)
{
    uint64_t value = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, value + n, memory_order_relaxed);
}

static inline void sl_clock_set(sl_clock_count *count, uint64_t value)
{
    atomic_store_explicit(count, value, memory_order_relaxed);
}

/* The run does something in its present cycle. */
void sl_clock_note(const struct sl_clock_run *, enum sl_clock_what, int32_t pipe, uint64_t packets);
/* Something happens, and is over before this cycle. */
void sl_clock_reach(struct sl_clock_run *, uint64_t cycle);
/* In which nominal cycle the run does what is at that place; it goes on behind it. */
uint64_t sl_clock_nominal(struct sl_clock_run *, const struct sl_pipe_site *);

#endif
