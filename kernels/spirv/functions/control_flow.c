/* SPDX-License-Identifier: Apache-2.0 */
/* See control_flow.h. */
#include "spirv/functions/control_flow.h"

#include "spirv/values/operand.h"

static LLVMBasicBlockRef target(struct sl_spirv *s, const struct sl_spirv_block *block, uint32_t k)
{
    return s->function.blocks[block->next[k]].begin;
}

/* ---- terminators ----------------------------------------------------------------------------- */

/* Weights say how often each way is taken. */
static void note_weights(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                         LLVMValueRef branch)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    if (i->operand_count < 5 || !(i->operands[3] | i->operands[4]))
        return;
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(s->context, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(word, i->operands[3], 0)),
        LLVMValueAsMetadata(LLVMConstInt(word, i->operands[4], 0)),
    };
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(s->context, "prof", 4),
                    LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, parts, 3)));
}

static int branch_if(struct sl_spirv *s, struct sl_spirv_block *block,
                     const struct sl_spirv_instruction *i)
{
    LLVMValueRef condition = sl_spirv_operand_of(s, i, 0, LLVMInt1TypeInContext(s->context));
    if (!condition)
        return -1;
    note_weights(s, i,
                 LLVMBuildCondBr(s->builder, condition, target(s, block, 0), target(s, block, 1)));
    return 0;
}

static int branch_by_number(struct sl_spirv *s, struct sl_spirv_block *block,
                            const struct sl_spirv_instruction *i)
{
    LLVMValueRef selector = sl_spirv_operand(s, i, 0);
    const struct sl_spirv_type *type = selector ? sl_spirv_type_of(s, i->operands[0]) : NULL;
    if (!type)
        return -1;
    if (type->kind != SL_SPIRV_INT)
        return sl_spirv_fail(s, i, "the selector is no integer");
    unsigned words = type->bits > 32 ? 2 : 1;
    LLVMValueRef made =
        LLVMBuildSwitch(s->builder, selector, target(s, block, 0), block->next_count - 1);
    for (uint32_t k = 1; k < block->next_count; k++) {
        const uint32_t *literal = i->operands + 2 + (k - 1) * (words + 1);
        uint64_t number = literal[0] | (words > 1 ? (uint64_t)literal[1] << 32 : 0);
        if (type->bits < 64)
            number &= ((uint64_t)1 << type->bits) - 1;
        LLVMAddCase(made, LLVMConstInt(type->llvm, number, 0), target(s, block, k));
    }
    return 0;
}

static int give_back(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(s->function.value));
    bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    if (nothing != (i->opcode == OpReturn))
        return sl_spirv_fail(s, i, "the function returns %s", nothing ? "nothing" : "a value");
    LLVMValueRef value = nothing ? NULL : sl_spirv_operand_of(s, i, 0, type);
    if (!nothing && !value)
        return -1;
    if (nothing)
        LLVMBuildRetVoid(s->builder);
    else
        LLVMBuildRet(s->builder, value);
    return 0;
}

int sl_spirv_terminate(struct sl_spirv *s, struct sl_spirv_block *block,
                       const struct sl_spirv_instruction *i)
{
    block->out = LLVMGetInsertBlock(s->builder);
    switch (i->opcode) {
    case OpBranch:
        LLVMBuildBr(s->builder, target(s, block, 0));
        return 0;
    case OpBranchConditional:
        return branch_if(s, block, i);
    case OpSwitch:
        return branch_by_number(s, block, i);
    case OpReturn:
    case OpReturnValue:
        return give_back(s, i);
    case OpUnreachable:
        LLVMBuildUnreachable(s->builder);
        return 0;
    }
    return sl_spirv_fail(s, i, "is not OpenCL's");
}

/* ---- phis ------------------------------------------------------------------------------------ */

int sl_spirv_phi(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (!type)
        return -1;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(s->builder);
    LLVMValueRef last = LLVMGetLastInstruction(here);
    if (type->kind == SL_SPIRV_VOID || (last && !LLVMIsAPHINode(last)))
        return sl_spirv_fail(s, i, last ? "stands behind other instructions" : "has no value");
    if (i->operand_count % 2)
        return sl_spirv_fail(s, i, "has a value without a block");
    return sl_spirv_define(s, i, LLVMBuildPhi(s->builder, type->llvm, ""));
}

/* A value for each edge of LLVM's; what is said of blocks that do not lead here says nothing. */
static int finish_phi(struct sl_spirv *s, const struct sl_spirv_block *block,
                      const struct sl_spirv_instruction *i)
{
    struct sl_spirv_function *f = &s->function;
    LLVMValueRef phi = s->ids[i->result].value;
    for (unsigned k = 0; k < i->operand_count; k += 2) {
        uint32_t from = s->ids[i->operands[k + 1]].block;
        if (from && from <= f->block_count && f->blocks[from - 1].label == i->operands[k + 1])
            f->blocks[from - 1].incoming = i->operands[k];
    }
    for (uint32_t k = 0; k < block->before_count; k++) {
        struct sl_spirv_block *from = &f->blocks[block->before[k]];
        if (!from->incoming)
            return sl_spirv_fail(s, i, "says nothing of the block %u before it", from->label);
        LLVMPositionBuilderBefore(s->builder, LLVMGetBasicBlockTerminator(from->out));
        LLVMValueRef value = sl_spirv_value(s, from->incoming);
        if (!value || LLVMTypeOf(value) != LLVMTypeOf(phi))
            return sl_spirv_fail(s, i, "id %u is of another type", from->incoming);
        LLVMAddIncoming(phi, &value, &from->out, 1);
    }
    for (unsigned k = 0; k < i->operand_count; k += 2)
        if (s->ids[i->operands[k + 1]].block && s->ids[i->operands[k + 1]].block <= f->block_count)
            f->blocks[s->ids[i->operands[k + 1]].block - 1].incoming = 0;
    return 0;
}

int sl_spirv_finish_phis(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    for (uint32_t o = 0; o < f->order_count; o++) {
        const struct sl_spirv_block *block = &f->blocks[f->order[o]];
        for (uint32_t n = block->first; n < block->end; n++)
            if (s->instructions[n].opcode == OpPhi && finish_phi(s, block, &s->instructions[n]))
                return -1;
    }
    return 0;
}
