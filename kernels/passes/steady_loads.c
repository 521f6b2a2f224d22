/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all items of a group read from one place of local memory between two barriers is the same in
 * all of them if nothing is written there meanwhile, for a group runs on one thread: a sum that the
 * group has made, before the next step writes where it lay. Loads are marked between whose barriers
 * nothing is written at all; whether all items come to them, and to the same place, is for others
 * to say (ir/control_flow/uniformity.h). No shared state.
 */
#include "ir/control_flow/cfg.h"
#include "ir/emit.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "passes/stages.h"
#include "pipes/pipe.h"
#include "llvm/pass_support.h"

#include <stdlib.h>

#define MOST_BARRIERS 200 /* each is a walk through what follows it */

struct walk {
    struct sl_cfg cfg;
    struct sl_list loads; /* met on the way */
    bool writes;
};

static bool is_local(LLVMValueRef pointer)
{
    enum sl_wi what;
    unsigned dim;
    LLVMValueRef base = sl_address_base(pointer);
    return LLVMIsACallInst(base) && sl_wi_parse(base, &what, &dim) && what == SL_WI_LOCAL_BASE;
}

static bool is_candidate(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic && is_local(LLVMGetOperand(i, 0));
}

/* An item's own variables are no matter of others. */
static bool writes(LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i) && LLVMIsAAllocaInst(sl_address_base(LLVMGetOperand(i, 1))))
        return false;
    return sl_llvm_may_write(i);
}

static bool ends_walk(LLVMValueRef i)
{
    return sl_wi_barrier_kind(i) == SL_BARRIER_GROUP;
}

/* False: the block ends at a barrier. */
static bool look_at(struct walk *w, LLVMValueRef i)
{
    for (; i && !ends_walk(i); i = LLVMGetNextInstruction(i)) {
        if (is_candidate(i))
            sl_list_add(&w->loads, i);
        w->writes |= writes(i);
    }
    return !i;
}

/* All that items may do before they meet again. */
static void walk_from(struct walk *w, LLVMValueRef start)
{
    bool *seen = sl_ir_alloc(w->cfg.count, sizeof *seen);
    uint32_t *stack = sl_ir_alloc(w->cfg.count + 1, sizeof *stack), depth = 0;
    uint32_t b = sl_cfg_number(&w->cfg, LLVMGetInstructionParent(start));
    bool goes_on = b != SL_NO_BLOCK && look_at(w, start);
    while (goes_on || depth) {
        if (!goes_on) {
            b = stack[--depth];
            goes_on = look_at(w, LLVMGetFirstInstruction(w->cfg.blocks[b].ref));
            continue;
        }
        const struct sl_block *block = &w->cfg.blocks[b];
        for (uint32_t s = 0; s < block->succ_count; s++)
            if (!seen[block->succ[s]]) {
                seen[block->succ[s]] = true;
                stack[depth++] = block->succ[s];
            }
        goes_on = false;
    }
    free(seen);
    free(stack);
}

/* Loads are reached from several places: one at which something is written decides. */
static void judge(struct walk *w, LLVMValueRef start, struct sl_map *steady, struct sl_map *others)
{
    w->loads.count = 0;
    w->writes = false;
    walk_from(w, start);
    for (size_t k = 0; k < w->loads.count; k++)
        sl_map_set(w->writes ? others : steady, w->loads.items[k], w->loads.items[k]);
}

static uint32_t list_starts(LLVMValueRef kernel, struct sl_list *starts)
{
    uint32_t others = 0;
    sl_list_add(starts, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (ends_walk(i))
                sl_list_add(starts, LLVMGetNextInstruction(i));
            else
                others += sl_wi_is_barrier(i);
        }
    return others;
}

static void mark(LLVMValueRef kernel, const struct sl_map *steady, const struct sl_map *others)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_map_get(steady, i) && !sl_map_get(others, i))
                sl_wi_mark_steady(i);
}

/* Items of sub-groups meet at places of their own, and others run on meanwhile. */
static void look_at_kernel(LLVMValueRef kernel)
{
    struct sl_list starts = {0};
    uint32_t others = list_starts(kernel, &starts);
    if (!others && starts.count > 1 && starts.count <= MOST_BARRIERS) {
        struct walk w = {0};
        struct sl_map steady = {0}, written = {0};
        sl_cfg_init(&w.cfg, kernel);
        for (size_t k = 0; k < starts.count; k++)
            judge(&w, starts.items[k], &steady, &written);
        mark(kernel, &steady, &written);
        sl_map_finish(&steady);
        sl_map_finish(&written);
        sl_list_finish(&w.loads);
        sl_cfg_finish(&w.cfg);
    }
    sl_list_finish(&starts);
}

int sl_pass_steady_loads(struct sl_pass *pass)
{
    /* Runs with a clock count what each item does. */
    for (uint32_t k = 0; k < pass->kernel_count && !sl_pipe_is_timed(pass->module); k++)
        if (!pass->kernels[k].elsewhere)
            look_at_kernel(pass->kernels[k].kernel);
    return 0;
}
