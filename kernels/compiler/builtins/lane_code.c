/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No state. */
#include "compiler/builtins/lane_code.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char estimate[] = "_Z13sl_lane_rsqrt";

/* Of one element: the instruction is one of the lowest element of a register. */
static LLVMValueRef estimate_of(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef x)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    bool is_float = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMFloatTypeKind;
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(x), is_float ? 4 : 2);
    LLVMValueRef first = LLVMConstInt(LLVMInt32TypeInContext(context), 0, false);
    LLVMValueRef none = LLVMConstNull(type), whole = LLVMBuildInsertElement(b, none, x, first, "");
    LLVMValueRef args[] = {whole, whole, none,
                           LLVMConstInt(LLVMInt8TypeInContext(context), 1, false)};
    char name[48];
    snprintf(name, sizeof name, "llvm.x86.avx512.rsqrt14.%s", is_float ? "ss" : "sd");
    LLVMValueRef callee =
        LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
    LLVMValueRef found = LLVMBuildCall2(b, LLVMGlobalGetValueType(callee), callee, args, 4, "");
    return LLVMBuildExtractElement(b, found, first, "");
}

static LLVMValueRef estimates(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x), i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return estimate_of(b, module, x);
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
        LLVMValueRef at = LLVMConstInt(i32, k, false);
        LLVMValueRef one = estimate_of(b, module, LLVMBuildExtractElement(b, x, at, ""));
        all = LLVMBuildInsertElement(b, all, one, at, "");
    }
    return all;
}

void sl_lane_code(LLVMModuleRef builtins)
{
    LLVMContextRef context = LLVMGetModuleContext(builtins);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(builtins); f; f = LLVMGetNextFunction(f)) {
        size_t bytes;
        if (strncmp(LLVMGetValueName2(f, &bytes), estimate, sizeof estimate - 1) ||
            LLVMCountBasicBlocks(f) != 1)
            continue;
        LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(f);
        LLVMPositionBuilderAtEnd(b, LLVMInsertBasicBlockInContext(context, old, ""));
        LLVMBuildRet(b, estimates(b, builtins, LLVMGetParam(f, 0)));
        LLVMDeleteBasicBlock(old);
    }
    LLVMDisposeBuilder(b);
}
