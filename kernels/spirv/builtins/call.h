/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of a function of OpenCL C in the making: its parameters one by one, then the call,
 * declared and attributed as clang does. A failure is kept until the end, so only the last step is
 * asked.
 */
#ifndef SL_KERNELS_SPIRV_CALL_H
#define SL_KERNELS_SPIRV_CALL_H

#include "spirv/builtins/mangle.h"
#include "spirv/module/translate.h"

enum { SL_CALL_MOST = 10 };
enum { SL_SPIR_FUNCTION = 75 }; /* LLVM's calling convention */

/* ANY: others may have to come there as well; ALONE: that they need not. */
enum sl_call_effect { SL_CALL_ANY, SL_CALL_ALONE, SL_CALL_READS, SL_CALL_PURE };

struct sl_call {
    struct sl_spirv *spirv;
    const struct sl_spirv_instruction *instruction;
    const char *name; /* as OpenCL C has it */
    LLVMTypeRef result;
    bool is_unsigned; /* the result */
    bool is_plain;    /* the name is not mangled */
    enum sl_call_effect effect;
    struct sl_mangle_type types[SL_CALL_MOST];
    LLVMValueRef values[SL_CALL_MOST];
    unsigned count;
    bool failed;
};

/* `name` is borrowed until the call is made. Result: the instruction's own type by default. */
void sl_call_begin(struct sl_call *, struct sl_spirv *, const struct sl_spirv_instruction *,
                   const char *name);
/*
 * A value of integers, floating-point numbers or vectors of them, by its type. Vectors of lengths
 * that OpenCL C does not have become longer ones when the call is made, and its result as short
 * again.
 */
void sl_call_add(struct sl_call *, LLVMValueRef, bool is_unsigned);
/* A value with its type spelled out. */
void sl_call_add_as(struct sl_call *, LLVMValueRef, const struct sl_mangle_type *);
/* A 32-bit constant of the enumeration with this mangled name, as "12memory_order". */
void sl_call_add_enum(struct sl_call *, uint32_t value, const char *base);
/* The value with this id: also an image, a sampler, an event and the like. */
void sl_call_add_id(struct sl_call *, uint32_t id, bool is_unsigned);
/* The value with this id as an integer of `bits`, unsigned. */
void sl_call_add_index(struct sl_call *, uint32_t id, unsigned bits);
/* The pointer with this id, said to lead to `to`. */
void sl_call_add_pointer(struct sl_call *, uint32_t id, LLVMTypeRef to, bool is_unsigned,
                         bool is_const);
/* NULL: failed, and said so. */
LLVMValueRef sl_call_make(struct sl_call *);

/* As many lanes as this, or the next more that vectors of OpenCL C have. */
unsigned sl_call_lanes(unsigned lanes);
/* What a value of this type is in OpenCL C. False: nothing. */
bool sl_call_describe(LLVMTypeRef, bool is_unsigned, struct sl_mangle_type *out);
/* "14ocl_image2d_ro" and the like. NULL: OpenCL C has no such type. */
const char *sl_call_object_name(const struct sl_spirv_type *);

#endif
