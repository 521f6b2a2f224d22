/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that computes without a pause, while others of its cluster wait for it or for the
 * thread: nobody can look at them, and whether it will ever come to a pipe is not known. When that
 * has taken long it is told, once for each such time; to profiles also where nobody waits for it.
 * On the watch's thread.
 */
#ifndef SL_FPGA_STALL_BUSY_H
#define SL_FPGA_STALL_BUSY_H

#include "fpga/stall/stall.h"
#include "fpga/stall/stall_claims.h"

/* After the clusters were asked for: those that did not come. */
void sl_stall_look_at_busy(struct sl_machine *, const struct sl_stall_claims *,
                           const struct sl_stall *);

#endif
