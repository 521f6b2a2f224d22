/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `int i = y * width + x; for (...; i += plane) ... a[i - width]`: a sum of ints cannot pass the
 * end of an int (C 6.5), so that a[i] counts up from item to item. LLVM's passes forget that when
 * they put sums in another order or move them. Here they become longs, before. No shared state.
 */
#include "passes/stages.h"

#include "ir/cfg.h"
#include "ir/emit.h"
#include "ir/uniformity.h"
#include "items/work_item.h"

#include <stdint.h>

#define DEEPEST 8      /* operations from the sum to the id */
#define DEEPEST_SAME 4 /* in what is added to it */
#define MOST_WAYS 4    /* to a phi: with each, what is looked at grows as many times */

enum kind { OTHER, SAME, COUNTS }; /* from item to item of a row */

struct widener {
    struct sl_emit e;
    struct sl_cfg cfg;
    struct sl_uniformity in_row;
    struct sl_map wide;    /* phi -> what it became */
    struct sl_map assumed; /* phis that are being looked at */
};

static bool is_low_id(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && !dim &&
           (what == SL_WI_GLOBAL_LOW || what == SL_WI_LOCAL_LOW);
}

static bool is_exact(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(i);
    case LLVMOr:
        return LLVMGetIsDisjoint(i);
    default:
        return false;
    }
}

/* The same in all items that compute it, also where some pass it by. */
static bool is_same(const struct widener *w, LLVMValueRef value, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || sl_is_uniform(&w->in_row, value))
        return true;
    bool plain = LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsAICmpInst(value) ||
                 LLVMIsASelectInst(value);
    if (!plain || !depth--)
        return false;
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        if (!is_same(w, LLVMGetOperand(value, (unsigned)k), depth))
            return false;
    return true;
}

static enum kind kind_of(struct widener *, LLVMValueRef, unsigned depth);

/* Of a loop's counter: so it is if it begins so and goes on so. */
static enum kind kind_of_phi(struct widener *w, LLVMValueRef phi, unsigned depth)
{
    if (sl_map_get(&w->assumed, phi) || sl_map_get(&w->wide, phi))
        return COUNTS;
    if (LLVMCountIncoming(phi) > MOST_WAYS)
        return OTHER;
    enum kind kind = COUNTS;
    sl_map_set(&w->assumed, phi, phi);
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && kind == COUNTS; k++)
        kind = kind_of(w, LLVMGetIncomingValue(phi, k), depth);
    sl_map_set(&w->assumed, phi, NULL);
    return kind == COUNTS ? COUNTS : OTHER;
}

static enum kind kind_of(struct widener *w, LLVMValueRef value, unsigned depth)
{
    if (is_low_id(value))
        return COUNTS;
    if (is_same(w, value, DEEPEST_SAME))
        return SAME;
    if (!depth--)
        return OTHER;
    if (LLVMIsAPHINode(value))
        return kind_of_phi(w, value, depth);
    if (!LLVMIsABinaryOperator(value) || !is_exact(value))
        return OTHER;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if ((op == LLVMMul || op == LLVMShl) && !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return OTHER;
    enum kind a = kind_of(w, LLVMGetOperand(value, 0), depth);
    enum kind b = kind_of(w, LLVMGetOperand(value, 1), depth);
    return a && b ? COUNTS : OTHER;
}

static LLVMValueRef widen(struct widener *, LLVMValueRef, LLVMValueRef before);

/* A block that comes by several cases of a switch brings one value. NULL: it has not come yet. */
static LLVMValueRef brought_by(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == block)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

static LLVMValueRef widen_phi(struct widener *w, LLVMValueRef phi)
{
    LLVMValueRef wide = sl_map_get(&w->wide, phi);
    if (wide)
        return wide;
    LLVMPositionBuilderBefore(w->e.builder, phi);
    wide = LLVMBuildPhi(w->e.builder, w->e.i64, "");
    sl_map_set(&w->wide, phi, wide);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMValueRef value = brought_by(wide, from);
        if (!value)
            value = widen(w, LLVMGetIncomingValue(phi, k), LLVMGetBasicBlockTerminator(from));
        LLVMAddIncoming(wide, &value, &from, 1);
    }
    return wide;
}

static LLVMValueRef widen(struct widener *w, LLVMValueRef value, LLVMValueRef before)
{
    LLVMBuilderRef b = w->e.builder;
    if (LLVMIsAPHINode(value) && !is_same(w, value, DEEPEST_SAME))
        return widen_phi(w, value);
    if (is_low_id(value) || is_same(w, value, DEEPEST_SAME)) {
        LLVMPositionBuilderBefore(b, before);
        return LLVMBuildSExt(b, value, w->e.i64, "");
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    LLVMValueRef left = widen(w, LLVMGetOperand(value, 0), before);
    LLVMValueRef right = widen(w, LLVMGetOperand(value, 1), before);
    LLVMPositionBuilderBefore(b, before);
    LLVMValueRef sum = LLVMBuildBinOp(b, op == LLVMOr ? LLVMAdd : op, left, right, "");
    if (LLVMIsAInstruction(sum))
        LLVMSetNSW(sum, true);
    return sum;
}

static bool is_candidate(const struct sl_emit *e, LLVMValueRef i)
{
    return LLVMIsASExtInst(i) && LLVMTypeOf(i) == e->i64 &&
           LLVMTypeOf(LLVMGetOperand(i, 0)) == e->i32 &&
           (LLVMIsAPHINode(LLVMGetOperand(i, 0)) ||
            (LLVMIsABinaryOperator(LLVMGetOperand(i, 0)) && is_exact(LLVMGetOperand(i, 0))));
}

static bool has_candidate(const struct sl_emit *e, LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_candidate(e, i))
                return true;
    return false;
}

static void widen_at(struct widener *w, LLVMValueRef sext)
{
    LLVMReplaceAllUsesWith(sext, widen(w, LLVMGetOperand(sext, 0), sext));
    LLVMInstructionEraseFromParent(sext);
}

void sl_widen_index_sums(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct widener w = {0};
    sl_emit_init(&w.e, pass->context);
    if (!has_candidate(&w.e, kernel)) {
        sl_emit_finish(&w.e);
        return;
    }
    sl_cfg_init(&w.cfg, kernel);
    sl_uniformity_init(&w.in_row, &w.cfg, sl_varies_in_row, NULL);
    for (uint32_t b = 0; b < w.cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(w.cfg.blocks[b].ref), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_candidate(&w.e, i) || kind_of(&w, LLVMGetOperand(i, 0), DEEPEST) != COUNTS)
                continue;
            widen_at(&w, i);
        }
    sl_map_finish(&w.wide);
    sl_map_finish(&w.assumed);
    sl_uniformity_finish(&w.in_row);
    sl_cfg_finish(&w.cfg);
    sl_emit_finish(&w.e);
}
