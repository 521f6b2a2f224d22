/* SPDX-License-Identifier: Apache-2.0 */
/* A walk along all calls of a module's functions, depth first, kernels before others. No locks: it
 * belongs to a build. */
#ifndef SL_KERNELS_CALL_WALK_H
#define SL_KERNELS_CALL_WALK_H

#include "compiler/stage/stage.h"

struct sl_walk_frame { /* a function whose calls are being walked */
    LLVMValueRef function, at;
    LLVMValueRef call; /* the last one seen: it leads to the next frame */
};

struct sl_call_walk {
    struct sl_stages *stages;
    /* Told of every call of an open function and of every undefined one; non-zero ends the walk. */
    int (*recursive)(struct sl_call_walk *, LLVMValueRef callee);
    int (*undefined)(struct sl_call_walk *, LLVMValueRef caller, LLVMValueRef callee);
    bool (*is_root)(LLVMValueRef function); /* where a walk begins; only defined ones are asked */
    LLVMValueRef *functions;                /* sorted by address */
    unsigned char *colors;                  /* beside functions */
    struct sl_walk_frame *stack;            /* open functions, the root first */
    size_t count, depth;
};

/* `walk` has its callbacks and nothing else, before and afterwards; of the callbacks only is_root
 * must be there. Returns what a callback returned, or -1 with an error in the log. */
int sl_walk_calls(struct sl_call_walk *walk, struct sl_stages *);

/* By the attribute that each kernel's function has. */
bool sl_is_marked_kernel(LLVMValueRef function);

#endif
