/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers from and to numbers and other address spaces, and values under another type. */
#include "spirv/instructions/instruction.h"

#include <llvm-c/Target.h>

#include "spirv/module/module.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"

static bool is_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* Of numbers and vectors of them; 0: of anything else. */
static unsigned bits_of(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    enum sl_spirv_type_kind kind = sl_spirv_lane_kind(s, type);
    if (kind != SL_SPIRV_INT && kind != SL_SPIRV_FLOAT)
        return 0;
    return type->bits * (type->kind == SL_SPIRV_VECTOR ? type->count : 1);
}

/* A pointer as several numbers, or several numbers as a pointer; NULL: they are none (failed). */
static LLVMValueRef regroup(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            const struct sl_spirv_type *type, LLVMValueRef value)
{
    const struct sl_spirv_type *source = sl_spirv_type_of(s, i->operands[0]);
    LLVMTypeRef word = LLVMIntTypeInContext(s->context, s->address_bits);
    if (source && is_pointer(LLVMTypeOf(value)) && bits_of(s, type) == s->address_bits) {
        value = LLVMBuildPtrToInt(s->builder, value, word, "");
        return LLVMBuildBitCast(s->builder, value, type->llvm, "");
    }
    if (source && is_pointer(type->llvm) && bits_of(s, source) == s->address_bits) {
        value = LLVMBuildBitCast(s->builder, value, word, "");
        return LLVMBuildIntToPtr(s->builder, value, type->llvm, "");
    }
    sl_spirv_fail(s, i, "the types do not fit");
    return NULL;
}

/* The value as `type`; NULL: failed. */
static LLVMValueRef convert(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            const struct sl_spirv_type *type, LLVMValueRef value)
{
    LLVMTypeRef from = LLVMTypeOf(value), to = type->llvm;
    if (from == to)
        return value;
    if (is_pointer(from) && is_pointer(to))
        return LLVMBuildAddrSpaceCast(s->builder, value, to, "");
    if (is_pointer(from) && is_integer(to))
        return LLVMBuildPtrToInt(s->builder, value, to, "");
    if (is_integer(from) && is_pointer(to))
        return LLVMBuildIntToPtr(s->builder, value, to, "");
    const struct sl_spirv_type *source = sl_spirv_type_of(s, i->operands[0]);
    unsigned bits = source ? bits_of(s, source) : 0;
    if (bits && bits == bits_of(s, type))
        return LLVMBuildBitCast(s->builder, value, to, "");
    return regroup(s, i, type, value);
}

static int cast(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef value = type ? sl_spirv_operand(s, i, 0) : NULL;
    value = value ? convert(s, i, type, value) : NULL;
    return !value || sl_spirv_define(s, i, value) ? -1 : 1;
}

/* NULL where the pointer leads elsewhere: OpenCL C's to_global and the like, as clang calls them.
 */
static int cast_if_there(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef value = type ? sl_spirv_pointer_operand(s, i, 0) : NULL;
    if (!value)
        return -1;
    const char *name = type->storage == StorageClassCrossWorkgroup ? "__to_global"
                       : type->storage == StorageClassWorkgroup    ? "__to_local"
                       : type->storage == StorageClassFunction     ? "__to_private"
                                                                   : NULL;
    LLVMTypeRef generic = LLVMPointerTypeInContext(s->context, 4);
    if (!is_pointer(type->llvm) || !name || LLVMTypeOf(value) != generic)
        return sl_spirv_fail(s, i, "the types do not fit");
    LLVMTypeRef signature = LLVMFunctionType(type->llvm, &generic, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(s->module, name);
    if (!function) {
        function = LLVMAddFunction(s->module, name, signature);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    LLVMValueRef call = LLVMBuildCall2(s->builder, signature, function, &value, 1, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return sl_spirv_define(s, i, call) ? -1 : 1;
}

/* In elements, as pointers of C are subtracted. */
static int difference(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef a = type ? sl_spirv_pointer_operand(s, i, 0) : NULL;
    LLVMValueRef b = a ? sl_spirv_operand_of(s, i, 1, LLVMTypeOf(a)) : NULL;
    const struct sl_spirv_type *pointer = b ? sl_spirv_type_of(s, i->operands[0]) : NULL;
    if (!pointer)
        return -1;
    if (type->kind != SL_SPIRV_INT)
        return sl_spirv_fail(s, i, "its result is no integer");
    LLVMTypeRef element = sl_spirv_memory_type(s, pointer->element);
    if (!LLVMABISizeOfType(LLVMGetModuleDataLayout(s->module), element))
        return sl_spirv_fail(s, i, "the elements have no size");
    LLVMValueRef value = LLVMBuildPtrDiff2(s->builder, element, a, b, "");
    value = LLVMBuildIntCast2(s->builder, value, type->llvm, 1, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

static int size_of(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_type *pointer = type ? sl_spirv_type_of(s, i->operands[0]) : NULL;
    const struct sl_spirv_type *held = pointer ? sl_spirv_type(s, pointer->element) : NULL;
    if (!held)
        return -1;
    if (type->kind != SL_SPIRV_INT)
        return sl_spirv_fail(s, i, "its result is no integer");
    return sl_spirv_define(s, i, LLVMConstInt(type->llvm, held->bytes, 0)) ? -1 : 1;
}

int sl_spirv_pointer(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpConvertPtrToU:
    case OpConvertUToPtr:
    case OpPtrCastToGeneric:
    case OpGenericCastToPtr:
    case OpPtrCastToCrossWorkgroupINTEL:
    case OpCrossWorkgroupCastToPtrINTEL:
    case OpBitcast:
        return cast(s, i);
    case OpGenericCastToPtrExplicit:
        return cast_if_there(s, i);
    case OpPtrDiff:
        return difference(s, i);
    case OpSizeOf:
        return size_of(s, i);
    }
    return 0;
}
