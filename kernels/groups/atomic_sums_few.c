/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of atomic_sums.h whose places are few: a histogram of bytes has 256 counters from an
 * argument on. The thread's table is an array of them then, and an addition goes to its own place
 * there, without a question. No shared state.
 */
#include "groups/atomic_sums.h"

#include "groups/stages.h"
#include "llvm/intrinsics.h"

#include <llvm-c/Target.h>

enum { DEEPEST = 8, MOST_ENTRIES = 1024, UNLIKELY = 1 << 24 };

/* ---- how large a number may be --------------------------------------------------------------- */

static uint64_t ones(LLVMTypeRef integer)
{
    unsigned width = LLVMGetIntTypeWidth(integer);
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static uint64_t most(LLVMValueRef value, unsigned depth);

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most_of_call(LLVMValueRef call, unsigned depth)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    uint64_t all = ones(LLVMTypeOf(call));
    bool least = row && row->bound == SL_BOUND_MIN, sign = row && row->flags & SL_INTRINSIC_SIGNED;
    if (!least && !(sign && row->bound == SL_BOUND_MAX))
        return all;
    uint64_t a = most(LLVMGetOperand(call, 0), depth), b = most(LLVMGetOperand(call, 1), depth);
    if (!sign)
        return smaller(a, b);
    bool positive_a = a <= all >> 1, positive_b = b <= all >> 1;
    if (least) /* a negative one is larger than any other */
        return positive_a && positive_b ? smaller(a, b) : all;
    return positive_a && positive_b ? (a > b ? a : b) : positive_a || positive_b ? all >> 1 : all;
}

static uint64_t most_of_binary(LLVMValueRef i, unsigned depth)
{
    uint64_t a = most(LLVMGetOperand(i, 0), depth), b = most(LLVMGetOperand(i, 1), depth);
    bool constant = LLVMIsAConstantInt(LLVMGetOperand(i, 1)), few = a < UNLIKELY && b < UNLIKELY;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAnd:
        return smaller(a, b);
    case LLVMLShr:
        return constant && b < 64 ? a >> b : a;
    case LLVMUDiv:
        return constant && b ? a / b : a;
    case LLVMURem:
        return constant && b ? smaller(a, b - 1) : a;
    case LLVMAdd:
    case LLVMOr: /* not more than the sum */
        return few ? a + b : UINT64_MAX;
    case LLVMMul:
        return few ? a * b : UINT64_MAX;
    case LLVMShl:
        return few && constant && b < 32 ? a << b : UINT64_MAX;
    default:
        return UINT64_MAX;
    }
}

static uint64_t most_of(LLVMValueRef i, unsigned depth)
{
    uint64_t a, b;
    if (LLVMIsABinaryOperator(i))
        return most_of_binary(i, depth);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
    case LLVMTrunc:
        return most(LLVMGetOperand(i, 0), depth);
    case LLVMSExt:
        a = most(LLVMGetOperand(i, 0), depth);
        return a <= ones(LLVMTypeOf(LLVMGetOperand(i, 0))) >> 1 ? a : UINT64_MAX;
    case LLVMSelect:
        a = most(LLVMGetOperand(i, 1), depth), b = most(LLVMGetOperand(i, 2), depth);
        return a > b ? a : b;
    case LLVMCall:
        return most_of_call(i, depth);
    default:
        return UINT64_MAX;
    }
}

/* As an unsigned number. What is computed with more bits than it has is as large as it can be. */
static uint64_t most(LLVMValueRef value, unsigned depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return UINT64_MAX;
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetZExtValue(value);
    uint64_t all = ones(type);
    return LLVMIsAInstruction(value) && depth ? smaller(all, most_of(value, depth - 1)) : all;
}

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t sl_sum_entries(LLVMModuleRef module, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(module);
    uint64_t bytes = LLVMGetIntTypeWidth(type) / 8, last = 0;
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        uint64_t size = LLVMABISizeOfType(data, LLVMGetGEPSourceElementType(pointer));
        LLVMValueRef index = LLVMGetOperand(pointer, 1);
        if (LLVMGetNumOperands(pointer) != 2 || size % bytes ||
            LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
            return 0;
        uint64_t number = most(index, DEEPEST);
        if (number >= MOST_ENTRIES || size / bytes >= MOST_ENTRIES)
            return 0;
        last += number * (size / bytes);
    }
    return LLVMIsAArgument(pointer) && last < MOST_ENTRIES ? (uint32_t)last + 1 : 0;
}

LLVMValueRef sl_sum_place(const struct sl_emit *e, LLVMValueRef pointer, LLVMValueRef table)
{
    if (!LLVMIsAGetElementPtrInst(pointer))
        return table;
    LLVMValueRef base = sl_sum_place(e, LLVMGetOperand(pointer, 0), table);
    LLVMValueRef now = LLVMInstructionClone(pointer);
    LLVMSetOperand(now, 0, base);
    LLVMInsertIntoBuilder(e->builder, now);
    return now;
}
