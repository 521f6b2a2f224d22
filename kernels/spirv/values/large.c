/* SPDX-License-Identifier: Apache-2.0 */
/* See large.h. */
#include "spirv/values/large.h"

#include "spirv/values/operand.h"
#include "spirv/values/types.h"
#include "spirv/values/variables.h"

enum { LARGE_BYTES = 256 };

static bool has_parts(const struct sl_spirv_type *type)
{
    return type->kind == SL_SPIRV_ARRAY || type->kind == SL_SPIRV_STRUCT;
}

bool sl_spirv_is_large(const struct sl_spirv_type *type)
{
    return has_parts(type) && type->bytes > LARGE_BYTES;
}

static LLVMValueRef base_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsACastInst(address) ||
           (LLVMIsAConstantExpr(address) && LLVMGetNumOperands(address) > 0))
        address = LLVMGetOperand(address, 0);
    return address;
}

/* The specification has no copies that overlap, but clang writes its moves as such: an array whose
 * elements go to their neighbours. */
void sl_spirv_copy_bytes(struct sl_spirv *s, const struct sl_spirv_copy *copy, LLVMValueRef bytes)
{
    unsigned to = copy->to_alignment ? copy->to_alignment : 1;
    unsigned from = copy->from_alignment ? copy->from_alignment : 1;
    LLVMValueRef call = base_of(copy->to) == base_of(copy->from)
                            ? LLVMBuildMemMove(s->builder, copy->to, to, copy->from, from, bytes)
                            : LLVMBuildMemCpy(s->builder, copy->to, to, copy->from, from, bytes);
    if (copy->is_volatile)
        LLVMSetOperand(call, 3, LLVMConstInt(LLVMInt1TypeInContext(s->context), 1, 0));
}

static LLVMValueRef size_of(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    return LLVMConstInt(LLVMInt64TypeInContext(s->context), type->bytes, 0);
}

int sl_spirv_load_large(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                        const struct sl_spirv_type *type, struct sl_spirv_copy copy)
{
    unsigned natural = sl_spirv_alignment(s, type);
    copy.to = sl_spirv_frame_slot(s, type->memory);
    copy.to_alignment = natural;
    if (!copy.from_alignment)
        copy.from_alignment = natural;
    sl_spirv_copy_bytes(s, &copy, size_of(s, type));
    s->ids[i->result].place = copy.to;
    return 0;
}

/* A constant of the module's, to copy from. */
static LLVMValueRef as_global(struct sl_spirv *s, LLVMValueRef value)
{
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(s->module, LLVMTypeOf(value), "", 2);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetInitializer(global, value);
    return global;
}

int sl_spirv_store_as_bytes(struct sl_spirv *s, uint32_t id, struct sl_spirv_copy copy)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(s, id);
    LLVMValueRef value = s->ids[id].value, place = s->ids[id].place;
    if (!type || !has_parts(type))
        return type ? 0 : -1;
    unsigned natural = sl_spirv_alignment(s, type);
    copy.from_alignment = natural;
    if (!copy.to_alignment)
        copy.to_alignment = natural;
    if (!place && value && LLVMIsNull(value) && !copy.is_volatile) {
        LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(s->context));
        LLVMBuildMemSet(s->builder, copy.to, zero, size_of(s, type), copy.to_alignment);
        return 1;
    }
    if (!sl_spirv_is_large(type) || (!place && !(value && LLVMIsConstant(value))))
        return 0;
    if (!place && LLVMIsUndef(value))
        return 1;
    copy.from = place ? place : as_global(s, value);
    if (!place)
        LLVMSetAlignment(copy.from, natural);
    sl_spirv_copy_bytes(s, &copy, size_of(s, type));
    return 1;
}

LLVMValueRef sl_spirv_extract_large(struct sl_spirv *s, uint32_t id,
                                    const struct sl_spirv_instruction *i)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    const struct sl_spirv_type *type = sl_spirv_type_of(s, id);
    LLVMValueRef at = s->ids[id].place;
    if (!at || !type || i->operand_count < 2)
        return NULL;
    for (unsigned k = 1; k < i->operand_count; k++) {
        if (type->kind != SL_SPIRV_ARRAY && type->kind != SL_SPIRV_STRUCT)
            return NULL; /* a lane: of the whole */
        if (i->operands[k] >= type->count)
            return NULL;
        LLVMValueRef indices[] = {LLVMConstNull(word), LLVMConstInt(word, i->operands[k], 0)};
        at = LLVMBuildInBoundsGEP2(s->builder, type->memory, at, indices, 2, "");
        type = sl_spirv_type(s, type->kind == SL_SPIRV_STRUCT ? type->members[i->operands[k]]
                                                              : type->element);
        if (!type)
            return NULL;
    }
    LLVMValueRef part = LLVMBuildLoad2(s->builder, type->memory, at, "");
    return sl_spirv_from_memory(s, type, part);
}
