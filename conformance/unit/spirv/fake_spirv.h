/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A translation of SPIR-V whose ids a test hands out: types and values as it likes, without a
 * module of words. It has one function, `f`, whose parameters and instructions are the values. One
 * at a time; not thread-safe.
 */
#ifndef SL_UNIT_FAKE_SPIRV_H
#define SL_UNIT_FAKE_SPIRV_H

#include "spirv/module/translate.h"

struct sl_spirv *fake_spirv_new(void);
void fake_spirv_free(struct sl_spirv *);

uint32_t fake_spirv_type(struct sl_spirv *, const struct sl_spirv_type *); /* its id */
/* Of a scalar or vector: "f", "Dh", "i" and so on (the sign is not kept), "b" is boolean. */
uint32_t fake_spirv_numbers(struct sl_spirv *, const char *base, unsigned lanes);
uint32_t fake_spirv_pointer(struct sl_spirv *, uint32_t pointee, unsigned space);
/* A value of this type that nothing is known of; a constant. */
uint32_t fake_spirv_value(struct sl_spirv *, uint32_t type);
/* A variable of the module (OpVariable). */
uint32_t fake_spirv_variable(struct sl_spirv *, uint32_t type, LLVMValueRef);
uint32_t fake_spirv_constant(struct sl_spirv *, uint32_t type, uint64_t number);
void fake_spirv_decorate(struct sl_spirv *, uint32_t id, uint32_t decoration, uint32_t literal);

/* Translates one instruction; its result (0: none) gets an id that is told by fake_spirv_last. */
int fake_spirv_instruction(struct sl_spirv *, uint16_t opcode, uint32_t type,
                           const uint32_t *operands, unsigned count);
int fake_spirv_standard(struct sl_spirv *, uint32_t number, uint32_t type, const uint32_t *operands,
                        unsigned count);
uint32_t fake_spirv_last(const struct sl_spirv *);
uint32_t fake_spirv_next(const struct sl_spirv *);     /* the id that the next result will have */
const char *fake_spirv_error(const struct sl_spirv *); /* of the last failure */
/* Ends the function and lets LLVM look at it; the text is the caller's to free. */
char *fake_spirv_print(struct sl_spirv *);

#endif
