/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels of a program built with -cl-denorms-are-zero may run with the processor set to
 * flush denormal numbers. The mode is the same for float and double, and double keeps its
 * denormals: a kernel that computes with doubles anywhere is left alone. No shared state.
 */
#include "passes/stages.h"

#include "ir/map.h"
#include "ir/memory.h"
#include <string.h>

static bool is_double(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool has_double_operand(LLVMValueRef i)
{
    int count = LLVMGetNumOperands(i);
    for (int k = 0; k < count; k++)
        if (is_double(LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

/* Loads, copies and conversions from and to float do not count: they see no denormal double. */
static bool computes_with_double(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFCmp:
    case LLVMAtomicRMW:
        return has_double_operand(i);
    case LLVMCall: /* of an intrinsic; other functions are looked into */
        return LLVMGetIntrinsicID(LLVMGetCalledValue(i)) && has_double_operand(i);
    default:
        return false;
    }
}

struct walk {
    struct sl_map seen;
    struct sl_list open; /* functions yet to be looked into */
};

static void reach(struct walk *walk, LLVMValueRef function)
{
    if (!LLVMIsAFunction(function) || sl_map_get(&walk->seen, function))
        return;
    sl_map_set(&walk->seen, function, function);
    sl_list_add(&walk->open, function);
}

static bool look_into(struct walk *walk, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (computes_with_double(i))
                return true;
            if (LLVMIsACallInst(i))
                reach(walk, LLVMGetCalledValue(i));
        }
    return false;
}

static bool uses_double(LLVMValueRef kernel)
{
    struct walk walk = {0};
    bool found = false;
    reach(&walk, kernel);
    while (walk.open.count && !found)
        found = look_into(&walk, walk.open.items[--walk.open.count]);
    sl_map_finish(&walk.seen);
    sl_list_finish(&walk.open);
    return found;
}

int sl_pass_denormals(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        LLVMValueRef kernel = pass->kernels[k].kernel;
        if (LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          SL_FLUSH_ATTRIBUTE, strlen(SL_FLUSH_ATTRIBUTE)) &&
            !uses_double(kernel))
            pass->kernels[k].flags |= SL_KERNEL_FLUSH_DENORMALS;
    }
    return 0;
}
