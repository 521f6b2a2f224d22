/* SPDX-License-Identifier: Apache-2.0 */
/* The passes of this folder by name and what they share; passes.h is what the compiler sees. */
#ifndef SL_KERNELS_PASSES_STAGES_H
#define SL_KERNELS_PASSES_STAGES_H

#include "ir/pass.h"

/* Of all variables that the function itself declares; stops at UINT64_MAX. */
uint64_t sl_own_stack(LLVMValueRef function);

/* switch_default.c: no switch has a default that is never reached; did one have it? Such a
 * default's block stays behind, reached by nothing. */
bool sl_settle_switches(LLVMValueRef function);

/* generic_space.c: what a generic pointer is known to have been before it was cast; else itself. */
LLVMValueRef sl_named_pointer(LLVMValueRef pointer);

/* In the order of sl_passes_run. */
int sl_pass_kernel_facts(struct sl_pass *);
int sl_pass_denormals(struct sl_pass *);
int sl_pass_work_item_inline(struct sl_pass *);
int sl_pass_compute_units(struct sl_pass *);
int sl_pass_safe_division(struct sl_pass *);
int sl_pass_deadlocks(struct sl_pass *);
int sl_pass_work_item_lower(struct sl_pass *);
int sl_pass_generic_space(struct sl_pass *);
int sl_pass_local_memory(struct sl_pass *);
int sl_pass_printf_lower(struct sl_pass *);
int sl_pass_enqueue_lower(struct sl_pass *);
int sl_pass_trap_lower(struct sl_pass *);
int sl_pass_local_atomics(struct sl_pass *);
int sl_pass_parallel_access(struct sl_pass *);
int sl_pass_flatten(struct sl_pass *);
int sl_pass_simplify(struct sl_pass *);
int sl_pass_memory_sums(struct sl_pass *);
/* rounds_in_step.c: loops that items begin or leave one by one; the stage: where nobody goes in
 * step with others */
void sl_put_rounds_in_step(struct sl_pass *, const struct sl_kernel_facts *);
int sl_pass_lone_rounds(struct sl_pass *);
int sl_pass_lane_bounds(struct sl_pass *);
/* id_ranges.c */
void sl_bound_local_ids(struct sl_pass *, LLVMValueRef kernel);
void sl_forget_local_bounds(struct sl_pass *, LLVMValueRef kernel);
/* matrix_rows.c: of kernels that multiply matrices in step; 0, or -1 as sl_pass_run_llvm */
int sl_part_matrix_rows(struct sl_pass *, LLVMValueRef kernel);
/* widen_index_sums.c */
void sl_widen_index_sums(struct sl_pass *, const struct sl_kernel_facts *);
bool sl_name_opposites(struct sl_pass *, LLVMValueRef kernel); /* opposites.c; any? */
bool sl_join_packed_parts(LLVMValueRef kernel);                /* packed_parts.c; were there any? */
bool sl_has_clamp_at_zero(LLVMValueRef kernel);                /* clamps.c */
int sl_pass_stored_bytes(struct sl_pass *);                    /* streaming_stores.c */
int sl_pass_work_estimate(struct sl_pass *);
int sl_pass_steady_loads(struct sl_pass *);
int sl_pass_fetch_ahead(struct sl_pass *);
int sl_pass_early_blend(struct sl_pass *);
int sl_pass_second_ways(struct sl_pass *);
int sl_pass_plain_atomics(struct sl_pass *); /* local_atomics.c */
int sl_pass_stack_need(struct sl_pass *);

#endif
