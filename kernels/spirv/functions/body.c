/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of functions, block by block in an order that has values before their uses. */
#include "spirv/functions/control_flow.h"
#include "spirv/functions/function.h"
#include "spirv/instructions/instruction.h"
#include "spirv/instructions/matrix.h"
#include "spirv/module/debug_lines.h"
#include "spirv/values/operand.h"

/* ---- one function ---------------------------------------------------------------------------- */

static int take_parameters(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    bool kernel = LLVMGetFunctionCallConv(f->value) == LLVMSPIRKERNELCallConv;
    unsigned index = 0;
    for (uint32_t n = f->first; n < f->end && s->instructions[n].opcode != OpLabel; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode != OpFunctionParameter)
            continue;
        const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
        LLVMValueRef value = LLVMGetParam(f->value, index++);
        if (type && sl_spirv_is_by_reference(type, kernel))
            value = LLVMBuildLoad2(s->builder, type->memory, value, "");
        if (!type || sl_spirv_define(s, i, value))
            return -1;
    }
    return 0;
}

static void open_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    for (uint32_t o = 0; o < f->order_count; o++)
        f->blocks[f->order[o]].begin = LLVMAppendBasicBlockInContext(s->context, f->value, "");
}

static int translate_block(struct sl_spirv *s, struct sl_spirv_block *block)
{
    LLVMPositionBuilderAtEnd(s->builder, block->begin);
    sl_spirv_forget_line(s);
    for (uint32_t n = block->first; n < block->end; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        sl_spirv_number_line(s, i);
        bool ends = i->opcode >= OpBranch && i->opcode <= OpUnreachable;
        /* The others are checked where they are translated, as constants are. */
        if ((ends || i->opcode == OpPhi) && sl_spirv_check_matrices(s, i))
            return -1;
        int rc = ends                 ? sl_spirv_terminate(s, block, i)
                 : i->opcode == OpPhi ? sl_spirv_phi(s, i)
                                      : sl_spirv_translate(s, i);
        if (rc)
            return -1;
        if (ends)
            return 0;
    }
    return sl_spirv_fail(s, &s->instructions[block->end - 1], "does not end its block");
}

/* LLVM's first block holds the variables and leads to SPIR-V's. */
static int translate_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    f->entry = LLVMAppendBasicBlockInContext(s->context, f->value, "entry");
    open_blocks(s);
    LLVMPositionBuilderAtEnd(s->builder, f->entry);
    if (take_parameters(s))
        return -1;
    LLVMBuildBr(s->builder, f->blocks[0].begin);
    for (uint32_t o = 0; o < f->order_count; o++)
        if (translate_block(s, &f->blocks[f->order[o]]))
            return -1;
    return sl_spirv_finish_phis(s) || sl_spirv_note_loops(s) ? -1 : 0;
}

static int translate_function(struct sl_spirv *s, uint32_t first, uint32_t end)
{
    const struct sl_spirv_instruction *i = &s->instructions[first];
    s->function = (struct sl_spirv_function){
        .value = s->ids[i->result].value, .id = i->result, .first = first + 1, .end = end};
    if (sl_spirv_find_blocks(s) || sl_spirv_begin_lines(s, first))
        return -1;
    return translate_blocks(s);
}

/* ---- all of them ----------------------------------------------------------------------------- */

int sl_spirv_translate_functions(struct sl_spirv *s)
{
    uint32_t first = 0;
    bool has_body = false;
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        uint16_t opcode = s->instructions[n].opcode;
        if (opcode == OpFunction)
            first = n, has_body = false;
        has_body |= opcode == OpLabel;
        if (opcode == OpFunctionEnd && has_body && translate_function(s, first, n))
            return -1;
    }
    s->function = (struct sl_spirv_function){0};
    return 0;
}
