/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened in which cycle: the operations of a design's kernels, for waveforms and timelines
 * (docs/timing.md). Kept with a clock if the run is traced. Any thread.
 */
#ifndef SL_FPGA_CLOCK_EVENTS_H
#define SL_FPGA_CLOCK_EVENTS_H

#include <stdint.h>
#include <stdio.h>

enum sl_clock_what { /* the first two are enum sl_pipe_op */
                     SL_CLOCK_READS,
                     SL_CLOCK_WRITES,
                     SL_CLOCK_READS_NOTHING, /* the pipe was empty, or full, and the kernel did not
                                                wait */
                     SL_CLOCK_WRITES_NOTHING,
                     SL_CLOCK_BEGINS,
                     SL_CLOCK_ENDS, /* the cycle behind its last one */
};

struct sl_clock_event {
    uint64_t cycle;
    uint64_t count;  /* of packets, or: 0 */
    uint64_t waited; /* cycles before that */
    uint32_t kernel; /* row of the module */
    int32_t pipe;    /* row of the profile; -1: none */
    enum sl_clock_what what;
};

struct sl_clock_events;
struct sl_clock_events *sl_clock_events_create(void);   /* NULL: no memory */
void sl_clock_events_destroy(struct sl_clock_events *); /* NULL is a no-op */
void sl_clock_events_add(struct sl_clock_events *, const struct sl_clock_event *);
void sl_clock_events_clear(struct sl_clock_events *);
/* As a member of a JSON object: "events":[...],"events_left_out":N; docs/timing.md. */
void sl_clock_events_print(struct sl_clock_events *, FILE *);

#endif
