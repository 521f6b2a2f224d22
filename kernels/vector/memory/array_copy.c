/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that fill or copy private arrays, as LLVM and initialisers make them, become loads and
 * stores of elements in the kernel: few of them one by one, many in a loop. No shared state.
 */
#include "vector/memory/array_copy.h"

#include "ir/pass.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"

#include <string.h>

#define MOST_SERIAL 32 /* elements */

enum kind { NONE, FILL, COPY };

/* In the one address space that is left. */
static bool is_here(LLVMValueRef call, unsigned argument)
{
    return !LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetArgOperand(call, argument)));
}

static enum kind kind_of(LLVMValueRef call)
{
    if (sl_llvm_is_intrinsic(call, SL_INTRINSIC_FILL))
        return is_here(call, 0) && LLVMIsAConstantInt(LLVMGetArgOperand(call, 1)) ? FILL : NONE;
    bool copy = sl_llvm_is_intrinsic(call, SL_INTRINSIC_COPY);
    return copy && is_here(call, 0) && is_here(call, 1) ? COPY : NONE;
}

bool sl_vector_can_expand(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) || kind_of(call) == NONE)
        return false;
    LLVMValueRef bytes = LLVMGetArgOperand(call, 2), is_volatile = LLVMGetArgOperand(call, 3);
    return LLVMIsAConstantInt(bytes) && LLVMIsAConstantInt(is_volatile) &&
           !LLVMConstIntGetZExtValue(is_volatile);
}

struct copy {
    LLVMBuilderRef builder;
    LLVMValueRef call;
    LLVMTypeRef i64, element;
    uint64_t size, count;
};

static LLVMValueRef place(const struct copy *c, unsigned argument, LLVMValueRef index)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(c->i64));
    LLVMTypeRef step = LLVMArrayType2(byte, c->size);
    return LLVMBuildGEP2(c->builder, step, LLVMGetArgOperand(c->call, argument), &index, 1, "");
}

static unsigned alignment(const struct copy *c, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(c->call, argument + 1, kind);
    uint64_t known = align ? LLVMGetEnumAttributeValue(align) : 1;
    return (unsigned)(known < c->size ? known : c->size);
}

static void move_element(const struct copy *c, LLVMValueRef index)
{
    LLVMValueRef now;
    if (kind_of(c->call) == FILL) {
        uint64_t byte = LLVMConstIntGetZExtValue(LLVMGetArgOperand(c->call, 1));
        now = LLVMConstInt(c->element, byte * UINT64_C(0x0101010101010101), false);
    } else {
        now = LLVMBuildLoad2(c->builder, c->element, place(c, 1, index), "");
        LLVMSetAlignment(now, alignment(c, 1));
    }
    LLVMSetAlignment(LLVMBuildStore(c->builder, now, place(c, 0, index)), alignment(c, 0));
}

static void move_in_loop(const struct copy *c)
{
    LLVMBuilderRef b = c->builder;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(c->call);
    LLVMBasicBlockRef behind = sl_llvm_split_block(c->call, "copied");
    LLVMBasicBlockRef loop =
        LLVMInsertBasicBlockInContext(LLVMGetTypeContext(c->i64), behind, "copy");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(b, before);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef index = LLVMBuildPhi(b, c->i64, "");
    move_element(c, index);
    LLVMValueRef next = LLVMBuildNUWAdd(b, index, LLVMConstInt(c->i64, 1, false), "");
    LLVMValueRef end = LLVMConstInt(c->i64, c->count, false), zero = LLVMConstNull(c->i64);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, next, end, ""), loop, behind);
    LLVMAddIncoming(index, &zero, &before, 1);
    LLVMAddIncoming(index, &next, &loop, 1);
}

void sl_vector_expand_copy(LLVMValueRef call, uint64_t element)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    struct copy c = {.builder = LLVMCreateBuilderInContext(context), .call = call};
    c.i64 = LLVMInt64TypeInContext(context);
    c.element = LLVMIntTypeInContext(context, (unsigned)element * 8);
    c.size = element;
    c.count = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 2)) / element;
    if (c.count > MOST_SERIAL) {
        move_in_loop(&c);
    } else {
        LLVMPositionBuilderBefore(c.builder, call);
        for (uint64_t k = 0; k < c.count; k++)
            move_element(&c, LLVMConstInt(c.i64, k, false));
    }
    LLVMDisposeBuilder(c.builder);
    LLVMInstructionEraseFromParent(call);
}
