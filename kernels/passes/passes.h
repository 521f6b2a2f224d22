/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes that turn work-item code into work-group code. C on the LLVM-C interface; what that
 * lacks is in ir/ or behind llvm/llvm_extra.h.
 *
 * Input: one module of LLVM IR as clang made it for spir64 (no passes run, `_imp_` twins already
 * folded), re-targeted to the machine (data layout, triple, calling conventions) with all needed
 * builtins linked in and made internal, image/sampler/event types lowered to pointers.
 * Address-space numbers are still spir64's (1 global, 2 constant, 3 local, 4 generic). Kernels are
 * the functions with the string attribute SL_KERNEL_ATTRIBUTE (llvm/llvm_extra.h); their calling
 * convention is already the C one. Images and pipes are ptr, samplers, events and reservation ids
 * i64; literal samplers still come from __translate_sampler_initializer(i32). Output: for each
 * kernel a function of type sl_group_fn (module.h) and a row of facts.
 *
 * A pass that refuses its input says why through sl_pass.error; nothing else may print or exit.
 * No globals: several modules may be compiled at once on several threads.
 */
#ifndef SL_KERNELS_PASSES_H
#define SL_KERNELS_PASSES_H

#include "ir/pass.h"

/* Each returns 0, or -1 with pass->error set. */
typedef int (*sl_pass_fn)(struct sl_pass *);

/* What the program calls unreachable becomes a trap: on its own code, before builtins are linked.
 */
void sl_trap_dead_ends(LLVMModuleRef);
/* And in the group functions what LLVM's optimiser found to be so. */
void sl_trap_proven_dead_ends(struct sl_pass *);

/* After the last optimisation: a second form of kernels that write more than they compute, whose
 * stores go past the caches, for launches that write a lot. */
void sl_stream_large_stores(struct sl_pass *);

/* After the last optimisation: divisions that LLVM's code generator would make too inexact. */
void sl_divide_where_estimates_are_poor(const struct sl_pass *);

/* After the last optimisation: vectors of two and three numbers have zeros in the rest of their
 * registers wherever they are computed with. */
void sl_clear_unused_lanes(const struct sl_pass *);

/* After the last optimisation: words whose parts come from several vectors are put together by an
 * order of bytes. */
void sl_weave_words(const struct sl_pass *);

/* Before the code generator: shuffles of bytes that LLVM's would never come back from. */
void sl_widen_spread_bytes(const struct sl_pass *);

/* The work-item to work-group pipeline, in order; ends with a verified module. */
int sl_passes_run(struct sl_pass *);
void sl_passes_free(struct sl_pass *); /* kernels, pipes, error, messages */

#endif
