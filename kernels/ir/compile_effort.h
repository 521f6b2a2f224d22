/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that LLVM's optimiser would take minutes for. Stateless. */
#ifndef SL_KERNELS_IR_COMPILE_EFFORT_H
#define SL_KERNELS_IR_COMPILE_EFFORT_H

#include "ir/pass.h"
#include <stdbool.h>

/* Would optimising this function take too long? */
bool sl_is_too_large(LLVMValueRef function);

/* Loops that a kernel wants unrolled stay loops if they would become too long; a remark says so.
 * Those around barriers are too long sooner. */
void sl_limit_unrolling(struct sl_pass *, const struct sl_kernel_facts *,
                        bool (*is_barrier)(LLVMValueRef));
/* Those that divide in each round do sooner still. Not before it is known which pipes they use. */
void sl_limit_unrolling_of_divisions(struct sl_pass *, const struct sl_kernel_facts *);
/* Loops that add up stay loops where rows of a known size may go through them in step. */
void sl_keep_sum_loops(struct sl_pass *, const struct sl_kernel_facts *);
/* Of functions of one item, behind LLVM's loop-rotate. */
void sl_keep_lane_rounds(struct sl_pass *, const struct sl_kernel_facts *);

/* Keeps LLVM's optimiser from such functions. */
void sl_spare_large_functions(LLVMModuleRef);

#endif
