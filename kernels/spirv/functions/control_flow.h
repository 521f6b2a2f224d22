/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, jumps and what meets where they meet. */
#ifndef SL_KERNELS_SPIRV_CONTROL_FLOW_H
#define SL_KERNELS_SPIRV_CONTROL_FLOW_H

#include "spirv/module/module.h"

/* Fills the blocks and their order in s->function. 0, or -1: failed. */
int sl_spirv_find_blocks(struct sl_spirv *);
/* At the end of a block that is being translated. */
int sl_spirv_terminate(struct sl_spirv *, struct sl_spirv_block *,
                       const struct sl_spirv_instruction *);
/* An empty one; sl_spirv_finish_phis gives all of them their values. */
int sl_spirv_phi(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_finish_phis(struct sl_spirv *);
/* loops.c: what OpLoopMerge and the like ask for, as LLVM's notes on the jumps back. */
int sl_spirv_note_loops(struct sl_spirv *);

#endif
