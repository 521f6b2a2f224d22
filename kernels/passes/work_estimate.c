/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much work an item of a kernel is at most, so that the driver can tell which launches need not
 * wait for the best code (SL_KERNEL_QUICK): instructions, those of loops as often as they go round.
 * Where they depend on the kernel's arguments, a rule is left instead of a number. A kernel with a
 * loop of which nobody can tell has no quick code: no launch of it is known to be small. No shared
 * state.
 */
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/control_flow/cfg.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "pipes/pipe.h"
#include "llvm/loops/counts/trip_count.h"
#include "llvm/loops/work_rule.h"
#include <stdlib.h>
#include <string.h>

#define CALL 40       /* of a function whose code is elsewhere */
#define PACKET 20     /* with the way to another kernel now and then */
#define MOST 1000000u /* instructions: it is not small, or nobody can tell */

struct estimate {
    struct sl_map known; /* function -> its work + 1 */
};

static uint64_t work_of(struct estimate *, LLVMValueRef f);

/* Intrinsics and ids are an instruction or so. */
static uint64_t work_of_call(struct estimate *e, LLVMValueRef call)
{
    if (sl_pipe_is_opaque(call))
        return PACKET;
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
    if (known)
        return known - 1;
    sl_map_set(&e->known, f, (void *)(uintptr_t)(MOST + 1)); /* until it is known */
    uint64_t *trips = sl_ir_alloc(LLVMCountBasicBlocks(f), sizeof *trips), *own = trips;
    if (!sl_llvm_block_trips(f, MOST, trips))
        work = MOST;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && work < MOST;
         b = LLVMGetNextBasicBlock(b))
        work += *own++ * work_of_block(e, b);
    free(trips);
    work = work < MOST ? work : MOST;
    sl_map_set(&e->known, f, (void *)(uintptr_t)(work + 1));
    return work;
}

/* NULL: nobody can tell, or a call in it is much work whatever the arguments are. */
static char *rule_of(struct estimate *e, LLVMValueRef kernel)
{
    uint64_t *work = sl_ir_alloc(LLVMCountBasicBlocks(kernel), sizeof *work), *own = work;
    bool known = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        known &= (*own++ = work_of_block(e, b)) < MOST;
    char *rule = known ? sl_llvm_work_rule(kernel, work) : NULL;
    free(work);
    return rule;
}

/* Its loops may depend on what it is called with, which is often a constant. */
static bool is_helper(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && !sl_is_kernel(f) && LLVMCountBasicBlocks(f) > 1;
}

static int show_constants(struct sl_pass *pass)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
        if (!is_helper(f))
            continue;
        any = true;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        if (sl_pass_run_llvm(pass, f, "sroa"))
            return -1;
    }
    return any ? sl_pass_run_llvm_on_module(pass, "ipsccp<no-func-spec>") : 0;
}

static bool has_barrier(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (sl_wi_is_barrier(i))
            return true;
    return false;
}

/* Is there a way through it without a barrier, and one with? Items that leave early take it, and
 * only the best code knows what becomes of the others (vector/analysis/guard.c). */
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

/* Kernels that pipes join have their best code later together, or all of it now. */
static bool is_apart(const struct sl_pass *pass)
{
    bool apart = sl_pipe_may_be_lent(pass->pipes);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        apart &= !sl_pass_has(pass, SL_PASS_QUICK) || pass->kernels[k].flags & SL_KERNEL_QUICK;
    return apart || !pass->pipes->ring_count;
}

static int divide_design(struct sl_pass *pass)
{
    if (!sl_pass_has(pass, SL_PASS_DIVIDED) || is_apart(pass))
        return 0;
    pass->flags |= SL_PASS_NEEDS_ALL_FORMS;
    return -1;
}

int sl_pass_work_estimate(struct sl_pass *pass)
{
    struct estimate e = {0};
    if (!sl_pass_has(pass, SL_PASS_QUICK))
        return divide_design(pass);
    if (show_constants(pass))
        return -1;
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (passes_barriers_by(facts->kernel))
            continue;
        facts->work = (uint32_t)work_of(&e, facts->kernel);
        if (facts->work == MOST)
            facts->work_rule = rule_of(&e, facts->kernel);
        if (facts->work < MOST || facts->work_rule || sl_pass_has(pass, SL_PASS_ALWAYS_QUICK))
            facts->flags |= SL_KERNEL_QUICK;
    }
    sl_map_finish(&e.known);
    return divide_design(pass);
}
