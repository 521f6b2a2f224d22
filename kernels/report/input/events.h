/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened in which cycle of a run with a clock, from the JSON of its profile (docs/timing.md,
 * SLUICE_FPGA_TRACE=1), in the order of cycles; and as files for other programs. No shared state.
 */
#ifndef SL_KERNELS_REPORT_EVENTS_H
#define SL_KERNELS_REPORT_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/input/design.h"

struct sl_report_event {
    uint64_t cycle, count, waited; /* count: packets */
    uint64_t cycles;               /* of an attempt in vain, or of many one behind the other */
    uint32_t kernel;
    int32_t pipe; /* row of the design, -1: none */
    bool write, failed;
    enum { SL_EVENT_MOVES, SL_EVENT_BEGINS, SL_EVENT_ENDS } kind;
};

struct sl_report_events {
    struct sl_report_design design;
    struct sl_report_event *rows; /* owned */
    size_t count;
    uint64_t cycles; /* of the run */
};

/* 0, or -1 with a reason. To be finished in any case. */
int sl_events_read(struct sl_report_events *, const char *profile, size_t bytes, char *why,
                   size_t size);
void sl_events_finish(struct sl_report_events *);

/* Each: 0, or -1 with a reason, nothing being written then. vcd.c: a waveform, as IEEE 1364 has it;
 * perfetto.c: a trace in JSON for ui.perfetto.dev. */
int sl_vcd_print(FILE *, const char *profile, size_t bytes, char *why, size_t size);
int sl_perfetto_print(FILE *, const char *profile, size_t bytes, char *why, size_t size);

#endif
