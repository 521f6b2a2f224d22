/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access of neighbours that may wrap around asks first, and else goes to each item's address
 * (vector/memory/speculative_access.h). Those addresses are computed on that way only, wherever the
 * kernel has computed them: its compiler may have put them in front of a loop, or of other such
 * accesses. No shared state.
 */
#include "passes/stages.h"

#include "items/group_frame.h"
#include "llvm/sink_ways.h"

int sl_pass_second_ways(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        const struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->body && facts->lanes > 1 && !facts->elsewhere &&
            sl_pass_step(pass, "addresses of second ways", facts))
            sl_llvm_sink_into_ways(facts->body, sl_second_way_kind(pass->context));
    }
    return 0;
}
