/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that work lane by lane: LLVM's intrinsics and builtins that are one instruction.
 * Stateless. */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_LANEWISE_CALL_H
#define SL_KERNELS_VECTOR_ANALYSIS_LANEWISE_CALL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* It has a form for all lanes at once. */
bool sl_vector_is_lanewise_call(LLVMValueRef);
/* Element by element alike, whatever their number: such a call on other arguments. */
bool sl_vector_is_elementwise_call(LLVMValueRef);

#endif
