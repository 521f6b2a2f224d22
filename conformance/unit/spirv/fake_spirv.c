/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_spirv.h"

#include "spirv/values/operand.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 4096 };

struct id {
    struct sl_spirv_type type; /* of a type: itself; of a value: kind is not used */
    uint32_t type_id;          /* of a value */
    LLVMValueRef value;
    uint32_t decoration, literal;
    bool is_decorated, is_constant;
    uint64_t number;
    struct sl_spirv_instruction definition; /* of what instructions gave, and variables */
    uint32_t operands[8];
};

struct sl_spirv {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct id ids[MOST_IDS];
    uint32_t count;
    char error[512];
};

struct sl_spirv *fake_spirv_new(void)
{
    struct sl_spirv *s = calloc(1, sizeof *s);
    assert(s);
    s->context = LLVMContextCreate();
    s->module = LLVMModuleCreateWithNameInContext("fake", s->context);
    s->builder = LLVMCreateBuilderInContext(s->context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(s->module, "f", type);
    LLVMPositionBuilderAtEnd(s->builder, LLVMAppendBasicBlockInContext(s->context, f, ""));
    s->count = 1;
    return s;
}

void fake_spirv_free(struct sl_spirv *s)
{
    LLVMDisposeBuilder(s->builder);
    LLVMDisposeModule(s->module);
    LLVMContextDispose(s->context);
    free(s);
}

/* In its place: there is only one block. */
LLVMValueRef sl_spirv_frame_slot(struct sl_spirv *s, LLVMTypeRef type)
{
    return LLVMBuildAlloca(s->builder, type, "");
}

uint32_t sl_spirv_mark_of_module(struct sl_spirv *s)
{
    (void)s;
    return 0;
}

/* ---- ids ------------------------------------------------------------------------------------- */

static struct id *add(struct sl_spirv *s)
{
    assert(s->count < MOST_IDS);
    return &s->ids[s->count++];
}

static uint32_t id_of(const struct sl_spirv *s, const struct id *id)
{
    return (uint32_t)(id - s->ids);
}

uint32_t fake_spirv_type(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    struct id *id = add(s);
    id->type = *type;
    id->type.id = id_of(s, id);
    return id->type.id;
}

static LLVMTypeRef element(struct sl_spirv *s, const char *base, struct sl_spirv_type *type)
{
    static const char bytes[] = "bchstijlm";
    static const uint8_t bits[] = {1, 8, 8, 16, 16, 32, 32, 64, 64};
    const char *integer = strchr(bytes, *base);
    type->kind = *base == 'b' ? SL_SPIRV_BOOL : integer ? SL_SPIRV_INT : SL_SPIRV_FLOAT;
    type->bits = integer ? bits[integer - bytes] : *base == 'D' ? 16 : *base == 'f' ? 32 : 64;
    return integer        ? LLVMIntTypeInContext(s->context, type->bits)
           : *base == 'D' ? LLVMHalfTypeInContext(s->context)
           : *base == 'f' ? LLVMFloatTypeInContext(s->context)
                          : LLVMDoubleTypeInContext(s->context);
}

uint32_t fake_spirv_numbers(struct sl_spirv *s, const char *base, unsigned lanes)
{
    struct sl_spirv_type type = {.count = 1};
    type.llvm = element(s, base, &type);
    uint32_t scalar = fake_spirv_type(s, &type);
    if (lanes <= 1)
        return scalar;
    type = (struct sl_spirv_type){.kind = SL_SPIRV_VECTOR, .count = lanes, .element = scalar};
    type.llvm = LLVMVectorType(s->ids[scalar].type.llvm, lanes);
    return fake_spirv_type(s, &type);
}

uint32_t fake_spirv_pointer(struct sl_spirv *s, uint32_t pointee, unsigned space)
{
    static const uint32_t storages[] = {7, 5, 0, 4, 8};
    struct sl_spirv_type type = {
        .kind = SL_SPIRV_POINTER, .element = pointee, .storage = storages[space]};
    type.llvm = LLVMPointerTypeInContext(s->context, space);
    return fake_spirv_type(s, &type);
}

/* Nothing can be folded away of what a function without a body returns. */
uint32_t fake_spirv_value(struct sl_spirv *s, uint32_t type)
{
    struct id *id = add(s);
    LLVMTypeRef function = LLVMFunctionType(s->ids[type].type.llvm, NULL, 0, 0);
    id->type_id = type;
    id->value = LLVMBuildCall2(s->builder, function, LLVMAddFunction(s->module, "any", function),
                               NULL, 0, "");
    return id_of(s, id);
}

uint32_t fake_spirv_variable(struct sl_spirv *s, uint32_t type, LLVMValueRef variable)
{
    struct id *id = add(s);
    id->type_id = type;
    id->value = variable;
    id->definition = (struct sl_spirv_instruction){.opcode = 59, .result = id_of(s, id)};
    return id_of(s, id);
}

uint32_t fake_spirv_constant(struct sl_spirv *s, uint32_t type, uint64_t number)
{
    struct id *id = add(s);
    id->type_id = type;
    id->value = LLVMConstInt(s->ids[type].type.llvm, number, 0);
    id->is_constant = true;
    id->number = number;
    return id_of(s, id);
}

void fake_spirv_decorate(struct sl_spirv *s, uint32_t id, uint32_t decoration, uint32_t literal)
{
    s->ids[id].is_decorated = true;
    s->ids[id].decoration = decoration;
    s->ids[id].literal = literal;
}

/* ---- what the translation asks for ----------------------------------------------------------- */

LLVMContextRef sl_spirv_context(struct sl_spirv *s)
{
    return s->context;
}

LLVMModuleRef sl_spirv_module(struct sl_spirv *s)
{
    return s->module;
}

LLVMBuilderRef sl_spirv_builder(struct sl_spirv *s)
{
    return s->builder;
}

const struct sl_spirv_type *sl_spirv_type(struct sl_spirv *s, uint32_t type_id)
{
    return type_id < s->count && s->ids[type_id].type.llvm ? &s->ids[type_id].type : NULL;
}

const struct sl_spirv_type *sl_spirv_type_of(struct sl_spirv *s, uint32_t id)
{
    return id < s->count ? sl_spirv_type(s, s->ids[id].type_id) : NULL;
}

LLVMValueRef sl_spirv_value(struct sl_spirv *s, uint32_t id)
{
    return id < s->count ? s->ids[id].value : NULL;
}

int sl_spirv_define(struct sl_spirv *s, const struct sl_spirv_instruction *i, LLVMValueRef value)
{
    if (!i->type || LLVMTypeOf(value) != s->ids[i->type].type.llvm)
        return sl_spirv_fail(s, i, "does not give its result's type");
    s->ids[i->result].value = value;
    return 0;
}

bool sl_spirv_is_constant(struct sl_spirv *s, uint32_t id)
{
    return id < s->count && s->ids[id].is_constant;
}

int sl_spirv_number(struct sl_spirv *s, uint32_t id, uint64_t *out)
{
    if (!sl_spirv_is_constant(s, id))
        return -1;
    *out = s->ids[id].number;
    return 0;
}

const struct sl_spirv_instruction *sl_spirv_definition(struct sl_spirv *s, uint32_t id)
{
    return id < s->count ? &s->ids[id].definition : NULL;
}

bool sl_spirv_decoration(struct sl_spirv *s, uint32_t id, uint32_t decoration, uint32_t *out)
{
    const struct id *row = &s->ids[id];
    if (!row->is_decorated || row->decoration != decoration)
        return false;
    if (out)
        *out = row->literal;
    return true;
}

const uint32_t *sl_spirv_literals(struct sl_spirv *s, uint32_t id, uint32_t decoration,
                                  uint32_t count)
{
    const struct id *row = &s->ids[id];
    return row->is_decorated && row->decoration == decoration && count == 1 ? &row->literal : NULL;
}

int sl_spirv_fail(struct sl_spirv *s, const struct sl_spirv_instruction *i, const char *format, ...)
{
    va_list arguments;
    (void)i;
    va_start(arguments, format);
    vsnprintf(s->error, sizeof s->error, format, arguments);
    va_end(arguments);
    return -1;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static struct sl_spirv_instruction begin(struct sl_spirv *s, uint16_t opcode, uint32_t type,
                                         const uint32_t *operands, unsigned count)
{
    struct sl_spirv_instruction i = {
        .opcode = opcode, .operand_count = (uint16_t)count, .type = type, .operands = operands};
    *s->error = 0;
    if (type) {
        struct id *id = add(s);
        id->type_id = type;
        i.result = id_of(s, id);
        if (count)
            memcpy(id->operands, operands, (count < 8 ? count : 8) * sizeof *operands);
        id->definition = i;
        id->definition.operands = id->operands;
    }
    return i;
}

int fake_spirv_instruction(struct sl_spirv *s, uint16_t opcode, uint32_t type,
                           const uint32_t *operands, unsigned count)
{
    struct sl_spirv_instruction i = begin(s, opcode, type, operands, count);
    return sl_spirv_builtin(s, &i);
}

int fake_spirv_standard(struct sl_spirv *s, uint32_t number, uint32_t type,
                        const uint32_t *operands, unsigned count)
{
    struct sl_spirv_instruction i = begin(s, 12, type, NULL, 0);
    return sl_spirv_opencl_std(s, &i, number, operands, count);
}

uint32_t fake_spirv_last(const struct sl_spirv *s)
{
    return s->count - 1;
}

uint32_t fake_spirv_next(const struct sl_spirv *s)
{
    return s->count;
}

const char *fake_spirv_error(const struct sl_spirv *s)
{
    return s->error;
}

char *fake_spirv_print(struct sl_spirv *s)
{
    char *problem = NULL;
    LLVMBuildRetVoid(s->builder);
    if (LLVMVerifyModule(s->module, LLVMReturnStatusAction, &problem))
        fprintf(stderr, "%s\n", problem);
    assert(!*problem);
    LLVMDisposeMessage(problem);
    char *text = LLVMPrintModuleToString(s->module), *copy = strdup(text);
    LLVMDisposeMessage(text);
    return copy;
}
