/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failed calls tell the context's callback (clCreateContext, spec 4.4). The entry points with a
 * handle that leads to a context, other than queries and reference counts, are wrapped (icd/,
 * scripts/gen_entries.py): while any context has a callback, a call is a report that is open on its
 * thread, the first sl_refuse of it is the reason, and after a failure the context of the first
 * valid handle is told "clCreateBuffer failed: CL_INVALID_BUFFER_SIZE (-61): 0 bytes".
 *
 * A code for which nobody gave a reason is an answer (CL_PIPE_EMPTY), not an error: no notice. Nor
 * is there one for calls made by such a callback itself: those are only logged.
 *
 * Reports belong to their thread. No lock.
 */
#ifndef SL_DRIVER_BASE_FAILED_CALL_H
#define SL_DRIVER_BASE_FAILED_CALL_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SL_REPORT_WHY 256

struct sl_report {
    struct sl_report *outer;  /* of the call that this one is made from */
    struct sl_report **place; /* of the thread's innermost: asked for once */
    enum { SL_REPORT_NOTHING, SL_REPORT_REASON, SL_REPORT_KNOWN } heard;
    cl_int code;
    char why[SL_REPORT_WHY];
};

/* Contexts with a callback: all that a call costs where there is none. */
extern atomic_int sl_report_listeners;
static inline bool sl_report_wanted(void)
{
    return __builtin_expect(atomic_load_explicit(&sl_report_listeners, memory_order_relaxed), 0);
}

/* Around a call, on one thread; pairs nest. */
void sl_report_open(struct sl_report *);
static inline void sl_report_close(struct sl_report *report)
{
    *report->place = report->outer;
}
/* For sl_refuse. The report that is open here and waits for a reason; or NULL. */
struct sl_report *sl_report_waiting(void);
void sl_report_hear(struct sl_report *, cl_int code, const char *why);
/* For sl_refuse_known: no reason that comes before or after is one for a notice. */
void sl_report_known(void);

/* While a context's callback runs: nothing of this thread is told. */
void sl_report_mute(bool);
bool sl_report_muted(void);

#endif
