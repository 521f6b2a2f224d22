/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that requires its group's size has ids below it: quotients and remainders of what it
 * makes of them, as of a tile's rows and columns, are shifts and bits to LLVM's passes, and often
 * the ids themselves. Any other one has ids that are not negative at least, so that of a loop in
 * steps of more than there is to do (`for (i = id; i < 100; i += 128)`) one round is left. It is
 * said for these passes only: differences become operations of bits by it, of which ours do not see
 * that they count down from item to item. No shared state.
 */
#include "groups/group_function.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "passes/stages.h"
#include "llvm/pass_support.h"

static const char name[] = "range";

#define MOST_ITEMS (1u << 30) /* of any group: more than devices take */

static bool is_local_id(LLVMValueRef i, unsigned *dim)
{
    enum sl_wi what;
    return sl_wi_parse(i, &what, dim) && (what == SL_WI_LOCAL_ID || what == SL_WI_LOCAL_LOW);
}

static void say_below(LLVMContextRef context, LLVMValueRef call, uint64_t end)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    const uint64_t from = 0;
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
    LLVMAddCallSiteAttribute(call, LLVMAttributeReturnIndex,
                             LLVMCreateConstantRangeAttribute(context, kind, bits, &from, &end));
}

void sl_bound_local_ids(struct sl_pass *pass, LLVMValueRef kernel)
{
    uint32_t size[3];
    unsigned dim;
    if (!sl_read_required_size(pass->context, kernel, size))
        size[0] = size[1] = size[2] = MOST_ITEMS;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_local_id(i, &dim))
                continue;
            if (size[dim] > 1) {
                say_below(pass->context, i, size[dim]);
                continue;
            }
            LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
            LLVMInstructionEraseFromParent(i);
        }
}

/* The mask of `number ^ mask` that is `mask - number`, or 0. */
static uint64_t difference_mask(LLVMValueRef i)
{
    if (!LLVMIsABinaryOperator(i) || LLVMGetInstructionOpcode(i) != LLVMXor ||
        !LLVMIsAConstantInt(LLVMGetOperand(i, 1)) || !LLVMIsAInstruction(LLVMGetOperand(i, 0)) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64)
        return 0;
    const uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    const uint64_t all = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(LLVMTypeOf(i)));
    return !(mask & (mask + 1)) && mask != all && sl_llvm_has_only_bits(LLVMGetOperand(i, 0), mask)
               ? mask
               : 0;
}

static void name_differences(const struct sl_emit *e, LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!difference_mask(i))
                continue;
            LLVMPositionBuilderBefore(e->builder, i);
            LLVMValueRef now =
                LLVMBuildSub(e->builder, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0), "");
            LLVMSetNUW(now, true);
            LLVMSetNSW(now, true);
            LLVMReplaceAllUsesWith(i, now);
            LLVMInstructionEraseFromParent(i);
        }
}

void sl_forget_local_bounds(struct sl_pass *pass, LLVMValueRef kernel)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    struct sl_emit e;
    uint32_t size[3];
    unsigned dim;
    if (sl_read_required_size(pass->context, kernel, size)) {
        sl_emit_init(&e, pass->context);
        name_differences(&e, kernel);
        sl_emit_finish(&e);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_local_id(i, &dim))
                LLVMRemoveCallSiteEnumAttribute(i, LLVMAttributeReturnIndex, kind);
}
