/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run with a clock as signals that change: of each kernel whether it runs and whether it waits;
 * of each pipe the packets in it, and in which cycles it is written, read, full and empty. A packet
 * is in the pipe, or gone, the cycle after it was moved. No shared state.
 */
#ifndef SL_KERNELS_REPORT_SIGNALS_H
#define SL_KERNELS_REPORT_SIGNALS_H

#include "report/input/events.h"

enum sl_signal { SL_SIGNAL_RUNS, SL_SIGNAL_WAITS, SL_KERNEL_SIGNALS };
enum sl_pipe_signal {
    SL_SIGNAL_FILL,
    SL_SIGNAL_WRITTEN,
    SL_SIGNAL_READ,
    SL_SIGNAL_FULL,  /* somebody waits for room, or found none */
    SL_SIGNAL_EMPTY, /* or for a packet */
    SL_PIPE_SIGNALS
};

struct sl_change {
    uint64_t cycle;
    size_t signal;
    int64_t by;
    int32_t pipe; /* that a kernel waits for, -1 */
    bool write;
};

struct sl_changes {
    struct sl_report_events events;
    struct sl_change *rows; /* owned; in the order of cycles */
    size_t count, signal_count;
};

static inline size_t sl_signal_of_kernel(size_t kernel, enum sl_signal signal)
{
    return kernel * SL_KERNEL_SIGNALS + signal;
}

static inline size_t sl_signal_of_pipe(const struct sl_changes *changes, size_t pipe,
                                       enum sl_pipe_signal signal)
{
    return changes->events.design.kernel_count * SL_KERNEL_SIGNALS + pipe * SL_PIPE_SIGNALS +
           signal;
}

/* Both ends have kernels: what is in it is known. */
bool sl_pipe_has_fill(const struct sl_design_pipe *);

/* 0, or -1 with a reason. To be finished in any case. */
int sl_changes_read(struct sl_changes *, const char *profile, size_t bytes, char *why, size_t size);
void sl_changes_finish(struct sl_changes *);

#endif
