/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which values and blocks are the same for all work-items of a group. Errs towards "differs".
 */
#ifndef SL_KERNELS_IR_UNIFORMITY_H
#define SL_KERNELS_IR_UNIFORMITY_H

#include "ir/control_flow/cfg.h"
#include <stdbool.h>

typedef bool (*sl_source_fn)(LLVMValueRef instruction);

struct sl_uniformity {
    const struct sl_cfg *cfg; /* borrowed */
    struct sl_map uniform;    /* instructions */
    bool *varying_control;    /* owned; per block: some items may pass it by */
    bool *parts;              /* owned; per block: items may leave it by different edges */
};

/* varies: does this instruction differ between items whatever its operands are? meets: do all items
 * come to it together or none (a barrier, OpenCL C 6.15.8), whatever the branches before it ask?
 * NULL: there is none. The cfg stays as long as the answers are asked for. */
void sl_uniformity_init(struct sl_uniformity *, const struct sl_cfg *, sl_source_fn varies,
                        sl_source_fn meets);
void sl_uniformity_finish(struct sl_uniformity *);

/* Same value in every item, and every item computes it. Not of an instruction made since. */
bool sl_is_uniform(const struct sl_uniformity *, LLVMValueRef);
/* May items leave the block by different edges? */
bool sl_parts_items(const struct sl_uniformity *, LLVMBasicBlockRef);

#endif
