/* SPDX-License-Identifier: Apache-2.0 */
/* How a parked fiber leaves the slow path. */
#ifndef SL_FPGA_RING_LEAVE_H
#define SL_FPGA_RING_LEAVE_H

#include <stdint.h>

#include "fpga/base/context.h"

/* Switches; 0 when the fiber goes on. For a tail call: what returns is the slow path. */
int32_t sl_ring_leave(struct sl_context *from, struct sl_context *to);

#endif
