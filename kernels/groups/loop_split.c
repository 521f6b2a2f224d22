/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that all items of a row run in step are split like loops with barriers, so that the item
 * loop becomes the innermost one, which is what LLVM's vectoriser can do: for k, for all items,
 * instead of for all items, for k. Only for loops whose body it can take: no calls, no private
 * arrays, no OpenCL vectors. These splits are "inner": chunks of a row pass them one after the
 * other, and no item of another row or group waits. Not for kernels with pipes. No shared state.
 */
#include "items/barrier_split.h"

#include "groups/stages.h"
#include "ir/control_flow/uniformity.h"
#include "ir/memory.h"
#include "items/item_shape.h"
#include "items/work_item.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BETWEEN 4 /* elements from item to item */

struct loop {
    const struct sl_cfg *cfg;
    const struct sl_uniformity *uniform;
    struct sl_affine *along; /* dimension 0 */
    uint32_t header;
    bool *body; /* per block */
};

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_back_edge(uint32_t from, uint32_t to)
{
    return to <= from; /* in reverse post-order, and the graph is reducible where it matters */
}

static bool has_back_edge(const struct sl_cfg *cfg, uint32_t header)
{
    for (uint32_t p = 0; p < cfg->blocks[header].pred_count; p++)
        if (is_back_edge(cfg->blocks[header].pred[p], header))
            return true;
    return false;
}

/* Fills body; false if another loop's header is in it or control enters beside the header. */
static bool collect(struct loop *l)
{
    const struct sl_cfg *cfg = l->cfg;
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    bool innermost = true;
    l->body[l->header] = true;
    uint32_t b = l->header;
    do {
        for (uint32_t p = 0; p < cfg->blocks[b].pred_count; p++) {
            uint32_t from = cfg->blocks[b].pred[p];
            if (l->body[from] || (b == l->header && !is_back_edge(from, b)))
                continue;
            innermost &= from > l->header && !has_back_edge(cfg, from);
            l->body[from] = true;
            stack[depth++] = from;
        }
        b = depth ? stack[depth - 1] : 0;
    } while (depth-- && innermost);
    free(stack);
    return innermost;
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool is_scalar(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}

static bool is_parallel(LLVMValueRef access)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
    const char name[] = "llvm.access.group";
    return LLVMGetMetadata(access, LLVMGetMDKindIDInContext(context, name, sizeof name - 1));
}

static bool is_simple_call(LLVMValueRef call)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    return row ? row->flags & SL_INTRINSIC_IN_LOOPS : sl_has_lane_versions(call);
}

static bool is_vectorizable(LLVMValueRef i)
{
    if (!is_scalar(LLVMTypeOf(i)))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return is_parallel(i);
    case LLVMStore:
        return is_parallel(i) && is_scalar(LLVMTypeOf(LLVMGetOperand(i, 0)));
    case LLVMCall:
        return is_simple_call(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMSwitch:
    case LLVMExtractElement:
    case LLVMFreeze:
        return false;
    default:
        return true;
    }
}

/* Phis are left to the loop's own steps. */
static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    const struct sl_uniformity *uniform = a->user;
    if (LLVMIsAInstruction(value) && !sl_is_uniform(uniform, value)) {
        *shape = sl_shape_varying();
        return sl_item_shape(a, value, shape) || LLVMIsAPHINode(value) || LLVMIsALoadInst(value);
    }
    *shape = sl_shape_uniform();
    return true;
}

/* LLVM's vectoriser has the access as one, or as one of a few that lie between each other. */
static bool is_near(struct sl_affine *along, LLVMValueRef access, struct sl_shape shape)
{
    bool store = LLVMIsAStoreInst(access);
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
    int64_t size = (int64_t)LLVMABISizeOfType(along->data, type);
    return shape.kind == SL_SHAPE_LINEAR && llabs(shape.stride) <= MOST_BETWEEN * size;
}

static bool body_fits(const struct loop *l)
{
    int good = 0, bad = 0;
    for (uint32_t b = 0; b < l->cfg->count; b++) {
        if (!l->body[b])
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->cfg->blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            if (!is_vectorizable(i))
                return false;
            if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
                continue;
            struct sl_shape shape =
                sl_affine_shape(l->along, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0));
            bool near = is_near(l->along, i, shape);
            good += near;
            bad += !near && shape.kind != SL_SHAPE_UNIFORM;
        }
    }
    return good >= bad;
}

/* All items of a row come to the block, and go on the same way. */
static bool goes_in_step(const struct loop *l, uint32_t block)
{
    return !l->uniform->varying_control[block] &&
           sl_is_uniform(l->uniform, LLVMGetBasicBlockTerminator(l->cfg->blocks[block].ref));
}

