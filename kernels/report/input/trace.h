/* SPDX-License-Identifier: Apache-2.0 */
/* A traced run of a design, ready to be replayed. No shared state. */
#ifndef SL_KERNELS_REPORT_TRACE_H
#define SL_KERNELS_REPORT_TRACE_H

#include "report/depths.h"
#include "report/input/design.h"
#include "report/replay.h"

struct sl_trace_file {
    struct sl_report_design design;
    struct sl_replay_trace replay; /* its arrays are owned here */
    struct sl_depth_pipe *pipes;   /* owned */
    const char **why_kept;         /* owned; of each pipe; NULL: it is free */
    uint64_t event_count;
    bool scheduled; /* loops have a schedule */
};

/* Reads a profile with a trace: 0, or -1 with the reason. The text may come from anywhere. To be
 * finished in any case. */
int sl_trace_read(struct sl_trace_file *, const char *text, size_t bytes, char *why, size_t size);
void sl_trace_finish(struct sl_trace_file *);

#endif
