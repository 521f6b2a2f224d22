/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of a design: in which cycle its kernels would do what they do, if they were circuits
 * with the schedule that the compiler has made (docs/timing.md). Each run of a kernel has a time of
 * its own, which its loops advance; packets carry times from one to the other. Kept with a profile,
 * of programs that were built with a schedule.
 *
 * A run's operations have a nominal cycle, as if it never waited. An operation that has to wait
 * delays whatever has a later nominal cycle, and nothing else: iterations that are ahead of it go
 * on, so a pipeline runs empty behind what holds it up.
 */
#ifndef SL_FPGA_CLOCK_H
#define SL_FPGA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice/pipe.h"

struct sl_clock;
struct sl_clock_run;
struct sl_fiber;
struct sl_launch;
struct sl_module_info;

/* NULL: the schedule is damaged, or no memory. `pipe_rows`: of the profile. */
struct sl_clock *sl_clock_create(const struct sl_module_info *, uint32_t pipe_rows);
void sl_clock_destroy(struct sl_clock *); /* all runs have ended; NULL is a no-op */
/* From any thread: counters start anew, so the text is not about a whole run. */
void sl_clock_lose(struct sl_clock *);

/* ---- of the thread that runs the cluster ----------------------------------------------------- */

/* A run of a kernel begins at this cycle; NULL: no memory. */
struct sl_clock_run *sl_clock_begin(struct sl_clock *, uint32_t kernel, uint64_t cycle);
/* Its last cycle, and one more. Any thread; NULL is a no-op and gives 0. */
uint64_t sl_clock_end(struct sl_clock *, struct sl_clock_run *);
/* sl_runtime.loop_mark */
void sl_clock_mark(const struct sl_launch *, uint32_t what, uint32_t line, uint32_t column);
/* A packet has moved; `pipe`: its row in the profile, -1: it has none. */
void sl_clock_moved(struct sl_clock *, struct sl_clock_run *, struct sl_pipe_ring *,
                    const struct sl_pipe_site *, int32_t pipe);

/* Times of packets: freed with their ring. */
struct sl_clock_ring;
void sl_clock_ring_destroy(struct sl_clock_ring *); /* NULL is a no-op */

/* As a JSON object; docs/timing.md. Any thread. */
void sl_clock_print(struct sl_clock *, FILE *);

#endif
