/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by the name of what they call, and the functions that are kernels. Stateless. */
#ifndef SL_KERNELS_IR_CALLS_H
#define SL_KERNELS_IR_CALLS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* The name of the function that `call` calls; "" for indirect calls and other values. */
const char *sl_callee_name(LLVMValueRef call);

/* In a table whose rows begin with a name (const char *): the row of that name. NULL: there is
 * none. */
const void *sl_find_row(const void *rows, size_t count, size_t row_bytes, const char *name);

struct sl_list; /* ir/memory.h */
/* Adds the function's calls of those whose name is wanted, in the order of the code. */
void sl_find_calls(LLVMValueRef function, bool (*wanted)(const char *callee),
                   struct sl_list *calls);

bool sl_is_kernel(LLVMValueRef function);

#endif
