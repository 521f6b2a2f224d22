/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms of what translations of instructions build all the time. Vectors are meant, too. */
#ifndef SL_KERNELS_SPIRV_BUILD_H
#define SL_KERNELS_SPIRV_BUILD_H

#include "spirv/module/translate.h"

enum { SL_BUILD_MOST_LANES = 128 }; /* of an item's part of a matrix */

LLVMTypeRef sl_build_element(LLVMTypeRef); /* of a vector; a scalar is its own */
unsigned sl_build_lanes(LLVMTypeRef);      /* 1: a scalar */
/* Of an integer or a floating-point number, or of each lane; 0: neither. */
unsigned sl_build_bits(LLVMTypeRef);
/* As many of `element` as `like` has lanes. */
LLVMTypeRef sl_build_as_many(LLVMTypeRef element, LLVMTypeRef like);

/* Constants, the same in all lanes. */
LLVMValueRef sl_build_integer(LLVMTypeRef, uint64_t value);
LLVMValueRef sl_build_real(LLVMTypeRef, double value);

/* Of one type, whose name follows the intrinsic's: "llvm.fabs". */
LLVMValueRef sl_build_intrinsic(struct sl_spirv *, const char *name, LLVMValueRef *values,
                                unsigned count);
LLVMValueRef sl_build_lane(struct sl_spirv *, LLVMValueRef vector, unsigned lane);
/* The vector with `value` in that lane; NULL for `vector`: the first one, of this type. */
LLVMValueRef sl_build_with_lane(struct sl_spirv *, LLVMTypeRef type, LLVMValueRef vector,
                                LLVMValueRef value, unsigned lane);
/* `count` lanes from `first` on; one is a scalar. */
LLVMValueRef sl_build_slice(struct sl_spirv *, LLVMValueRef vector, unsigned first, unsigned count);
/* The vector with all lanes of `slice` from `first` on. */
LLVMValueRef sl_build_with_slice(struct sl_spirv *, LLVMValueRef vector, LLVMValueRef slice,
                                 unsigned first);
/* A boolean as an int, and what an int says as a boolean. */
LLVMValueRef sl_build_from_bool(struct sl_spirv *, LLVMValueRef);
LLVMValueRef sl_build_to_bool(struct sl_spirv *, LLVMValueRef);

/* What the id's decoration allows. */
LLVMFastMathFlags sl_build_fast_math(struct sl_spirv *, uint32_t id);

/* The end of a translation: the instruction's value, if it has a result. 1, or -1: `value` is NULL.
 */
int sl_build_result(struct sl_spirv *, const struct sl_spirv_instruction *, LLVMValueRef value);
/* The value of the operand; NULL: failed. */
LLVMValueRef sl_build_operand(struct sl_spirv *, const struct sl_spirv_instruction *,
                              unsigned index);
/* The LLVM type of the instruction's result. NULL: failed. */
LLVMTypeRef sl_build_type(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
