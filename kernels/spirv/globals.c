/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands outside of functions: types, constants (those that OpSpecConstantOp computes as
 * well), variables, and the functions' own declarations.
 */
#include <string.h>

#include "spirv/functions/function.h"
#include "spirv/functions/function_pointer.h"
#include "spirv/grammar/grammar.h"
#include "spirv/instructions/instruction.h"
#include "spirv/values/constants.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"
#include "spirv/values/variables.h"

/* ---- constants that are computed ------------------------------------------------------------- */

static bool may_fold(uint32_t opcode)
{
    return (opcode >= OpAccessChain && opcode <= OpInBoundsPtrAccessChain) ||
           (opcode >= OpVectorShuffle && opcode <= OpCompositeInsert &&
            opcode != OpCompositeConstruct) ||
           (opcode >= OpConvertFToU && opcode <= OpBitcast) ||
           (opcode >= OpSNegate && opcode <= OpBitCount);
}

/* Translated as in a function: LLVM's builder folds what has constant operands. */
static int operation(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    struct sl_spirv_instruction inner = *i;
    inner.opcode = (uint16_t)i->operands[0];
    inner.operands++;
    inner.operand_count--;
    if (!may_fold(i->operands[0]))
        return sl_spirv_fail(s, &inner, "is no operation on constants");
    if (sl_spirv_translate(s, &inner))
        return -1;
    LLVMValueRef value = s->ids[i->result].value;
    if (!value || !LLVMIsConstant(value))
        return sl_spirv_fail(s, i, "cannot be computed before the program runs");
    return 0;
}

/* ---- what stands outside of functions -------------------------------------------------------- */

static bool is_type(uint16_t opcode)
{
    return opcode != OpTypeForwardPointer && opcode != OpTypeStructContinuedINTEL &&
           !strncmp(sl_spirv_opcode_name(opcode), "OpType", 6);
}

static int declare_one(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (is_type(i->opcode))
        return sl_spirv_declare_type(s, i);
    if (i->opcode == OpVariable)
        return sl_spirv_declare_variable(s, i);
    if (i->opcode == OpUndef)
        return sl_spirv_translate(s, i);
    if (i->opcode == OpTypeStructContinuedINTEL)
        return sl_spirv_fail(s, i, "structures in pieces are not supported");
    if (i->opcode == OpSpecConstantOp)
        return operation(s, i);
    int rc = i->opcode == OpConstantFunctionPointerINTEL ? sl_spirv_function_pointer(s, i)
                                                         : sl_spirv_declare_constant(s, i);
    return rc < 0 || s->failed ? -1 : 0;
}

/* LLVM's builder wants a place even for what it folds. */
static void open_scratch(struct sl_spirv *s)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), NULL, 0, 0);
    s->scratch = LLVMAddFunction(s->module, "", type);
    LLVMPositionBuilderAtEnd(s->builder, LLVMAppendBasicBlockInContext(s->context, s->scratch, ""));
}

static void close_scratch(struct sl_spirv *s)
{
    LLVMClearInsertionPosition(s->builder);
    LLVMDeleteFunction(s->scratch);
    s->scratch = NULL;
}

static int note_entry_points(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode != OpEntryPoint)
            continue;
        if (i->operands[0] != ExecutionModelKernel)
            return sl_spirv_fail(s, i, "execution model %u is not OpenCL's", i->operands[0]);
        const struct sl_spirv_instruction *function = sl_spirv_definition(s, i->operands[1]);
        if (!function || function->opcode != OpFunction)
            return sl_spirv_fail(s, i, "id %u is no function", i->operands[1]);
        if (s->ids[i->operands[1]].entry)
            return sl_spirv_fail(s, i, "one function as two kernels is not supported");
        s->ids[i->operands[1]].entry = n + 1;
    }
    return 0;
}

/* Kernels have the right to their names. */
static int declare_functions(struct sl_spirv *s, bool kernels)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        bool known = s->ids[i->result].value != NULL; /* somebody points at it */
        if (i->opcode == OpFunction && !known && !s->ids[i->result].entry == !kernels &&
            sl_spirv_declare_function(s, i))
            return -1;
    }
    return 0;
}

static int declare_all(struct sl_spirv *s)
{
    bool outside = true;
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode == OpFunction)
            outside = false;
        else if (i->opcode == OpFunctionEnd)
            outside = true;
        else if (outside && declare_one(s, i))
            return -1;
    }
    return 0;
}

int sl_spirv_translate_globals(struct sl_spirv *s)
{
    if (note_entry_points(s))
        return -1;
    open_scratch(s);
    int rc = declare_all(s);
    if (!rc)
        close_scratch(s); /* else it goes with the module */
    if (rc || declare_functions(s, true) || declare_functions(s, false))
        return -1;
    return 0;
}
