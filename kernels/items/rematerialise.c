/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that would live across a barrier but cost less to compute anew than to keep move to the
 * prologue, from where every region takes what it uses. What also takes values that are the same
 * for all items, as an address that follows from a round's number, is computed anew where it is
 * used: read from the context, nobody would know that items are neighbours. No shared state.
 */
#include "items/barrier_split.h"

#include "ir/bits.h"
#include "ir/calls.h"
#include "ir/control_flow/uniformity.h"
#include "items/work_item.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"
#include <stdlib.h>
#include <string.h>

/* Instructions, counted with repetition: each item's, and with those that are the same for all. */
enum { MOST_OF_ITEM = 16, MOST = 64 };
enum { MOST_OF_USE = 8, MOST_USERS = 32 }; /* where each use has its own */

static bool is_bound(LLVMValueRef call)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    return sl_llvm_is_min_or_max(call) || (row && row->bound == SL_BOUND_ABSOLUTE);
}

static bool is_cheap(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMBitCast:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMLoad: /* of the launch's arguments, which are there at any time */
        return sl_wi_source(i) == SL_SOURCE_OPERANDS && sl_llvm_is_speculatable(i);
    case LLVMCall:
        return is_bound(i);
    default:
        return false;
    }
}

struct price {
    const struct sl_split *split;
    struct sl_uniformity uniform;
    unsigned of_item, all;
};

/* Adds what recomputing the value takes, up to the limits. */
static void add(struct price *p, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value)) {
        if (!LLVMIsAArgument(value) && !LLVMIsConstant(value))
            p->all = MOST + 1;
        return;
    }
    if (LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(p->split->kernel))
        return;
    p->all += is_cheap(value) ? 1 : MOST + 1;
    p->of_item += !sl_is_uniform(&p->uniform, value);
    int count =
        LLVMIsACallInst(value) ? (int)LLVMGetNumArgOperands(value) : LLVMGetNumOperands(value);
    for (int k = 0; k < count && p->all <= MOST && p->of_item <= MOST_OF_ITEM; k++)
        add(p, LLVMGetOperand(value, (unsigned)k));
}

static bool is_worth_it(struct price *p, LLVMValueRef value)
{
    p->of_item = p->all = 0;
    add(p, value);
    return p->all <= MOST && p->of_item <= MOST_OF_ITEM;
}

static void hoist(const struct sl_split *split, LLVMBuilderRef top, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) ||
        LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(split->kernel))
        return;
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        hoist(split, top, LLVMGetOperand(value, k));
    LLVMInstructionRemoveFromParent(value);
    LLVMInsertIntoBuilder(top, value);
}

/* ---- of each item, and of what all have ------------------------------------------------------ */

static bool stays(const struct price *p, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || sl_is_uniform(&p->uniform, value) ||
           LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(p->split->kernel);
}

/* Adds what takes an item's own values. */
static void add_own(struct price *p, LLVMValueRef value)
{
    if (stays(p, value))
        return;
    p->of_item += is_cheap(value) ? 1 : MOST_OF_USE + 1;
    for (int k = 0; k < LLVMGetNumOperands(value) && p->of_item <= MOST_OF_USE; k++)
        add_own(p, LLVMGetOperand(value, (unsigned)k));
}

/* Numbers of vectors cost a register each. What a phi takes is computed before it: that stays. */
static bool may_follow_uses(struct price *p, LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    unsigned users = 0;
    if ((kind != LLVMPointerTypeKind && kind != LLVMIntegerTypeKind) || stays(p, value))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
        if (++users > MOST_USERS)
            return false;
    p->of_item = 0;
    add_own(p, value);
    return p->of_item <= MOST_OF_USE;
}

static LLVMValueRef compute_anew(const struct price *p, LLVMBuilderRef b, LLVMValueRef value)
{
    if (stays(p, value))
        return value;
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        LLVMSetOperand(copy, (unsigned)k, compute_anew(p, b, LLVMGetOperand(value, (unsigned)k)));
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static void follow_uses(const struct price *p, LLVMBuilderRef b, LLVMValueRef value)
{
    LLVMBasicBlockRef home = LLVMGetInstructionParent(value);
    for (LLVMUseRef u = LLVMGetFirstUse(value), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        for (next = LLVMGetNextUse(u); next && LLVMGetUser(next) == user;)
            next = LLVMGetNextUse(next); /* an operand more of the same user */
        if (LLVMGetInstructionParent(user) == home || LLVMIsAPHINode(user))
            continue;
        LLVMPositionBuilderBefore(b, user);
        LLVMValueRef copy = compute_anew(p, b, value);
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == value)
                LLVMSetOperand(user, (unsigned)k, copy);
    }
}

void sl_split_fill_prologue(struct sl_split *split)
{
    struct sl_liveness live;
    sl_liveness_init(&live, &split->cfg);
    uint64_t *crossing = sl_ir_alloc(live.words, sizeof *crossing);
    for (uint32_t b = 0; b < split->barrier_count; b++) {
        uint32_t next = sl_cfg_number(&split->cfg, split->barriers[b].next);
        for (size_t w = 0; w < live.words; w++)
            crossing[w] |= sl_live_in(&live, next)[w];
    }
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    struct price price = {.split = split};
    sl_uniformity_init(&price.uniform, &split->cfg, sl_varies_in_group, sl_wi_is_barrier);
    LLVMBuilderRef top = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(split->kernel)));
    LLVMPositionBuilderBefore(top, LLVMGetBasicBlockTerminator(entry));
    for (size_t v = 0; v < live.values.count; v++)
        if (sl_bits_has(crossing, v) && is_worth_it(&price, live.values.items[v]))
            hoist(split, top, live.values.items[v]);
    for (size_t v = 0; v < live.values.count; v++)
        if (sl_bits_has(crossing, v) && may_follow_uses(&price, live.values.items[v]))
            follow_uses(&price, top, live.values.items[v]);
    LLVMDisposeBuilder(top);
    sl_uniformity_finish(&price.uniform);
    free(crossing);
    sl_liveness_finish(&live);
}
