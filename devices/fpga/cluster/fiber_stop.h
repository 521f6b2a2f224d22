/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that cannot go on. */
#ifndef SL_FPGA_FIBER_STOP_H
#define SL_FPGA_FIBER_STOP_H

struct sl_fiber;

/* Of the fiber that runs: its launch, or the autorun kernel, ends with an error, which is told with
 * words that go behind "kernel NAME stopped: ". Of a process of a dataflow region that are the
 * launches that have the region. Does not come back. */
_Noreturn void sl_fiber_stop(struct sl_fiber *, const char *what);

#endif
