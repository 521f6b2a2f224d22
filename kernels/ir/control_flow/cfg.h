/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function's control-flow graph as numbers: blocks that the entry reaches, in reverse post-order,
 * with successor and predecessor lists. A snapshot: goes stale when blocks change.
 */
#ifndef SL_KERNELS_IR_CFG_H
#define SL_KERNELS_IR_CFG_H

#include "ir/map.h"
#include <llvm-c/Core.h>
#include <stdint.h>

#define SL_NO_BLOCK UINT32_MAX

struct sl_block {
    LLVMBasicBlockRef ref;
    uint32_t *succ, *pred; /* borrowed from sl_cfg.edges */
    uint32_t succ_count, pred_count;
};

struct sl_cfg {
    struct sl_block *blocks; /* owned; [0] is the entry */
    uint32_t count;
    uint32_t *edges; /* owned */
    struct sl_map numbers;
};

void sl_cfg_init(struct sl_cfg *, LLVMValueRef function);
void sl_cfg_finish(struct sl_cfg *);

/* SL_NO_BLOCK: nothing reaches it. */
uint32_t sl_cfg_number(const struct sl_cfg *, LLVMBasicBlockRef);

#endif
