/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores, copies of memory and the lives of variables. */
#include "spirv/instructions/instruction.h"

#include <string.h>

#include "spirv/module/module.h"
#include "spirv/values/constants.h"
#include "spirv/values/large.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"
#include "spirv/values/variables.h"

struct access { /* what memory operands say */
    uint32_t mask;
    unsigned alignment; /* 0: as the type has it */
};

/* `at` moves behind them. */
static int read_access(struct sl_spirv *s, const struct sl_spirv_instruction *i, unsigned *at,
                       struct access *out)
{
    *out = (struct access){0};
    if (*at >= i->operand_count)
        return 0;
    out->mask = i->operands[(*at)++];
    if (out->mask & MemoryAccessAlignedMask &&
        sl_spirv_take_alignment(s, i, sl_spirv_literal(i, (*at)++), &out->alignment))
        return -1;
    for (uint32_t rest = out->mask >> 3; rest; rest &= rest - 1)
        *at += !(rest & -rest & MemoryAccessNonPrivatePointerMask >> 3);
    return 0;
}

static void mark(struct sl_spirv *s, LLVMValueRef access, const struct access *said)
{
    if (said->alignment)
        LLVMSetAlignment(access, said->alignment);
    if (said->mask & MemoryAccessVolatileMask)
        LLVMSetVolatile(access, 1);
    if (said->mask & MemoryAccessNontemporalMask) {
        LLVMMetadataRef one =
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(s->context), 1, 0));
        LLVMSetMetadata(access, LLVMGetMDKindIDInContext(s->context, "nontemporal", 11),
                        LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, &one, 1)));
    }
}

static int load(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_instruction *sampler = sl_spirv_held_sampler(s, i->operands[0]);
    struct access access;
    unsigned at = 1;
    if (sampler && !s->failed)
        return sl_spirv_define(s, i, sl_spirv_literal_sampler(s, sampler)) ? -1 : 1;
    if (sl_spirv_loads_work_item(s, i))
        return 1;
    LLVMValueRef pointer = type ? sl_spirv_pointer_operand(s, i, 0) : NULL;
    if (!pointer || read_access(s, i, &at, &access))
        return -1;
    if (!sl_spirv_is_sized(type))
        return sl_spirv_fail(s, i, "its type has no size");
    if (sl_spirv_is_large(type))
        return sl_spirv_load_large(
                   s, i, type,
                   (struct sl_spirv_copy){.from = pointer,
                                          .from_alignment = access.alignment,
                                          .is_volatile = access.mask & MemoryAccessVolatileMask})
                   ? -1
                   : 1;
    LLVMValueRef value = LLVMBuildLoad2(s->builder, type->memory, pointer, "");
    mark(s, value, &access);
    return sl_spirv_define(s, i, sl_spirv_from_memory(s, type, value)) ? -1 : 1;
}

static int store(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMValueRef pointer = sl_spirv_pointer_operand(s, i, 0);
    const struct sl_spirv_type *type = pointer ? sl_spirv_type_of(s, i->operands[1]) : NULL;
    struct access access;
    unsigned at = 2;
    if (!type || read_access(s, i, &at, &access))
        return -1;
    int rc = sl_spirv_store_as_bytes(
        s, i->operands[1],
        (struct sl_spirv_copy){.to = pointer,
                               .to_alignment = access.alignment,
                               .is_volatile = access.mask & MemoryAccessVolatileMask});
    LLVMValueRef value = rc ? NULL : sl_spirv_operand(s, i, 1);
    if (!value)
        return rc ? rc : -1;
    if (!sl_spirv_is_sized(type) || LLVMTypeOf(value) != type->llvm)
        return sl_spirv_fail(s, i, "nothing of this type can be stored");
    LLVMValueRef made = LLVMBuildStore(s->builder, sl_spirv_to_memory(s, type, value), pointer);
    mark(s, made, &access);
    return 1;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static const struct sl_spirv_type *pointee(struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_type *pointer = sl_spirv_type_of(s, id);
    const struct sl_spirv_type *type =
        pointer && pointer->kind == SL_SPIRV_POINTER ? sl_spirv_type(s, pointer->element) : NULL;
    return type && sl_spirv_is_sized(type) ? type : NULL;
}

/* A constant size of nothing copies nothing. */
static int copy_bytes(struct sl_spirv *s, const struct sl_spirv_instruction *i, LLVMValueRef size,
                      unsigned at)
{
    struct access to, from;
    LLVMValueRef target = sl_spirv_pointer_operand(s, i, 0);
    LLVMValueRef source = target ? sl_spirv_pointer_operand(s, i, 1) : NULL;
    if (!source || read_access(s, i, &at, &to))
        return -1;
    from = to; /* the only one speaks of both */
    if (at < i->operand_count && read_access(s, i, &at, &from))
        return -1;
    struct sl_spirv_copy copy = {
        .to = target,
        .from = source,
        .to_alignment = to.alignment,
        .from_alignment = from.alignment,
        .is_volatile = (to.mask | from.mask) & MemoryAccessVolatileMask,
    };
    sl_spirv_copy_bytes(s, &copy, size);
    return 1;
}

static int copy_object(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *target = pointee(s, i->operands[0]);
    const struct sl_spirv_type *source = target ? pointee(s, i->operands[1]) : NULL;
    if (!source || target->memory != source->memory)
        return sl_spirv_fail(s, i, "the pointers are not to one type with a size");
    LLVMTypeRef word = LLVMInt64TypeInContext(s->context);
    return copy_bytes(s, i, LLVMConstInt(word, target->bytes, 0), 2);
}

static int copy_sized(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMValueRef size = sl_spirv_operand(s, i, 2);
    if (!size)
        return -1;
    if (LLVMGetTypeKind(LLVMTypeOf(size)) != LLVMIntegerTypeKind)
        return sl_spirv_fail(s, i, "the size is no integer");
    LLVMTypeRef word = LLVMInt64TypeInContext(s->context);
    return copy_bytes(s, i, LLVMBuildIntCast2(s->builder, size, word, 0, ""), 3);
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* LLVM hears of variables only; of what else a pointer leads to it needs no word. */
static int lifetime(struct sl_spirv *s, const struct sl_spirv_instruction *i, const char *name)
{
    LLVMValueRef pointer = sl_spirv_pointer_operand(s, i, 0);
    if (!pointer)
        return -1;
    if (!LLVMIsAAllocaInst(pointer))
        return 1;
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMTypeOf(pointer);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, &type, 1);
    LLVMBuildCall2(s->builder, LLVMIntrinsicGetType(s->context, id, &type, 1), function, &pointer,
                   1, "");
    return 1;
}

int sl_spirv_memory(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpVariable:
        return sl_spirv_local_variable(s, i) ? -1 : 1;
    case OpLoad:
        return load(s, i);
    case OpStore:
        return store(s, i);
    case OpCopyMemory:
        return copy_object(s, i);
    case OpCopyMemorySized:
        return copy_sized(s, i);
    case OpLifetimeStart:
        return lifetime(s, i, "llvm.lifetime.start");
    case OpLifetimeStop:
        return lifetime(s, i, "llvm.lifetime.end");
    }
    return 0;
}
