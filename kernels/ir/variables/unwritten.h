/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of a function's variables in front of which nothing may have been stored there. A store to
 * any part of a variable counts for all of it, and so does every use of its address that is not
 * understood: errs towards "written".
 */
#ifndef SL_KERNELS_IR_UNWRITTEN_H
#define SL_KERNELS_IR_UNWRITTEN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct sl_unwritten {
    LLVMValueRef variable; /* alloca */
    LLVMValueRef load;     /* the instruction that reads it */
    bool always;           /* no way there has a store; else some way has none */
};

typedef void (*sl_unwritten_fn)(void *data, const struct sl_unwritten *);

/* Calls `found` for each, block after block. The function is not changed. */
void sl_find_unwritten(LLVMValueRef function, sl_unwritten_fn found, void *data);

#endif
