/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Pointers are followed through variables that have nothing but them (touches.h);
 * what goes another way might be anywhere. No state. */
#include "compiler/program/doubts.h"

#include "compiler/program/touches.h"
#include "ir/calls.h"
#include "pipes/pipe.h"
#include "llvm/intrinsics.h"

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static const char *doubt_of_call(LLVMValueRef call, bool own)
{
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(sl_callee_name(call));
    if (sl_is_remark(call))
        return NULL;
    if (operation && LLVMGetNumArgOperands(call)) {
        LLVMValueRef pipe = sl_pointed_memory(LLVMGetArgOperand(call, 0));
        if (!pipe || !LLVMIsAGlobalVariable(pipe))
            return "a pipe is handed over";
    }
    if (is_pointer(call))
        return "a function gives a pointer";
    for (unsigned i = 0; own && i < LLVMGetNumArgOperands(call); i++)
        if (is_pointer(LLVMGetArgOperand(call, i)) &&
            !sl_pointed_memory(LLVMGetArgOperand(call, i)))
            return "a pointer is one of several";
    return NULL;
}

static const char *doubt_of(LLVMValueRef i, bool own)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (is_pointer(i) && !sl_is_plain_variable(LLVMGetOperand(i, 0)))
            return "a pointer is read from memory";
        return own && !sl_pointed_memory(LLVMGetOperand(i, 0)) ? "a pointer is one of several"
                                                               : NULL;
    case LLVMStore:
        return own && !sl_pointed_memory(LLVMGetOperand(i, 1)) ? "a pointer is one of several"
                                                               : NULL;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return "a pointer is a number";
    case LLVMPHI:
    case LLVMSelect:
        return is_pointer(i) ? "a pointer is one of several" : NULL;
    case LLVMCall:
        return doubt_of_call(i, own);
    default:
        return NULL;
    }
}

const char *sl_flow_doubt(LLVMValueRef function, bool own, LLVMValueRef *at)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *doubt = doubt_of(i, own);
            *at = i;
            if (doubt)
                return doubt;
        }
    return NULL;
}
