/* SPDX-License-Identifier: Apache-2.0 */
/* The code of one block of a sequence, and values that outlive the place where they are made. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_BLOCK_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_BLOCK_H

#include "vector/control_flow/flow.h"

typedef void (*sl_flow_value_fn)(struct sl_flow *, LLVMValueRef value);
bool sl_flow_used_outside_loop(struct sl_flow *, LLVMValueRef, uint32_t loop);
void sl_flow_each_live_out(struct sl_flow *, uint32_t loop, sl_flow_value_fn visit);
void sl_flow_emit_code(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* The same; once more for all lanes where masks cost. */
void sl_flow_emit_for(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* One block for some lanes. Its phis are set, or it is the header of the loop that runs. */
void sl_flow_emit_masked(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* The same, or the loop that it heads, if that is not `around`. */
void sl_flow_emit_in_sequence(struct sl_flow *, uint32_t block, uint32_t around);

#endif
