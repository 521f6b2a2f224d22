/* SPDX-License-Identifier: Apache-2.0 */
/* The passes by name and what they share; passes.h is what the compiler sees. */
#ifndef SL_KERNELS_PASSES_INTERNAL_H
#define SL_KERNELS_PASSES_INTERNAL_H

#include "passes/passes.h"

struct sl_emit;

/* Always -1, with pass->error set; the first error wins. */
__attribute__((format(printf, 2, 3))) int sl_pass_refuse(struct sl_pass *, const char *fmt, ...);

/* The same, in the form of the compiler's own errors. */
__attribute__((format(printf, 5, 6))) int sl_pass_refuse_at(struct sl_pass *, const char *file,
                                                            unsigned line, unsigned column,
                                                            const char *fmt, ...);

/* A line for the build log. */
__attribute__((format(printf, 2, 3))) void sl_pass_warn(struct sl_pass *, const char *fmt, ...);

/* How a kernel was compiled, for who asks: with the line of `at`, or the kernel's if that is NULL or
 * nobody knows. */
__attribute__((format(printf, 4, 5))) void
sl_pass_remark(struct sl_pass *, const struct sl_kernel_facts *, LLVMValueRef at, const char *fmt,
               ...);
/* What the instruction does, in a word or two. */
const char *sl_instruction_name(LLVMValueRef);

/* LLVM's own passes by their textual names, on one function; on all. */
int sl_pass_run_llvm(struct sl_pass *, LLVMValueRef function, const char *pipeline);
int sl_pass_run_llvm_on_module(struct sl_pass *, const char *pipeline);

bool sl_is_kernel(LLVMValueRef function);

/* Bytes; a larger variable is too much for a thread's stack and lives in the context. */
#define SL_LARGE_VARIABLE 4096
/* Of all variables that the function itself declares; stops at UINT64_MAX. */
uint64_t sl_own_stack(LLVMValueRef function);

/* Is this intrinsic one that ends the program where it is called? NULL: no. */
bool sl_is_trap(const char *name);
/* The one that stands for a place where the program said it never comes. */
#define SL_DEAD_END "llvm.ubsantrap"
#define SL_TEXT_DEAD_END "it came to a place that its code says is never reached"
/* Calls sl_runtime.trap, which does not come back. */
void sl_emit_trap(const struct sl_emit *, LLVMValueRef launch, const char *what);

/* Would optimising this function take too long? */
bool sl_is_too_large(LLVMValueRef function);

/* switch_default.c: no switch has a default that is never reached; did one have it? Such a default's
 * block stays behind, reached by nothing. */
bool sl_settle_switches(LLVMValueRef function);

/* generic_space.c: what a generic pointer is known to have been before it was cast; else itself. */
LLVMValueRef sl_named_pointer(LLVMValueRef pointer);

/* In the order of sl_passes_run. */
int sl_pass_kernel_facts(struct sl_pass *);
int sl_pass_denormals(struct sl_pass *);
int sl_pass_work_item_inline(struct sl_pass *);
int sl_pass_compute_units(struct sl_pass *);
int sl_pass_pipe_declare(struct sl_pass *);
int sl_pass_pipe_resolve(struct sl_pass *);
int sl_pass_spin_yield(struct sl_pass *);
int sl_pass_safe_division(struct sl_pass *);
int sl_pass_sub_groups(struct sl_pass *);
int sl_pass_work_item_lower(struct sl_pass *);
int sl_pass_generic_space(struct sl_pass *);
int sl_pass_local_memory(struct sl_pass *);
int sl_pass_printf_lower(struct sl_pass *);
int sl_pass_enqueue_lower(struct sl_pass *);
int sl_pass_trap_lower(struct sl_pass *);
int sl_pass_local_atomics(struct sl_pass *);
int sl_pass_parallel_access(struct sl_pass *);
int sl_pass_flatten(struct sl_pass *);
int sl_pass_argument_copy(struct sl_pass *);
int sl_pass_simplify(struct sl_pass *);
/* forms.c: one more kernel for the passes to come, like this one; where this one is now. */
struct sl_kernel_facts *sl_add_form(struct sl_pass *, struct sl_kernel_facts *);
int sl_pass_join_forms(struct sl_pass *);
/* turn.c */
void sl_turn_dimensions(struct sl_pass *, struct sl_kernel_facts *);
/* index_sums.c */
void sl_widen_index_sums(struct sl_pass *, LLVMValueRef kernel);
int sl_pass_stored_bytes(struct sl_pass *); /* streaming.c */
int sl_pass_work_estimate(struct sl_pass *);
int sl_pass_atomic_sums(struct sl_pass *);
int sl_pass_vector_choice(struct sl_pass *); /* vector/choice.c */
int sl_pass_inner_cut(struct sl_pass *);
int sl_pass_uniform_cut(struct sl_pass *);
int sl_pass_pack_cut(struct sl_pass *);
int sl_pass_work_group_regions(struct sl_pass *);
int sl_pass_early_blend(struct sl_pass *);
int sl_pass_plain_atomics(struct sl_pass *); /* local_atomics.c */
int sl_pass_pipe_expand(struct sl_pass *);
int sl_pass_stack_need(struct sl_pass *);
int sl_pass_pipe_connect(struct sl_pass *);
int sl_pass_pipe_tables(struct sl_pass *);

#endif
