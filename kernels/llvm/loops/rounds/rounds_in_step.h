/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that items begin or leave at different rounds. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_ROUNDS_IN_STEP_H
#define SL_KERNELS_LLVM_ROUNDS_IN_STEP_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `for (counter = start; counter < end; counter++)`, nowhere else left. */
struct sl_counted_loop {
    LLVMValueRef counter, start, end;
    bool is_unsigned;
    const LLVMBasicBlockRef *blocks; /* of it and of those in it */
    size_t count;
};

enum sl_round_split {
    SL_ROUNDS_STAY,
    SL_ROUNDS_FROM_LEAST, /* all count from the least start on */
    SL_ROUNDS_COMMON,     /* those that all items have come first */
};

/* Of the numbers that items have which go in step. */
enum sl_round_bound {
    SL_BOUND_LEAST,
    SL_BOUND_MOST,
    SL_BOUND_COMMON, /* the least one, or anything below: where it is no use to have rounds apart */
};

struct sl_round_questions {
    enum sl_round_split (*ask)(void *data, const struct sl_counted_loop *);
    /* A function of one number that is called with each item's own one: what it gives is not above
     * the least of them, or not below the largest. */
    LLVMValueRef (*bound)(void *data, enum sl_round_bound, bool is_unsigned, LLVMTypeRef);
    void *data;
};

/*
 * Loops with their condition in front become two, which do the same for each item in the same
 * order. From the least start on: the first one goes to the largest start, and an item does nothing
 * in it before its own; the second one is the loop itself. Common rounds: the first one goes to the
 * least end, what is left is the loop's. In front of LLVM's loop-rotate. Loops with calls, common
 * operations or ordered memory stay. The number of loops that were divided.
 */
unsigned sl_llvm_divide_rounds(LLVMValueRef function, const struct sl_round_questions *);

#ifdef __cplusplus
}
#endif
#endif
