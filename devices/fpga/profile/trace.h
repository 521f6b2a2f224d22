/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace of a design: which operations on which pipes each run of a kernel did, in its order,
 * and which runs had ended when another was submitted. Not what was in the packets. Beside a clock
 * each has its nominal cycle, which does not depend on pipes, but not when it really happened.
 * Kept with a profile if SLUICE_FPGA_TRACE is set; sluice-report finds depths by it.
 */
#ifndef SL_FPGA_TRACE_H
#define SL_FPGA_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sl_trace;
struct sl_trace_run;

struct sl_trace *sl_trace_create(uint32_t site_count); /* NULL: no memory */
void sl_trace_destroy(struct sl_trace *);              /* NULL is a no-op */

/* All of these from any thread. A run begins; what ended before `heard_ns` may be why. NULL: not
 * traced. */
struct sl_trace_run *sl_trace_begin(struct sl_trace *, uint32_t kernel, uint64_t heard_ns);
/* NULL is a no-op. */
void sl_trace_end(struct sl_trace *, struct sl_trace_run *, uint64_t now_ns);

/* Names a run in all traces of the process; 0: none. */
typedef uint64_t sl_trace_id;
sl_trace_id sl_trace_id_of(const struct sl_trace *, const struct sl_trace_run *);
/* The run has a clock, which begins at this cycle, `since` cycles after `behind` had ended. Where
 * the clock puts the nominal cycle until which the run has come, whatever it does. The run may be
 * NULL, and the result then is. */
_Atomic uint64_t *sl_trace_time(struct sl_trace *, struct sl_trace_run *, uint64_t begin,
                                sl_trace_id behind, uint64_t since);

enum sl_trace_what { SL_TRACE_MOVES, SL_TRACE_FAILS };
#define SL_TRACE_NO_CYCLE UINT64_MAX
/* A packet has moved, or an operation that does not wait found none, in that nominal cycle; `pipe`:
 * its row in the profile. Of many of the latter in a row only those are kept that say when. */
void sl_trace_add(struct sl_trace *, struct sl_trace_run *, uint32_t site, uint32_t pipe,
                  enum sl_trace_what, uint64_t nominal);
/* Something has moved that is not in the trace. */
void sl_trace_lose(struct sl_trace *);

/* As a JSON object; docs/timing.md. */
void sl_trace_print(struct sl_trace *, FILE *);

#endif
