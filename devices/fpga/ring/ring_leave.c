/* SPDX-License-Identifier: Apache-2.0 */
/* The switch at the end of the slow path, where sanitizers watch or there is no better way. No
 * state. */
#include "fpga/ring/ring_leave.h"

#include "fpga/ring/ring_leave_x86_64.h"

#ifndef SL_RING_LEAVE_X86_64
int32_t sl_ring_leave(struct sl_context *from, struct sl_context *to)
{
    sl_context_switch(from, to);
    return 0;
}
#endif
