/* SPDX-License-Identifier: Apache-2.0 */
/* See emit.h. No shared state: one sl_emit belongs to one thread. */
#include "ir/emit.h"

#include <string.h>

void sl_emit_init(struct sl_emit *e, LLVMContextRef context)
{
    *e = (struct sl_emit){.context = context, .builder = LLVMCreateBuilderInContext(context)};
    e->i1 = LLVMInt1TypeInContext(context);
    e->i8 = LLVMInt8TypeInContext(context);
    e->i16 = LLVMInt16TypeInContext(context);
    e->i32 = LLVMInt32TypeInContext(context);
    e->i64 = LLVMInt64TypeInContext(context);
    e->ptr = LLVMPointerTypeInContext(context, 0);
    e->none = LLVMVoidTypeInContext(context);
}

void sl_emit_finish(struct sl_emit *e)
{
    LLVMDisposeBuilder(e->builder);
}

LLVMValueRef sl_emit_i64(const struct sl_emit *e, uint64_t value)
{
    return LLVMConstInt(e->i64, value, false);
}

LLVMValueRef sl_emit_i32(const struct sl_emit *e, uint32_t value)
{
    return LLVMConstInt(e->i32, value, false);
}

LLVMValueRef sl_emit_byte_offset(const struct sl_emit *e, LLVMValueRef base, LLVMValueRef offset,
                                 const char *name)
{
    return LLVMBuildInBoundsGEP2(e->builder, e->i8, base, &offset, 1, name);
}

LLVMValueRef sl_emit_load_field(const struct sl_emit *e, LLVMTypeRef type, LLVMValueRef base,
                                size_t offset, const char *name)
{
    LLVMValueRef at = sl_emit_byte_offset(e, base, sl_emit_i64(e, offset), "");
    return LLVMBuildLoad2(e->builder, type, at, name);
}

static LLVMValueRef exact(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value)) {
        LLVMSetNSW(value, true);
        LLVMSetNUW(value, true);
    }
    return value;
}

LLVMValueRef sl_emit_add_exact(const struct sl_emit *e, LLVMValueRef a, LLVMValueRef b,
                               const char *name)
{
    return exact(LLVMBuildAdd(e->builder, a, b, name));
}

LLVMValueRef sl_emit_mul_exact(const struct sl_emit *e, LLVMValueRef a, LLVMValueRef b,
                               const char *name)
{
    return exact(LLVMBuildMul(e->builder, a, b, name));
}

LLVMValueRef sl_emit_min(const struct sl_emit *e, LLVMValueRef a, LLVMValueRef b, const char *name)
{
    LLVMValueRef less = LLVMBuildICmp(e->builder, LLVMIntULT, a, b, "");
    return LLVMBuildSelect(e->builder, less, a, b, name);
}

static LLVMValueRef entry_alloca(const struct sl_emit *e, LLVMValueRef function, LLVMTypeRef type,
                                 unsigned align, const char *name)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(e->context);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(builder, first);
    else
        LLVMPositionBuilderAtEnd(builder, entry);
    LLVMValueRef slot = LLVMBuildAlloca(builder, type, name);
    if (align)
        LLVMSetAlignment(slot, align);
    LLVMDisposeBuilder(builder);
    return slot;
}

static unsigned own_kind(LLVMContextRef context)
{
    static const char name[] = "sl.own";
    return LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
}

bool sl_emit_is_own(LLVMValueRef variable)
{
    return LLVMGetMetadata(variable, own_kind(LLVMGetValueContext(variable)));
}

LLVMValueRef sl_emit_entry_alloca(const struct sl_emit *e, LLVMValueRef function, LLVMTypeRef type,
                                  unsigned align, const char *name)
{
    LLVMValueRef slot = entry_alloca(e, function, type, align, name);
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, NULL, 0);
    LLVMSetMetadata(slot, own_kind(e->context), LLVMMetadataAsValue(e->context, node));
    return slot;
}

LLVMValueRef sl_emit_entry_copy(const struct sl_emit *e, LLVMValueRef function, LLVMTypeRef type,
                                unsigned align, const char *name, LLVMValueRef original)
{
    LLVMValueRef slot = entry_alloca(e, function, type, align, name);
    unsigned kind = own_kind(e->context);
    if (original && sl_emit_is_own(original))
        LLVMSetMetadata(slot, kind, LLVMGetMetadata(original, kind));
    return slot;
}

void sl_emit_at_entry(const struct sl_emit *e, LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(e->builder, i);
}

LLVMValueRef sl_address_base(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
           LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

bool sl_emit_add_enum_attribute(LLVMValueRef function, LLVMAttributeIndex at, const char *name,
                                uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (!kind)
        return false;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(context, kind, value));
    return true;
}
