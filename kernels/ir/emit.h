/* SPDX-License-Identifier: Apache-2.0 */
/* A builder with the types that passes use all the time, and the short forms built on them. */
#ifndef SL_KERNELS_IR_EMIT_H
#define SL_KERNELS_IR_EMIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_emit {
    LLVMContextRef context;
    LLVMBuilderRef builder; /* owned */
    LLVMTypeRef i1, i8, i16, i32, i64, ptr, none;
};

void sl_emit_init(struct sl_emit *, LLVMContextRef);
void sl_emit_finish(struct sl_emit *);

LLVMValueRef sl_emit_i64(const struct sl_emit *, uint64_t);
LLVMValueRef sl_emit_i32(const struct sl_emit *, uint32_t);
/* Address arithmetic in bytes. */
LLVMValueRef sl_emit_byte_offset(const struct sl_emit *, LLVMValueRef base, LLVMValueRef offset,
                                 const char *name);
LLVMValueRef sl_emit_load_field(const struct sl_emit *, LLVMTypeRef, LLVMValueRef base,
                                size_t offset, const char *name);
/* The caller knows that the operation overflows neither as signed nor as unsigned. */
LLVMValueRef sl_emit_add_exact(const struct sl_emit *, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef sl_emit_mul_exact(const struct sl_emit *, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef sl_emit_min(const struct sl_emit *, LLVMValueRef, LLVMValueRef, const char *name);
/* An alloca among the function's first instructions; marked as our own: who reads it has written it
 * before, whatever the program does (passes/undefined.h). */
LLVMValueRef sl_emit_entry_alloca(const struct sl_emit *, LLVMValueRef function, LLVMTypeRef,
                                  unsigned align, const char *name);
/* The same for a variable that stands for one of the program's: own if that is. NULL: it is not;
 * which way items went, or which lanes run, tells whether there is something in it. */
LLVMValueRef sl_emit_entry_copy(const struct sl_emit *, LLVMValueRef function, LLVMTypeRef,
                                unsigned align, const char *name, LLVMValueRef original);
bool sl_emit_is_own(LLVMValueRef variable);
/* The builder's position: behind the variables that the function begins with, in front of all that
 * could use what is made there. The end of the entry block is not that place: a function without
 * branches does all its work in front of it. */
void sl_emit_at_entry(const struct sl_emit *, LLVMValueRef function);

/* What the address was made of, without offsets and casts. */
LLVMValueRef sl_address_base(LLVMValueRef pointer);

bool sl_emit_add_enum_attribute(LLVMValueRef function, LLVMAttributeIndex, const char *name,
                                uint64_t value);

#endif
