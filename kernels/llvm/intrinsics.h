/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's intrinsics by their numbers: the one list of those that work element by element, and what
 * passes ask of the others. Stateless. */
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
enum sl_operand_bound {
    SL_BOUND_NONE,
    SL_BOUND_MIN,
    SL_BOUND_MAX,
    SL_BOUND_ABSOLUTE,
    SL_BOUND_DIFFERENCE, /* that stops at 0 */
};

enum sl_intrinsic_flags {
    SL_INTRINSIC_SIGNED = 1 << 0,   /* of numbers that have a sign */
    SL_INTRINSIC_IN_LOOPS = 1 << 1, /* LLVM's vectoriser makes it one of vectors that is good */
};

struct sl_intrinsic {
    unsigned id; /* for LLVMGetIntrinsicDeclaration */
    enum sl_overload overload;
    int scalar; /* this operand is no vector where the others are; -1: none */
    enum sl_operand_bound bound;
    unsigned flags; /* enum sl_intrinsic_flags */
};

/* NULL: the value is no call of one. */
const struct sl_intrinsic *sl_llvm_intrinsic(LLVMValueRef value);
/* Is it a minimum or a maximum? */
bool sl_llvm_is_min_or_max(LLVMValueRef value);

/* What an intrinsic does, as flags, so that a question may be about several. */
enum sl_intrinsic_kind {
    SL_INTRINSIC_LIFETIME_START = 1 << 0,
    SL_INTRINSIC_LIFETIME_END = 1 << 1,
    SL_INTRINSIC_LIFETIME = SL_INTRINSIC_LIFETIME_START | SL_INTRINSIC_LIFETIME_END,
    SL_INTRINSIC_DEBUG = 1 << 2,
    SL_INTRINSIC_ASSUME = 1 << 3,
    SL_INTRINSIC_ALIAS_SCOPE = 1 << 4,
    SL_INTRINSIC_INVARIANT = 1 << 5, /* memory that does not change */
    SL_INTRINSIC_PREFETCH = 1 << 6,
    SL_INTRINSIC_NOTHING = 1 << 7,
    SL_INTRINSIC_COPY_INLINE = 1 << 8, /* without a call of a function */
    SL_INTRINSIC_COPY = 1 << 9,        /* of memory that does not overlap */
    SL_INTRINSIC_MOVE = 1 << 10,
    SL_INTRINSIC_FILL_INLINE = 1 << 11,
    SL_INTRINSIC_FILL = 1 << 12,
    SL_INTRINSIC_MASKED_STORE = 1 << 13, /* to neighbours or scattered */
    SL_INTRINSIC_FMA = 1 << 14,          /* in one step or, where that is faster, in two */
    SL_INTRINSIC_SQRT = 1 << 15,
    SL_INTRINSIC_SIGN = 1 << 16, /* of floats, without arithmetic */
    SL_INTRINSIC_FUNNEL_SHIFT = 1 << 17,
    SL_INTRINSIC_TRAP = 1 << 18,     /* the program ends here */
    SL_INTRINSIC_DEAD_END = 1 << 19, /* the same, where the program said it never comes */
    SL_INTRINSIC_OTHER = 1 << 20,
    SL_INTRINSIC_ANY = (1 << 21) - 1,
};
/* Is this a call of an intrinsic, or the function itself, that is of one of these kinds? */
bool sl_llvm_is_intrinsic(LLVMValueRef call_or_function, unsigned kinds);

#ifdef __cplusplus
}
#endif
#endif
