/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -cl-denorms-are-zero: kernels remember it from their compilation on, through objects and
 * libraries. What comes of it is decided when all code is together (passes/denormals.c). No locks.
 */
#include <string.h>

#include "compiler/stage/stage.h"
#include "llvm/llvm_extra.h"

int sl_stage_denormals(struct sl_stages *stages)
{
    const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const char *name = SL_FLUSH_ATTRIBUTE;
    LLVMAttributeRef flush =
        LLVMCreateStringAttribute(stages->context, name, (unsigned)strlen(name), "", 0);
    LLVMValueRef f = stages->options.flush_denormals ? LLVMGetFirstFunction(stages->module) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        if (LLVMGetStringAttributeAtIndex(f, whole, SL_KERNEL_ATTRIBUTE,
                                          sizeof SL_KERNEL_ATTRIBUTE - 1))
            LLVMAddAttributeAtIndex(f, whole, flush);
    return 0;
}
