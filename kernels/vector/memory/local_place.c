/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Low bits of addresses in local memory. Sums and products that wrap around, and what extends or
 * cuts them, have the low bits that the whole numbers have: nothing need be known about their
 * ranges. No shared state.
 */
#include "vector/memory/local_place.h"

#include "items/work_item.h"
#include "vector/analysis/facts.h"

#include <llvm-c/Target.h>

enum {
    MOST_STEPS = 8,    /* from an index back to what it was made of */
    LARGEST_PIECE = 64 /* bytes; SL_LOCAL_ALIGN is a multiple */
};

static bool low_bits(LLVMValueRef number, unsigned bits, unsigned depth, uint64_t *low);

/* Those of the number times `by`. */
static bool low_bits_of_product(LLVMValueRef number, uint64_t by, unsigned bits, unsigned depth,
                                uint64_t *low)
{
    const unsigned zeros = by ? (unsigned)__builtin_ctzll(by) : bits;
    *low = 0;
    if (zeros >= bits)
        return true;
    if (!low_bits(number, bits - zeros, depth, low))
        return false;
    *low = *low * by & ((UINT64_C(1) << bits) - 1);
    return true;
}

static bool low_bits_of_operation(LLVMValueRef i, unsigned bits, unsigned depth, uint64_t *low)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    if (op == LLVMShl && LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) < 64)
        return low_bits_of_product(a, UINT64_C(1) << LLVMConstIntGetZExtValue(b), bits, depth, low);
    if (op == LLVMMul && LLVMIsAConstantInt(b))
        return low_bits_of_product(a, (uint64_t)LLVMConstIntGetSExtValue(b), bits, depth, low);
    uint64_t x, y;
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMOr) || !low_bits(a, bits, depth, &x) ||
        !low_bits(b, bits, depth, &y))
        return false;
    const uint64_t is = op == LLVMAdd ? x + y : op == LLVMSub ? x - y : x | y;
    *low = is & ((UINT64_C(1) << bits) - 1);
    return true;
}

/* `bits`: 1 to 6. */
static bool low_bits(LLVMValueRef number, unsigned bits, unsigned depth, uint64_t *low)
{
    LLVMTypeRef type = LLVMTypeOf(number);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 8 ||
        LLVMGetIntTypeWidth(type) > 64)
        return false;
    if (LLVMIsAConstantInt(number)) {
        *low = LLVMConstIntGetZExtValue(number) & ((UINT64_C(1) << bits) - 1);
        return true;
    }
    if (!LLVMIsAInstruction(number) || !depth)
        return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(number);
    if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc)
        return low_bits(LLVMGetOperand(number, 0), bits, depth - 1, low);
    return LLVMIsABinaryOperator(number) && low_bits_of_operation(number, bits, depth - 1, low);
}

static bool is_local_base(LLVMValueRef base)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(base, &what, &dim) && what == SL_WI_LOCAL_BASE;
}

bool sl_vector_local_place(const struct sl_vector_facts *v, LLVMValueRef pointer, uint64_t piece,
                           uint64_t *place)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(v->g->pass->module);
    if (piece < 2 || piece > LARGEST_PIECE || piece & (piece - 1) ||
        v->g->facts->local_bytes % piece)
        return false;
    const unsigned bits = (unsigned)__builtin_ctzll(piece);
    *place = 0;
    for (unsigned n = 0; n < MOST_STEPS && LLVMIsAGetElementPtrInst(pointer); n++) {
        uint64_t step;
        if (LLVMGetNumOperands(pointer) != 2 ||
            !low_bits_of_product(LLVMGetOperand(pointer, 1),
                                 LLVMABISizeOfType(data, LLVMGetGEPSourceElementType(pointer)),
                                 bits, MOST_STEPS, &step))
            return false;
        *place = (*place + step) % piece;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return is_local_base(pointer);
}
