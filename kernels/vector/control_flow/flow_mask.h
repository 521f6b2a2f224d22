/* SPDX-License-Identifier: Apache-2.0 */
/* Masks of edges, kept in variables, and what phis become of them. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_MASK_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_FLOW_MASK_H

#include "vector/control_flow/flow.h"

LLVMTypeRef sl_flow_mask_type(struct sl_flow *);
LLVMValueRef sl_flow_mask_cell(struct sl_flow *);
void sl_flow_clear_mask(struct sl_flow *, LLVMValueRef cell);
LLVMValueRef sl_flow_load_mask(struct sl_flow *, LLVMValueRef cell);
/* A variable for the edge's mask, without lanes. */
void sl_flow_open_edge(struct sl_flow *, uint32_t edge);
/* Lanes that come by any of these edges; NULL: none has a mask. */
LLVMValueRef sl_flow_arriving(struct sl_flow *, const uint32_t *edges, uint32_t count);
/* From the lanes at the end of a block to those of its edges. */
void sl_flow_set_edge_masks(struct sl_flow *, uint32_t block, LLVMValueRef mask);
/* What a phi is given by these edges: lane by lane, or for all lanes that are on their way. */
LLVMValueRef sl_flow_blend(struct sl_flow *, LLVMValueRef phi, uint32_t part, const uint32_t *edges,
                           uint32_t count);
LLVMValueRef sl_flow_choose(struct sl_flow *, LLVMValueRef phi, const uint32_t *edges,
                            uint32_t count);
bool sl_flow_is_vector(struct sl_flow *, LLVMValueRef);
void sl_flow_set_phis_of_sequence(struct sl_flow *, uint32_t block);
/* A real block and its phis, still without entries. */
void sl_flow_open_real(struct sl_flow *, uint32_t block);
/* Goes to a real block, by one edge or with lanes from several. */
void sl_flow_arrive(struct sl_flow *, uint32_t block, const uint32_t *edges, uint32_t count);

#endif
