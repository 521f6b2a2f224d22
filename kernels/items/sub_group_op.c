/* SPDX-License-Identifier: Apache-2.0 */
/* The functions by their names. No shared state. */
#include "items/sub_group_op.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "ir/pass.h"
#include "llvm/pass_support.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "sl.sg."
#define MOST_ARGUMENTS 3

/* Behind "sub_group_"; a step follows those that end with '_'. */
static const struct row {
    const char *name;
    enum sl_sub_group_kind kind;
    unsigned arguments;
} rows[] = {
    {"reduce_", SL_SUB_GROUP_REDUCE, 1},
    {"scan_inclusive_", SL_SUB_GROUP_SCAN_INCLUSIVE, 1},
    {"scan_exclusive_", SL_SUB_GROUP_SCAN_EXCLUSIVE, 1},
    {"any", SL_SUB_GROUP_ANY, 1},
    {"all", SL_SUB_GROUP_ALL, 1},
    {"ballot", SL_SUB_GROUP_BALLOT, 1},
    {"elect", SL_SUB_GROUP_ELECT, 0},
    {"broadcast_first", SL_SUB_GROUP_FIRST, 1},
    {"broadcast", SL_SUB_GROUP_BROADCAST, 2},
    {"shuffle", SL_SUB_GROUP_SHUFFLE, 2},
    {"shuffle_xor", SL_SUB_GROUP_SHUFFLE_XOR, 2},
    {"shuffle_up", SL_SUB_GROUP_SHUFFLE_UP, 2},
    {"shuffle_down", SL_SUB_GROUP_SHUFFLE_DOWN, 2},
    {"rotate", SL_SUB_GROUP_ROTATE, 2},
};

static const char *const steps[] = {
    [SL_STEP_ADD] = "add", [SL_STEP_MUL] = "mul", [SL_STEP_MIN] = "min", [SL_STEP_MAX] = "max",
    [SL_STEP_AND] = "and", [SL_STEP_OR] = "or",   [SL_STEP_XOR] = "xor",
};

static bool is(const char *text, size_t length, const char *name)
{
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

static bool skip(const char **text, size_t *length, const char *name)
{
    size_t bytes = strlen(name);
    if (*length < bytes || memcmp(*text, name, bytes) != 0)
        return false;
    *text += bytes;
    *length -= bytes;
    return true;
}

/* "i8_u4_matrix_mad_k32": whose numbers have a sign, and what they are. */
static const struct sl_matrix_row {
    const char *name;
    enum sl_matrix_number number;
    bool half_bytes, a_signed, b_signed;
} products[] = {
    {"i8_i8_matrix_mad_k32", SL_MATRIX_BYTES, false, true, true},
    {"i8_u8_matrix_mad_k32", SL_MATRIX_BYTES, false, true, false},
    {"u8_i8_matrix_mad_k32", SL_MATRIX_BYTES, false, false, true},
    {"u8_u8_matrix_mad_k32", SL_MATRIX_BYTES, false, false, false},
    {"i4_i4_matrix_mad_k64", SL_MATRIX_BYTES, true, true, true},
    {"i4_u4_matrix_mad_k64", SL_MATRIX_BYTES, true, true, false},
    {"u4_i4_matrix_mad_k64", SL_MATRIX_BYTES, true, false, true},
    {"u4_u4_matrix_mad_k64", SL_MATRIX_BYTES, true, false, false},
    {"bf16_bf16_matrix_mad_k16", SL_MATRIX_BFLOATS, false, true, true},
    {"f16_f16_matrix_mad_k16", SL_MATRIX_HALVES, false, true, true},
    {"f32_f32_matrix_mad_k16", SL_MATRIX_FLOATS, false, true, true},
    {"f64_f64_matrix_mad_k16", SL_MATRIX_FLOATS, false, true, true},
};

static bool read_product(const char *text, size_t length, struct sl_sub_group_op *op)
{
    for (size_t k = 0; k < sizeof products / sizeof *products; k++)
        if (is(text, length, products[k].name)) {
            op->number = products[k].number;
            op->half_bytes = products[k].half_bytes;
            op->a_signed = products[k].a_signed;
            op->b_signed = products[k].b_signed;
            return true;
        }
    return false;
}

static bool read_step(const char *text, size_t length, struct sl_sub_group_op *op)
{
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (is(text, length, steps[k])) {
            op->step = (enum sl_sub_group_step)k;
            return true;
        }
    return false;
}

/* "_Z20sub_group_reduce_addj": the name, and behind it the types. */
static const struct row *parse(const char *mangled, struct sl_sub_group_op *op)
{
    char *text;
    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return NULL;
    size_t length = strtoul(mangled + 2, &text, 10);
    if (length > strlen(text))
        return NULL;
    const char *types = text + length, *name = text;
    if (!skip(&name, &length, "intel_"))
        skip(&name, &length, "__sl_");
    if (!skip(&name, &length, "sub_group_"))
        return NULL;
    skip(&name, &length, "non_uniform_");
    op->is_unsigned = strchr("htjm", *types) && *types;
    if (is(name, length, "barrier")) {
        static const struct row barrier = {"barrier", SL_SUB_GROUP_BARRIER, 0};
        op->kind = barrier.kind;
        return &barrier;
    }
    if (read_product(name, length, op)) {
        static const struct row product = {"", SL_SUB_GROUP_MATRIX, 3};
        op->kind = product.kind;
        return &product;
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        size_t bytes = strlen(rows[k].name);
        bool stepped = rows[k].name[bytes - 1] == '_';
        op->kind = rows[k].kind;
        if (is(name, length, rows[k].name) ||
            (stepped && length > bytes && !memcmp(name, rows[k].name, bytes) &&
             read_step(name + bytes, length - bytes, op)))
            return &rows[k];
    }
    return NULL;
}

/* Numbers that machines have registers of. */
static bool is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 8 &&
            LLVMGetIntTypeWidth(type) <= 64);
}

