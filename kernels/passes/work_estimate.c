/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much work an item of a kernel is, so that the driver can tell which launches need not wait
 * for the best code (SL_KERNEL_QUICK): instructions, those of loops as if each went round TURNS
 * times. No shared state.
 */
#include "passes/passes_internal.h"

#include "ir/cfg.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "passes/work_item.h"
#include <stdlib.h>

#define TURNS 32
#define CALL 40        /* of a function whose code is elsewhere */
#define MOST 1000000u  /* it is not small: nobody asks for more */
#define MOST_LOOPS 200 /* each is one walk over the blocks */

struct estimate {
    struct sl_map known; /* function -> its work + 1 */
    bool loops;
};

struct work {
    const struct sl_cfg *cfg;
    uint64_t *turns; /* per block: how often it runs */
    uint32_t *inside, mark;
    uint32_t *stack;
    uint32_t loops;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The blocks from which the loop's end is reached without its head. */
static void enter_loop(struct work *w, uint32_t head, uint32_t end)
{
    uint32_t depth = 0;
    w->mark++;
    w->inside[head] = w->mark;
    w->turns[head] = least(w->turns[head] * TURNS, MOST);
    if (head == end)
        return;
    w->inside[end] = w->mark;
    w->stack[depth++] = end;
    while (depth) {
        uint32_t b = w->stack[--depth];
        w->turns[b] = least(w->turns[b] * TURNS, MOST);
        for (uint32_t p = 0; p < w->cfg->blocks[b].pred_count; p++) {
            uint32_t from = w->cfg->blocks[b].pred[p];
            if (w->inside[from] != w->mark) {
                w->inside[from] = w->mark;
                w->stack[depth++] = from;
            }
        }
    }
}

static void count_turns(struct work *w)
{
    for (uint32_t b = 0; b < w->cfg->count; b++)
        w->turns[b] = 1;
    for (uint32_t b = 0; b < w->cfg->count; b++)
        for (uint32_t s = 0; s < w->cfg->blocks[b].succ_count; s++)
            if (w->cfg->blocks[b].succ[s] <= b && w->loops++ < MOST_LOOPS)
                enter_loop(w, w->cfg->blocks[b].succ[s], b);
}

static uint64_t work_of(struct estimate *, LLVMValueRef f);

/* Intrinsics and ids are an instruction or so. */
static uint64_t work_of_call(struct estimate *e, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (callee && !LLVMIsDeclaration(callee))
        return work_of(e, callee);
    return callee && !sl_has_ready_code(callee) ? 1 : CALL;
}

static uint64_t work_of_block(struct estimate *e, LLVMBasicBlockRef block)
{
    uint64_t work = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        work += LLVMIsACallInst(i) ? work_of_call(e, i) : 1;
    return work;
}

/* Calls are nested as deep as in the source: recursion was refused. */
static uint64_t work_of(struct estimate *e, LLVMValueRef f)
{
    uint64_t known = (uint64_t)(uintptr_t)sl_map_get(&e->known, f), work = 0;
    struct sl_cfg cfg;
    if (known)
        return known - 1;
    sl_map_set(&e->known, f, (void *)(uintptr_t)(MOST + 1)); /* until it is known */
    sl_cfg_init(&cfg, f);
    struct work w = {.cfg = &cfg,
                     .turns = sl_ir_alloc(cfg.count, sizeof *w.turns),
                     .inside = sl_ir_alloc(cfg.count, sizeof *w.inside),
                     .stack = sl_ir_alloc(cfg.count + 1, sizeof *w.stack)};
    count_turns(&w);
    e->loops |= w.loops != 0;
    for (uint32_t b = 0; b < cfg.count && work < MOST; b++)
        work += w.turns[b] * work_of_block(e, cfg.blocks[b].ref);
    work = w.loops > MOST_LOOPS ? MOST : least(work, MOST);
    free(w.turns);
    free(w.inside);
    free(w.stack);
    sl_cfg_finish(&cfg);
    sl_map_set(&e->known, f, (void *)(uintptr_t)(work + 1));
    return work;
}

static bool has_barrier(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (sl_wi_is_barrier(i))
            return true;
    return false;
}

/* Is there a way through it without a barrier, and one with? Items that leave early take it, and
 * only the best code knows what becomes of the others (vector/clip.c). */
static bool passes_barriers_by(LLVMValueRef kernel)
{
    struct sl_cfg cfg;
    sl_cfg_init(&cfg, kernel);
    bool *seen = sl_ir_alloc(cfg.count, sizeof *seen), any = false, out = false;
    uint32_t *stack = sl_ir_alloc(cfg.count, sizeof *stack), depth = 0;
    for (uint32_t b = 0; b < cfg.count; b++)
        any |= seen[b] = has_barrier(cfg.blocks[b].ref);
    if (any && !seen[0])
        seen[stack[depth++] = 0] = true;
    while (depth && !out) {
        const struct sl_block *block = &cfg.blocks[stack[--depth]];
        out = !block->succ_count;
        for (uint32_t s = 0; s < block->succ_count; s++)
            if (!seen[block->succ[s]])
                seen[stack[depth++] = block->succ[s]] = true;
    }
    free(seen);
    free(stack);
    sl_cfg_finish(&cfg);
    return out;
}

int sl_pass_work_estimate(struct sl_pass *pass)
{
    struct estimate e = {0};
    for (uint32_t k = 0; pass->quick && k < pass->kernel_count; k++) {
        if (passes_barriers_by(pass->kernels[k].kernel))
            continue;
        e.loops = false; /* what an earlier kernel called may have some: a guess */
        pass->kernels[k].work = (uint32_t)work_of(&e, pass->kernels[k].kernel);
        pass->kernels[k].flags |= SL_KERNEL_QUICK | (e.loops ? SL_KERNEL_LOOPS : 0);
    }
    sl_map_finish(&e.known);
    return 0;
}
