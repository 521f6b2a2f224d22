/* SPDX-License-Identifier: Apache-2.0 */
/* From compiled code to the slow path, where sanitizers watch or there is no better way. No state.
 */
#include "fpga/ring_entry.h"
#include "fpga/ring.h"

#ifndef SL_RING_ENTRY_X86_64
int32_t sl_ring_slow(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                     const struct sl_pipe_site *site, void *packet)
{
    struct sl_switch jump = sl_ring_step(launch, ring, site, packet);
    if (!jump.to)
        return (int32_t)(intptr_t)jump.from;
    sl_context_switch(jump.from, jump.to);
    return 0;
}
#endif
