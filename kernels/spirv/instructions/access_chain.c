/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers into arrays, structures and vectors. */
#include "spirv/instructions/instruction.h"

#include "spirv/module/module.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"

struct chain {
    const struct sl_spirv_type *type; /* of what the pointer leads to so far */
    LLVMValueRef *indices;
    unsigned count;
};

/* LLVM wants a structure's members as numbers of 32 bits. `index`: NULL where there is none to add.
 */
static int step_into(struct sl_spirv *s, const struct sl_spirv_instruction *i, uint32_t id,
                     LLVMValueRef *index, struct chain *chain)
{
    uint64_t member = 0;
    uint32_t inner = chain->type->element;
    switch (chain->type->kind) {
    case SL_SPIRV_STRUCT:
        if (sl_spirv_number(s, id, &member))
            return -1;
        if (member >= chain->type->count)
            return sl_spirv_fail(s, i, "there is no member %llu", (unsigned long long)member);
        *index = LLVMConstInt(LLVMInt32TypeInContext(s->context), member, 0);
        inner = chain->type->members[member];
        break;
    case SL_SPIRV_MATRIX:
        if (chain->type->count == 1)
            *index = NULL; /* the number is where the matrix is */
        break;
    case SL_SPIRV_ARRAY:
    case SL_SPIRV_VECTOR:
        break;
    default:
        return sl_spirv_fail(s, i, "has an index into what has no parts");
    }
    chain->type = sl_spirv_type(s, inner);
    return chain->type ? 0 : -1;
}

static int add_index(struct sl_spirv *s, const struct sl_spirv_instruction *i, unsigned operand,
                     bool steps, struct chain *chain)
{
    LLVMValueRef index = sl_spirv_operand(s, i, operand);
    if (!index)
        return -1;
    if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
        return sl_spirv_fail(s, i, "operand %u is no integer", operand + 1);
    if (steps && step_into(s, i, i->operands[operand], &index, chain))
        return -1;
    if (index)
        chain->indices[chain->count++] = index;
    return 0;
}

static int access_chain(struct sl_spirv *s, const struct sl_spirv_instruction *i, bool has_element,
                        bool in_bounds)
{
    LLVMValueRef base = sl_spirv_pointer_operand(s, i, 0);
    const struct sl_spirv_type *pointer = base ? sl_spirv_type_of(s, i->operands[0]) : NULL;
    struct chain chain = {
        .type = pointer ? sl_spirv_type(s, pointer->element) : NULL,
        .indices = sl_spirv_allocate(s, i->operand_count + 1u, sizeof *chain.indices),
    };
    if (!chain.type || !chain.indices)
        return -1;
    const struct sl_spirv_type *whole = chain.type;
    if (!sl_spirv_is_sized(whole))
        return sl_spirv_fail(s, i, "the pointer leads to what has no size");
    if (!has_element)
        chain.indices[chain.count++] = LLVMConstNull(LLVMInt32TypeInContext(s->context));
    for (unsigned k = 1; k < i->operand_count; k++)
        if (add_index(s, i, k, !has_element || k > 1, &chain))
            return -1;
    LLVMValueRef value =
        in_bounds
            ? LLVMBuildInBoundsGEP2(s->builder, whole->memory, base, chain.indices, chain.count, "")
            : LLVMBuildGEP2(s->builder, whole->memory, base, chain.indices, chain.count, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

int sl_spirv_access_chain(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpAccessChain:
        return access_chain(s, i, false, false);
    case OpInBoundsAccessChain:
        return access_chain(s, i, false, true);
    case OpPtrAccessChain:
        return access_chain(s, i, true, false);
    case OpInBoundsPtrAccessChain:
        return access_chain(s, i, true, true);
    }
    return 0;
}
