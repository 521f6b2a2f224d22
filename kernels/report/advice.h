/* SPDX-License-Identifier: Apache-2.0 */
/* What the clock of a run says in words: how long it takes, what has most to do, what to change. No
 * shared state. */
#ifndef SL_KERNELS_REPORT_ADVICE_H
#define SL_KERNELS_REPORT_ADVICE_H

#include <stdio.h>

#include "report/input/design.h"

/* The kernel that the design cannot be faster than; NULL: there is no clock, or nothing to do. */
const struct sl_report_kernel *sl_advice_busiest(const struct sl_report_design *);

/* "29 cycles, 0.096 us at 300 MHz" */
void sl_advice_length(const struct sl_report_design *, FILE *);
/* That a stall stopped the run; false: none did, and nothing is said. Of such a run nothing has
 * most to do, and there is no advice. */
bool sl_advice_stopped(const struct sl_report_design *, FILE *);
/* "'sum' has run 2 times without a clock: ...", a line for each such kernel, whose time is in no
 * other figure. False: there is none, and nothing is said. */
bool sl_advice_unclocked(const struct sl_report_design *, FILE *);
/* "'take' has most to do: 28 cycles without waiting, 28 of them in the loop at flow.cl:4 (II 3:
 * #pragma ii)"; nothing if nobody has anything to do. */
void sl_advice_most(const struct sl_report_design *, FILE *);
/* "kernels wait for each other in a ring, 501 times 6.0 cycles: 'turn' for packets of 'multiply'
 * (back), 'multiply' for packets of 'turn' (there)"; false: they do not, and nothing is said. */
bool sl_advice_ring(const struct sl_report_design *, FILE *);
/* "at best 3 cycles for a round of 'give' and a round of 'take': 'take' goes round every 3 cycles
 * at line 7", as often as there is anything; a line each. */
void sl_advice_best(const struct sl_report_design *, FILE *);
/* How long groups of kernels with barriers take by the schedule, and what limits them, in lines. */
void sl_advice_groups(const struct sl_report_design *, FILE *);
/* "loops move 4096 bytes of global memory, which takes 64 cycles at 64 bytes a cycle"; nothing if
 * they do not. */
void sl_advice_memory(const struct sl_report_design *, FILE *);
/* What to change, most important first: each by `tell`. */
void sl_advice_give(const struct sl_report_design *, void (*tell)(void *, const char *text),
                    void *data);

#endif
