/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sine and cosine of the same angle, as rotations and transforms have them, share the reduction of
 * the angle, and most of what comes behind it. Done before builtins are linked, while they are
 * calls; a function that has both is made simple enough to see that the angle is the same one. All
 * code of a program is made behind this, so that quick code and the best code take the same values.
 */
#include "compiler/builtins/builtin_name.h"
#include "compiler/builtins/library.h"
#include "llvm/run_passes.h"

#include <stdio.h>
#include <string.h>

/* What a call computes, as bits. */
enum { NEITHER = 0, SIN = 1, COS = 2 };

static int what(LLVMValueRef instruction, struct sl_builtin_name *name)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) ||
        !sl_builtin_name_split(LLVMGetValueName(callee), name))
        return NEITHER;
    return sl_builtin_is_named(name, "sin")   ? SIN
           : sl_builtin_is_named(name, "cos") ? COS
                                              : NEITHER;
}

static bool has_both(LLVMValueRef function)
{
    struct sl_builtin_name name;
    int seen = NEITHER;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            seen |= what(i, &name);
    return seen == (SIN | COS);
}

/* sincos of these parameters, its cosine to private memory; NULL: there is none. */
static LLVMValueRef sincos_of(const struct sl_library *lib, LLVMValueRef call,
                              const char *parameters)
{
    char name[64];
    int written = snprintf(name, sizeof name, "_Z6sincos%sP%s", parameters,
                           parameters[0] == 'D' ? "S_" : parameters);
    if (written >= (int)sizeof name || !sl_library_has(lib, name))
        return NULL;
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetCalledValue(call));
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    if (known)
        return known;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMTypeRef types[] = {type, LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0)};
    return LLVMAddFunction(module, name, LLVMFunctionType(type, types, 2, 0));
}

static void join(LLVMBuilderRef builder, LLVMValueRef sincos, LLVMValueRef first,
                 LLVMValueRef second, bool sine_first)
{
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(first));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef cosine = LLVMBuildAlloca(builder, type, "cosine");
    LLVMPositionBuilderBefore(builder, first); /* takes its place in the source, too */
    LLVMValueRef arguments[] = {LLVMGetOperand(first, 0), cosine};
    LLVMValueRef sin =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(sincos), sincos, arguments, 2, "");
    LLVMSetFastMathFlags(sin, LLVMGetFastMathFlags(first) & LLVMGetFastMathFlags(second));
    LLVMValueRef cos = LLVMBuildLoad2(builder, type, cosine, "");
    LLVMReplaceAllUsesWith(first, sine_first ? sin : cos);
    LLVMReplaceAllUsesWith(second, sine_first ? cos : sin);
    LLVMInstructionEraseFromParent(first);
    LLVMInstructionEraseFromParent(second);
}

/* The other one of the same angle in the block, which is behind `first`: in front of it, it would
 * have found its own. Constants, which everybody shares, fold later. */
static LLVMValueRef partner(LLVMValueRef first, int of_first)
{
    struct sl_builtin_name name;
    LLVMValueRef angle = LLVMGetOperand(first, 0);
    if (LLVMIsAConstant(angle))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(angle); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef other = LLVMGetUser(u);
        if (LLVMIsAInstruction(other) &&
            LLVMGetInstructionParent(other) == LLVMGetInstructionParent(first) &&
            (what(other, &name) | of_first) == (SIN | COS) &&
            LLVMTypeOf(other) == LLVMTypeOf(first))
            return other;
    }
    return NULL;
}

static void pair_in(const struct sl_library *lib, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        struct sl_builtin_name name;
        int of_this = what(i, &name);
        LLVMValueRef sincos, other = of_this ? partner(i, of_this) : NULL;
        next = LLVMGetNextInstruction(i);
        if (!other || !(sincos = sincos_of(lib, i, name.parameters)))
            continue;
        if (next == other)
            next = LLVMGetNextInstruction(other);
        join(builder, sincos, i, other, of_this == SIN);
    }
}

int sl_library_pair(const struct sl_library *lib, LLVMModuleRef module,
                    LLVMTargetMachineRef machine, char **error)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    *error = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !*error; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !has_both(f))
            continue;
        *error = sl_llvm_run_on_function(f, machine, "sroa,early-cse");
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !*error;
             b = LLVMGetNextBasicBlock(b))
            pair_in(lib, builder, b);
    }
    LLVMDisposeBuilder(builder);
    return *error ? -1 : 0;
}