static bool is_value(LLVMTypeRef type)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    type = vector ? LLVMGetElementType(type) : type;
    return is_number(type) || LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

static uint32_t bits_of_element(LLVMTypeRef type)
{
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* a: one number of each row; b: a column. */
static bool is_product_of_floats(LLVMTypeRef result, const LLVMTypeRef *of)
{
    LLVMTypeRef row =
        LLVMGetTypeKind(of[0]) == LLVMVectorTypeKind ? LLVMGetElementType(of[0]) : of[0];
    return of[0] == result && of[2] == result && LLVMGetTypeKind(of[1]) == LLVMVectorTypeKind &&
           LLVMGetElementType(of[1]) == row && LLVMGetVectorSize(of[1]) == SL_MATRIX_FLOAT_TERMS;
}

static bool is_product(LLVMTypeRef result, const LLVMTypeRef *of, enum sl_matrix_number number)
{
    if (number == SL_MATRIX_FLOATS)
        return is_product_of_floats(result, of);
    return of[2] == result && (bits_of_element(of[0]) == 32 || bits_of_element(of[0]) == 16) &&
           bits_of_element(of[1]) == 32 && LLVMGetTypeKind(of[1]) == LLVMVectorTypeKind &&
           LLVMGetVectorSize(of[1]) == SL_MATRIX_WORDS;
}

static bool has_known_types(LLVMTypeRef type, const struct sl_sub_group_op *op, unsigned arguments)
{
    LLVMTypeRef of[MOST_ARGUMENTS], result = LLVMGetReturnType(type);
    if (op->kind == SL_SUB_GROUP_BARRIER)
        return LLVMGetTypeKind(result) == LLVMVoidTypeKind;
    if (LLVMCountParamTypes(type) != arguments)
        return false;
    LLVMGetParamTypes(type, of);
    for (unsigned a = 0; a < arguments; a++)
        if (!is_value(of[a]))
            return false;
    if (op->kind == SL_SUB_GROUP_MATRIX)
        return is_product(result, of, op->number);
    if (op->kind <= SL_SUB_GROUP_SCAN_EXCLUSIVE)
        return is_number(result) && of[0] == result;
    if (op->kind < SL_SUB_GROUP_FIRST)
        return is_value(result) && (!arguments || is_number(of[0]));
    return of[0] == result && (arguments < 2 || LLVMGetTypeKind(of[1]) == LLVMIntegerTypeKind);
}

static bool is_ours(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_BUILTIN_ATTRIBUTE, sizeof SL_BUILTIN_ATTRIBUTE - 1);
}

bool sl_sub_group_function(LLVMValueRef function, struct sl_sub_group_op *op)
{
    struct sl_sub_group_op own;
    op = op ? op : &own;
    if (!LLVMIsAFunction(function) || !is_ours(function))
        return false;
    const struct row *row = parse(LLVMGetValueName(function), op);
    return row && has_known_types(LLVMGlobalGetValueType(function), op, row->arguments);
}

bool sl_sub_group_op_suits(LLVMValueRef function, uint32_t size)
{
    struct sl_sub_group_op op;
    LLVMTypeRef of[MOST_ARGUMENTS];
    if (!sl_sub_group_function(function, &op) || op.kind != SL_SUB_GROUP_MATRIX)
        return true;
    if (op.number == SL_MATRIX_FLOATS)
        return size == SL_MATRIX_FLOAT_TERMS;
    LLVMGetParamTypes(LLVMGlobalGetValueType(function), of);
    return bits_of_element(of[0]) * size == 32 * SL_MATRIX_WORDS;
}

bool sl_is_sub_group_name(const char *name)
{
    struct sl_sub_group_op op;
    return parse(name, &op);
}

bool sl_sub_group_op(LLVMValueRef value, struct sl_sub_group_op *op)
{
    struct sl_sub_group_op own;
    const char *name = sl_callee_name(value);
    op = op ? op : &own;
    return strncmp(name, PREFIX, sizeof PREFIX - 1) == 0 && parse(name + sizeof PREFIX - 1, op);
}

static LLVMValueRef declare(LLVMModuleRef module, LLVMValueRef function)
{
    static const char *const attributes[] = {"nounwind",   "willreturn", "nofree",
                                             "nocallback", "convergent", "memory"};
    char *name;
    if (asprintf(&name, PREFIX "%s", LLVMGetValueName(function)) < 0)
        abort();
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f) {
        f = LLVMAddFunction(module, name, LLVMGlobalGetValueType(function));
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, attributes[i], 0);
    }
    free(name);
    return f;
}

void sl_sub_group_replace(const struct sl_emit *e, LLVMModuleRef module, LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetCalledValue(call), arguments[MOST_ARGUMENTS];
    struct sl_sub_group_op op;
    sl_sub_group_function(function, &op);
    LLVMPositionBuilderBefore(e->builder, call);
    if (op.kind == SL_SUB_GROUP_BARRIER) {
        LLVMBuildFence(e->builder, LLVMAtomicOrderingAcquireRelease, false, "");
    } else {
        LLVMValueRef to = declare(module, function);
        unsigned count = LLVMGetNumArgOperands(call);
        for (unsigned a = 0; a < count; a++)
            arguments[a] = LLVMGetArgOperand(call, a);
        LLVMReplaceAllUsesWith(call, LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(function),
                                                    to, arguments, count, ""));
    }
    LLVMInstructionEraseFromParent(call);
}
