/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in vector form that copy a tile, meet and compute with it, round after round: the next
 * round's tile comes into the cache meanwhile. No shared state.
 */
#include "llvm/loops/memory/fetch_ahead.h"

#include "ir/pass_messages.h"
#include "items/work_item.h"
#include "passes/stages.h"

int sl_pass_fetch_ahead(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        const struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->lanes < 2 || facts->elsewhere || facts->in_step)
            continue;
        unsigned count = sl_llvm_fetch_ahead(facts->kernel, sl_wi_is_barrier);
        if (count)
            sl_pass_remark(pass, facts, NULL, "%u loads of the next round are fetched", count);
    }
    return 0;
}
