/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel with pipes shares its thread with others. One that waits in a loop for memory to change,
 * rather than at a pipe, must let them run: where such a loop goes back, the runtime is called,
 * unless each way round comes by a pipe. So it is in all loops of an autorun kernel without pipes,
 * which could not be ended otherwise. No shared state.
 */
#include "items/work_item.h"
#include "pipes/pipe.h"

#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "pipes/stages.h"
#include <stdlib.h>
#include <string.h>

/* ---- what waits ------------------------------------------------------------------------------ */

static bool is_watching(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

static bool any_watching(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_watching(i))
                return true;
    return false;
}

/* Atomic builtins of OpenCL C 1.x are functions that are not inlined yet. */
static bool calls_watching(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    return callee && !LLVMIsDeclaration(callee) && any_watching(callee);
}

enum content { NOTHING, WATCHES, USES_PIPE };

static enum content content_of(LLVMBasicBlockRef block)
{
    enum content found = NOTHING;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (sl_pipe_has_place(i))
            return USES_PIPE;
        if (is_watching(i) || calls_watching(i))
            found = WATCHES;
    }
    return found;
}

/* ---- loops ----------------------------------------------------------------------------------- */

struct spin {
    struct sl_cfg cfg;
    enum content *contents; /* per block; owned */
    bool *behind,
        *before;     /* blocks of a round without a pipe: from the header, to a latch; owned */
    bool every;      /* any loop counts as one that waits */
    uint32_t *stack; /* owned */
};

/* Blocks that `from` comes to, or comes from, by way of blocks without a pipe. Those in front of
 * the header are not in its loop: blocks are numbered in reverse post-order. */
static void collect(const struct spin *s, bool *found, uint32_t from, uint32_t header, bool back)
{
    uint32_t depth = 0;
    memset(found, 0, s->cfg.count * sizeof *found);
    if (s->contents[from] == USES_PIPE)
        return;
    found[from] = true;
    s->stack[depth++] = from;
    while (depth) {
        uint32_t at = s->stack[--depth];
        const struct sl_block *block = &s->cfg.blocks[at];
        uint32_t count = back ? block->pred_count : block->succ_count;
        for (uint32_t k = 0; k < count && !(back && at == header); k++) {
            uint32_t next = back ? block->pred[k] : block->succ[k];
            if (found[next] || next < header || s->contents[next] == USES_PIPE)
                continue;
            found[next] = true;
            s->stack[depth++] = next;
        }
    }
}

/* A round from the header to this latch may wait for memory and come by no pipe, which would let
 * others run. */
static bool waits(const struct spin *s, uint32_t header, uint32_t latch)
{
    bool watches = s->every;
    if (!s->behind[latch])
        return false;
    collect(s, s->before, latch, header, true);
    for (uint32_t b = header; b < s->cfg.count && !watches; b++)
        watches = s->behind[b] && s->before[b] && s->contents[b] == WATCHES;
    return watches;
}

static void yield_at_ends(struct sl_pass *pass, const struct sl_emit *e, struct spin *s,
                          uint32_t header)
{
    const struct sl_block *block = &s->cfg.blocks[header];
    bool known = false;
    for (uint32_t p = 0; p < block->pred_count; p++) {
        if (block->pred[p] < header)
            continue;
        if (!known)
            collect(s, s->behind, header, header, false);
        known = true;
        if (!waits(s, header, block->pred[p]))
            continue;
        LLVMBasicBlockRef latch = s->cfg.blocks[block->pred[p]].ref;
        LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(latch));
        sl_pipe_emit_yield(e, pass->module);
    }
}

static void visit(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef kernel, bool autorun)
{
    struct spin s = {0};
    bool any = false, pipes = false;
    sl_cfg_init(&s.cfg, kernel);
    s.contents = sl_ir_alloc(s.cfg.count, sizeof *s.contents);
    s.behind = sl_ir_alloc(s.cfg.count, sizeof *s.behind);
    s.before = sl_ir_alloc(s.cfg.count, sizeof *s.before);
    s.stack = sl_ir_alloc(s.cfg.count, sizeof *s.stack);
    for (uint32_t b = 0; b < s.cfg.count; b++) {
        s.contents[b] = content_of(s.cfg.blocks[b].ref);
        any |= s.contents[b] == WATCHES;
        pipes |= s.contents[b] == USES_PIPE;
    }
    any |= s.every = autorun && !pipes;
    for (uint32_t b = 0; any && b < s.cfg.count; b++)
        yield_at_ends(pass, e, &s, b);
    free(s.contents);
    free(s.behind);
    free(s.before);
    free(s.stack);
    sl_cfg_finish(&s.cfg);
}

int sl_pass_spin_yield(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (pass->kernels[k].flags & SL_KERNEL_USES_PIPES)
            visit(pass, &e, pass->kernels[k].kernel, pass->kernels[k].flags & SL_KERNEL_AUTORUN);
    sl_emit_finish(&e);
    return 0;
}
