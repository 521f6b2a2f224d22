/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that polls memory, in a loop that comes to no pipe, while others wait for it there: it
 * moves, so that they are not without hope, but for ever if nobody changes that memory. When that
 * has taken long it is told, once until it moves a packet. On the watch's thread.
 */
#ifndef SL_FPGA_STALL_WATCHING_H
#define SL_FPGA_STALL_WATCHING_H

#include "fpga/stall/stall.h"

/* Rows are linked, and their clusters claimed. */
void sl_stall_look_at_watching(struct sl_machine *, const struct sl_stall_rows *);

#endif
