/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, which end the launch instead of the application. Stateless. */
#ifndef SL_KERNELS_ITEMS_TRAP_H
#define SL_KERNELS_ITEMS_TRAP_H

#include "ir/emit.h"
#include <stdbool.h>

/* Does it end the program where it is called? */
bool sl_is_trap(LLVMValueRef call_or_function);
/* The one that stands for a place where the program said it never comes. */
#define SL_DEAD_END "llvm.ubsantrap"
#define SL_TEXT_DEAD_END "it came to a place that its code says is never reached"
/* Calls sl_runtime.trap, which does not come back. */
void sl_emit_trap(const struct sl_emit *, LLVMValueRef launch, const char *what);
/* Calls sl_runtime.outside, which does not come back either. */
void sl_emit_outside(const struct sl_emit *, LLVMValueRef launch, const char *what,
                     LLVMValueRef index);

#endif
