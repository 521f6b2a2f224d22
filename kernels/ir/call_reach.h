/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with a body that others need. Only names in instructions count: nothing but calls names
 * a function in OpenCL C, and what runs for a module's variables is nobody's. */
#ifndef SL_KERNELS_IR_CALL_REACH_H
#define SL_KERNELS_IR_CALL_REACH_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "ir/map.h"
#include "ir/memory.h"

/* Zero-initialised is empty. Who walks visits `found` from its start; it grows on the way. */
struct sl_call_reach {
    struct sl_map seen;
    struct sl_list found; /* LLVMValueRef, in order */
};

/* Anything may be given: what is no function, has no body or is known adds nothing. */
void sl_call_reach_add(struct sl_call_reach *, LLVMValueRef);
void sl_call_reach_callees(struct sl_call_reach *, LLVMValueRef function);
bool sl_call_reach_has(const struct sl_call_reach *, LLVMValueRef function);
void sl_call_reach_finish(struct sl_call_reach *);

#endif