/* Every item of a row comes to the loop, and leaves it after the same round. */
static bool runs_in_step(const struct loop *l)
{
    bool differs = false; /* something in it does depend on the item */
    if (l->uniform->varying_control[l->header])
        return false;
    for (uint32_t b = 0; b < l->cfg->count; b++) {
        const struct sl_block *block = &l->cfg->blocks[b];
        if (!l->body[b])
            continue;
        for (uint32_t s = 0; s < block->succ_count; s++)
            if (!l->body[block->succ[s]] && !goes_in_step(l, b))
                return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i; i = LLVMGetNextInstruction(i))
            differs |= !sl_is_uniform(l->uniform, i);
    }
    return differs;
}

/* ---- cutting --------------------------------------------------------------------------------- */

static void split_before_end(const struct sl_emit *e, LLVMModuleRef module, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(block));
    sl_wi_emit_inner_split(e, module);
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        if (LLVMGetSuccessor(end, s) == to)
            return true;
    return false;
}

/* Once: the way out of one loop may be the way past another one. */
static void split_edge(const struct loop *l, const struct sl_emit *e, LLVMModuleRef module,
                       uint32_t from, uint32_t to)
{
    if (!leads_to(l->cfg->blocks[from].ref, l->cfg->blocks[to].ref))
        return;
    LLVMBasicBlockRef between =
        sl_llvm_split_edge(l->cfg->blocks[from].ref, l->cfg->blocks[to].ref);
    split_before_end(e, module, between);
}

/* So that what runs once and what runs without the loop at all do not share an item loop. Who leads
 * to it may also be the end of another loop, which items leave one by one. */
static void split_entry(const struct loop *l, const struct sl_emit *e, LLVMModuleRef module)
{
    const struct sl_block *header = &l->cfg->blocks[l->header];
    for (uint32_t p = 0; p < header->pred_count; p++) {
        uint32_t before = header->pred[p];
        if (l->body[before])
            continue;
        split_before_end(e, module, l->cfg->blocks[before].ref);
        if (l->cfg->blocks[before].pred_count != 1)
            continue;
        uint32_t guard = l->cfg->blocks[before].pred[0];
        const struct sl_block *block = &l->cfg->blocks[guard];
        for (uint32_t s = 0; s < block->succ_count && block->succ_count == 2; s++)
            if (block->succ[s] != before && goes_in_step(l, guard))
                split_edge(l, e, module, guard, block->succ[s]);
    }
}

/* The ways back and out. Values wanted on both are the same ones there, before the phis. */
static void split_loop(const struct loop *l, const struct sl_emit *e, LLVMModuleRef module)
{
    split_entry(l, e, module);
    for (uint32_t b = 0; b < l->cfg->count; b++)
        for (uint32_t s = 0; l->body[b] && s < l->cfg->blocks[b].succ_count; s++) {
            uint32_t to = l->cfg->blocks[b].succ[s];
            if (!l->body[to] || to == l->header)
                split_edge(l, e, module, b, to);
        }
}

static bool has_private_memory(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i))
                return true;
    return false;
}

static void try_loop(struct loop *l, const struct sl_emit *e, LLVMModuleRef module)
{
    if (!has_back_edge(l->cfg, l->header))
        return;
    memset(l->body, 0, l->cfg->count * sizeof *l->body);
    if (collect(l) && runs_in_step(l) && body_fits(l))
        split_loop(l, e, module);
}

static void split_loops(struct sl_pass *pass, LLVMValueRef kernel, const struct sl_emit *e)
{
    struct sl_cfg cfg;
    struct sl_uniformity uniform;
    sl_cfg_init(&cfg, kernel);
    sl_uniformity_init(&uniform, &cfg, sl_varies_in_row, NULL);
    struct sl_affine along = {.exactness = SL_AFFINE_LIKELY,
                              .data = LLVMGetModuleDataLayout(pass->module),
                              .known = known,
                              .user = &uniform};
    struct loop l = {&cfg, &uniform, &along, 0, sl_ir_alloc(cfg.count, sizeof(bool))};
    for (l.header = 0; l.header < cfg.count; l.header++)
        try_loop(&l, e, pass->module);
    free(l.body);
    sl_affine_finish(&along);
    sl_uniformity_finish(&uniform);
    sl_cfg_finish(&cfg);
}

int sl_pass_loop_split(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count && sl_pass_has(pass, SL_PASS_OPTIMIZE); k++) {
        LLVMValueRef kernel = pass->kernels[k].kernel;
        if (pass->kernels[k].elsewhere)
            continue;
        if (pass->kernels[k].sub_group_stops || has_private_memory(kernel) ||
            pass->kernels[k].flags & SL_KERNEL_USES_PIPES)
            continue; /* items that share pipes take turns whole */
        if (pass->kernels[k].lanes > 1)
            continue; /* vectors of items go through their loops themselves */
        if (!sl_pass_step(pass, "loop interchange", &pass->kernels[k]))
            continue;
        if (sl_pass_run_llvm(pass, kernel, "loop(loop-rotate)"))
            return -1;
        split_loops(pass, kernel, &e);
    }
    sl_emit_finish(&e);
    return 0;
}
