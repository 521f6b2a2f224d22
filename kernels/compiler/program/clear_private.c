/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_initialize_memory: variables of work-items hold zeros from where their lives begin, in all
 * code of a program whatever it came from, and so do values that nobody gave. Done before anything
 * else may take them for whatever suits it. No locks.
 */
#include <string.h>

#include "compiler/stage/stage.h"

#include "llvm/intrinsics.h"

struct clearing {
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
};

/* Samplers, images, events: handles, which nobody reads as bytes. */
static bool is_handle(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
            if (is_handle(LLVMStructGetTypeAtIndex(type, k)))
                return true;
    return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind;
}

/* Variables stay together at a function's beginning. */
static void clear(const struct clearing *c, LLVMValueRef variable, LLVMValueRef behind)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMValueRef at = LLVMGetNextInstruction(behind);
    while (LLVMGetInstructionOpcode(at) == LLVMAlloca)
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(c->builder, at);
    uint64_t bytes = LLVMABISizeOfType(c->layout, type);
    LLVMBuildMemSet(c->builder, variable, LLVMConstNull(LLVMInt8TypeInContext(context)),
                    LLVMConstInt(LLVMInt64TypeInContext(context), bytes, 0),
                    LLVMGetAlignment(variable));
}

/* At each beginning of its life, which may be in a loop; without one at the function's. */
static void clear_variable(const struct clearing *c, LLVMValueRef variable)
{
    bool begins = false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME_START)) {
            begins = true;
            clear(c, variable, user);
        }
    }
    if (!begins)
        clear(c, variable, variable);
}

/* Which is of a variable, or of poison and nothing else. */
static bool is_lifetime(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMGetIntrinsicID(callee) &&
           !strncmp(LLVMGetValueName(callee), "llvm.lifetime.", strlen("llvm.lifetime."));
}

static void give_values(LLVMValueRef i)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        if (LLVMIsAUndefValue(operand) && !is_handle(LLVMTypeOf(operand)) &&
            LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMMetadataTypeKind)
            LLVMSetOperand(i, k, LLVMConstNull(LLVMTypeOf(operand)));
    }
}

static void clear_function(const struct clearing *c, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_lifetime(i))
                give_values(i);
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca && !is_handle(LLVMGetAllocatedType(i)))
                clear_variable(c, i);
        }
}

int sl_stage_clear_private(struct sl_stages *stages)
{
    if (!stages->options.clear_private)
        return 0;
    const struct clearing c = {LLVMCreateBuilderInContext(stages->context),
                               LLVMGetModuleDataLayout(stages->module)};
    LLVMValueRef f = LLVMGetFirstFunction(stages->module);
    for (; f; f = LLVMGetNextFunction(f))
        clear_function(&c, f);
    LLVMDisposeBuilder(c.builder);
    return 0;
}
