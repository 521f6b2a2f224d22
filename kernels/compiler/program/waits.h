/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a program that may wait for other work-items, themselves or in what they call. */
#ifndef SL_KERNELS_WAITS_H
#define SL_KERNELS_WAITS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "ir/map.h"
#include "ir/memory.h"

/* A call of what a pointer says, which is one of `pointed`. */
bool sl_is_call_of_pointer(LLVMValueRef instruction);
bool sl_may_wait(const struct sl_list *pointed, LLVMValueRef function);

#endif
