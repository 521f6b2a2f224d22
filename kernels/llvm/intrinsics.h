/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's intrinsics that work element by element, by their numbers: the one list of them.
 * Stateless. */
#ifndef SL_KERNELS_LLVM_INTRINSICS_H
#define SL_KERNELS_LLVM_INTRINSICS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which types name the variant. */
enum sl_overload {
    SL_BY_RESULT,
    SL_BY_RESULT_AND_FIRST,
    SL_BY_RESULT_AND_SECOND,
    SL_BY_FIRST,
    SL_BY_RESULT_SATURATED, /* and the first: from a float to an integer (saturate.c) */
};

/* Of integers: what the result is but one of the operands, unless it meets a bound. */
enum sl_bound {
    SL_BOUND_NONE,
    SL_BOUND_MIN,
    SL_BOUND_MAX,
    SL_BOUND_ABSOLUTE,
    SL_BOUND_DIFFERENCE, /* that stops at 0 */
};

struct sl_intrinsic {
    unsigned id; /* for LLVMGetIntrinsicDeclaration */
    enum sl_overload overload;
    int scalar; /* this operand is no vector where the others are; -1: none */
    enum sl_bound bound;
    bool sign;     /* of numbers that have one */
    bool in_loops; /* LLVM's vectoriser makes it one of vectors that is good */
};

/* NULL: the value is no call of one. */
const struct sl_intrinsic *sl_llvm_intrinsic(LLVMValueRef value);
/* Is it a minimum or a maximum? */
bool sl_llvm_is_min_or_max(LLVMValueRef value);

#ifdef __cplusplus
}
#endif
#endif
