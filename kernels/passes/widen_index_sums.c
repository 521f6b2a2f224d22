/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `int i = y * width + x; for (...; i += plane) ... a[i - width]`: a sum of ints cannot pass the
 * end of an int (C 6.5), so that a[i] counts up from item to item. LLVM's passes forget that when
 * they put sums in another order or move them. Here they become longs, before. No shared state.
 */
#include "passes/stages.h"

#include "ir/affine/affine.h"
#include "ir/control_flow/cfg.h"
#include "ir/control_flow/uniformity.h"
#include "ir/emit.h"
#include "items/item_shape.h"
#include "items/work_item.h"

#include <stdint.h>

#define DEEPEST_SAME 4 /* operations in what is added to the id */

struct widener {
    struct sl_emit e;
    struct sl_cfg cfg;
    struct sl_uniformity in_row;
    struct sl_affine *vectors; /* of items that are whole sub-groups; NULL: nothing is known */
    struct sl_affine along;    /* dimension 0 */
    struct sl_map wide;        /* phi -> what it became */
    struct sl_map here;        /* the same of sums, where one is being made */
};

static bool is_low_id(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && !dim &&
           (what == SL_WI_GLOBAL_LOW || what == SL_WI_LOCAL_LOW || what == SL_WI_SUB_GROUP_LANE);
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

/* An id along another dimension, a size: whoever asks hears the same. */
static bool is_for_all(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && !sl_varies_in_row(value);
}

/* Of whole sub-groups: `id / 16` is one number. */
static bool known_of_vectors(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    if (sl_item_shape(a, value, shape))
        return true;
    if (sl_is_uniform(a->user, value))
        *shape = sl_shape_uniform();
    else if (LLVMIsAInstruction(value) && !LLVMIsABinaryOperator(value) && !LLVMIsACastInst(value))
        *shape = sl_shape_varying();
    else
        return false;
    return true;
}

/* The same in all items that compute it, also where some pass it by. */
static bool is_same(const struct widener *w, LLVMValueRef value, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || sl_is_uniform(&w->in_row, value) || is_for_all(value))
        return true;
    if (w->vectors && sl_affine_shape(w->vectors, value).kind == SL_SHAPE_UNIFORM)
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

/* A sum of ints that cannot wrap around; it steps as its operands do. */
static bool is_sum(LLVMValueRef value)
{
    if (!LLVMIsABinaryOperator(value) || !is_exact(value))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return (op != LLVMMul && op != LLVMShl) || LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* Whatever is not known has a way to become a long. */
static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    if (is_low_id(value))
        *shape = sl_shape_linear(1, true, true);
    else if (is_same(a->user, value, DEEPEST_SAME))
        *shape = sl_shape_uniform();
    else if (!LLVMIsAPHINode(value) && !is_sum(value))
        *shape = sl_shape_varying();
    else
        return false;
    return true;
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
    struct sl_map there = w->here;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMValueRef value = brought_by(wide, from);
        w->here = (struct sl_map){0};
        if (!value)
            value = widen(w, LLVMGetIncomingValue(phi, k), LLVMGetBasicBlockTerminator(from));
        sl_map_finish(&w->here);
        LLVMAddIncoming(wide, &value, &from, 1);
    }
    w->here = there;
    return wide;
}

static LLVMValueRef widen_sum(struct widener *w, LLVMValueRef value, LLVMValueRef before)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    LLVMValueRef left = widen(w, LLVMGetOperand(value, 0), before);
    LLVMValueRef right = widen(w, LLVMGetOperand(value, 1), before);
    LLVMPositionBuilderBefore(w->e.builder, before);
    LLVMValueRef sum = LLVMBuildBinOp(w->e.builder, op == LLVMOr ? LLVMAdd : op, left, right, "");
    if (LLVMIsAInstruction(sum))
        LLVMSetNSW(sum, true);
    return sum;
}

static LLVMValueRef widen(struct widener *w, LLVMValueRef value, LLVMValueRef before)
{
    LLVMValueRef wide = sl_map_get(&w->here, value);
    if (wide)
        return wide;
    if (is_low_id(value) || is_same(w, value, DEEPEST_SAME)) {
        LLVMPositionBuilderBefore(w->e.builder, before);
        wide = LLVMBuildSExt(w->e.builder, value, w->e.i64, "");
    } else {
        wide = LLVMIsAPHINode(value) ? widen_phi(w, value) : widen_sum(w, value, before);
    }
    sl_map_set(&w->here, value, wide);
    return wide;
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

static bool counts(struct widener *w, LLVMValueRef sum)
{
    return sl_affine_shape(&w->along, sum).kind == SL_SHAPE_LINEAR;
}

static void widen_at(struct widener *w, LLVMValueRef sext)
{
    LLVMReplaceAllUsesWith(sext, widen(w, LLVMGetOperand(sext, 0), sext));
    LLVMInstructionEraseFromParent(sext);
    sl_map_finish(&w->here);
    if (w->vectors) /* something else may come to lie where that was */
        sl_affine_finish(w->vectors);
}

void sl_widen_index_sums(struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    LLVMValueRef kernel = facts->kernel;
    struct widener w = {0};
    sl_emit_init(&w.e, pass->context);
    if (!has_candidate(&w.e, kernel)) {
        sl_emit_finish(&w.e);
        return;
    }
    sl_cfg_init(&w.cfg, kernel);
    sl_uniformity_init(&w.in_row, &w.cfg, sl_varies_in_row, NULL);
    w.along = (struct sl_affine){.exactness = SL_AFFINE_LIKELY, .known = known, .user = &w};
    struct sl_affine vectors = {.exactness = SL_AFFINE_PROVEN,
                                .items = facts->sub_group_size,
                                .data = LLVMGetModuleDataLayout(pass->module),
                                .known = known_of_vectors,
                                .multiple = sl_item_multiple,
                                .user = &w.in_row};
    w.vectors = facts->whole_sub_groups ? &vectors : NULL;
    for (uint32_t b = 0; b < w.cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(w.cfg.blocks[b].ref), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_candidate(&w.e, i) && counts(&w, LLVMGetOperand(i, 0)))
                widen_at(&w, i);
        }
    sl_map_finish(&w.wide);
    sl_affine_finish(&w.along);
    sl_affine_finish(&vectors);
    sl_uniformity_finish(&w.in_row);
    sl_cfg_finish(&w.cfg);
    sl_emit_finish(&w.e);
}
