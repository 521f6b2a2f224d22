/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What functions do to memory and pipes that others may use as well, in code as clang wrote it:
 * nothing is optimised, and parameters lie in variables. Where it cannot be told it is more than it
 * is. No locks: the module belongs to a build.
 */
#ifndef SL_KERNELS_TOUCHES_H
#define SL_KERNELS_TOUCHES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "ir/memory.h"

enum sl_touch { SL_TOUCH_READS = 1, SL_TOUCH_WRITES = 2, SL_TOUCH_BOTH = 3 };

/* A variable that only its own loads and stores know. */
bool sl_is_plain_variable(LLVMValueRef value);
/* Calls that say something and do nothing. */
bool sl_is_remark(LLVMValueRef instruction);

/* What the address was made of: a variable, a parameter; two of them are different memory. NULL: it
 * may be any but that of variables of the function. */
LLVMValueRef sl_pointed_memory(LLVMValueRef pointer);

/* What the function does to the memory that this parameter points at: bits of enum sl_touch. */
unsigned sl_touches_of_parameter(LLVMValueRef function, unsigned index);
/* And what a call that is not one of a defined function does to that of this operand. */
unsigned sl_touches_of_operand(LLVMValueRef call, unsigned index);

/* An end of a pipe or channel. Two that may be the same are told by sl_same_end. */
struct sl_used_end {
    LLVMValueRef address; /* a constant, or NULL: any element of `pipe` */
    LLVMValueRef pipe;
    bool writes;
    bool waits; /* for sure */
};
bool sl_same_end(const struct sl_used_end *, const struct sl_used_end *);

struct sl_uses {
    struct sl_list functions; /* all that are called, the first one included */
    struct sl_list variables; /* at program scope, that change */
    struct sl_used_end *ends; /* owned */
    uint32_t end_count;
    bool waits;        /* one of these awaits others */
    LLVMValueRef item; /* a builtin that asks or awaits work-items; NULL: none is called */
};

/* Of all that the function calls; calls in `without` are passed by. */
void sl_uses_of(struct sl_uses *, LLVMValueRef function, const struct sl_list *without);
void sl_uses_finish(struct sl_uses *);

/* Is the parameter a structure of which each call has its own copy? */
bool sl_is_by_value(LLVMValueRef function, unsigned index);
/* A defined function that this instruction calls; NULL. */
LLVMValueRef sl_called_function(LLVMValueRef instruction);

#endif
