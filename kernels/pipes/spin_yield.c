/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel with pipes shares its thread with others. One that waits in a loop for memory to change,
 * rather than at a pipe, must let them run: where such a loop goes back, the runtime is called. So
 * it is in all loops of an autorun kernel without pipes, which could not be ended otherwise.
 * No shared state.
 */
#include "items/work_item.h"
#include "pipes/pipe.h"

#include "ir/cfg.h"
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
    bool *body;             /* of the loop looked at; owned */
    bool every;             /* any loop counts as one that waits */
    uint32_t *stack;        /* owned */
};

static void collect(struct spin *s, uint32_t header)
{
    uint32_t depth = 0;
    memset(s->body, 0, s->cfg.count * sizeof *s->body);
    s->body[header] = true;
    s->stack[depth++] = header;
    while (depth) {
        const struct sl_block *block = &s->cfg.blocks[s->stack[--depth]];
        for (uint32_t p = 0; p < block->pred_count; p++) {
            uint32_t from = block->pred[p];
            if (s->body[from] || from < header)
                continue;
            s->body[from] = true;
            s->stack[depth++] = from;
        }
    }
}

/* From inside of the loop, back edges first: blocks are numbered in reverse post-order. */
static bool waits(struct spin *s, uint32_t header)
{
    bool loop = false, watches = s->every;
    const struct sl_block *block = &s->cfg.blocks[header];
    for (uint32_t p = 0; p < block->pred_count; p++)
        loop |= block->pred[p] >= header;
    if (!loop)
        return false;
    collect(s, header);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        if (s->body[b] && s->contents[b] == USES_PIPE)
            return false;
        watches |= s->body[b] && s->contents[b] == WATCHES;
    }
    return watches;
}

static void yield_at_ends(struct sl_pass *pass, const struct sl_emit *e, struct spin *s,
                          uint32_t header)
{
    const struct sl_block *block = &s->cfg.blocks[header];
    for (uint32_t p = 0; p < block->pred_count; p++) {
        if (block->pred[p] < header)
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
    s.body = sl_ir_alloc(s.cfg.count, sizeof *s.body);
    s.stack = sl_ir_alloc(s.cfg.count, sizeof *s.stack);
    for (uint32_t b = 0; b < s.cfg.count; b++) {
        s.contents[b] = content_of(s.cfg.blocks[b].ref);
        any |= s.contents[b] == WATCHES;
        pipes |= s.contents[b] == USES_PIPE;
    }
    any |= s.every = autorun && !pipes;
    for (uint32_t b = 0; any && b < s.cfg.count; b++)
        if (waits(&s, b))
            yield_at_ends(pass, e, &s, b);
    free(s.contents);
    free(s.body);
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
