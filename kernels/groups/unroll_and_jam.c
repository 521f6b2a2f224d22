/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of one row becomes that of several rows in step: each instruction that depends on the row's
 * number is there once for each of them, the others and all branches are there once for all. Such
 * code was chosen because its rows go the same way (vector/cost/unroll_rows.c); what it looks
 * like now is checked once more, and code that is not so never runs. No shared state.
 */
#include "groups/group_function.h"
#include "ir/calls.h"
#include "llvm/intrinsics.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

struct copying {
    const struct sl_rows_in_step *code;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct sl_map copies; /* what depends on the row -> its values for rows 1, 2, ...; owned */
    bool changed;
};

/* ---- what depends on the row ----------------------------------------------------------------- */

static LLVMValueRef *copies_of(const struct copying *c, LLVMValueRef value)
{
    return sl_map_get(&c->copies, value);
}

static bool depends(const struct copying *c, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (copies_of(c, LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

static void add(struct copying *c, LLVMValueRef value)
{
    sl_map_set(&c->copies, value, sl_ir_alloc(c->code->count, sizeof(LLVMValueRef)));
    c->changed = true;
}

static LLVMBasicBlockRef next_block(const struct copying *c, LLVMBasicBlockRef block)
{
    return block == c->code->last ? NULL : LLVMGetNextBasicBlock(block);
}

static void find(struct copying *c)
{
    add(c, c->code->y);
    while (c->changed) { /* loops lead back */
        c->changed = false;
        for (LLVMBasicBlockRef b = c->code->first; b; b = next_block(c, b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (!copies_of(c, i) && depends(c, i))
                    add(c, i);
    }
}

/* ---- what it does to memory ------------------------------------------------------------------ */

static LLVMAttributeRef memory_of(LLVMValueRef callee)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    return LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
}

/* Two bits for each kind of memory, of which the upper one is about writing. */
static bool writes(LLVMValueRef callee)
{
    LLVMAttributeRef memory = memory_of(callee);
    return !memory || LLVMGetEnumAttributeValue(memory) & UINT64_C(0xaaaaaaaaaaaaaaaa);
}

static bool call_is_fine(const struct copying *c, LLVMValueRef call)
{
    const unsigned silent = SL_INTRINSIC_LIFETIME | SL_INTRINSIC_ASSUME | SL_INTRINSIC_DEBUG |
                            SL_INTRINSIC_ALIAS_SCOPE | SL_INTRINSIC_PREFETCH;
    if (!*sl_callee_name(call))
        return false;
    if (sl_llvm_is_intrinsic(call, SL_INTRINSIC_MASKED_STORE))
        return copies_of(c, LLVMGetArgOperand(call, 1));
    return sl_llvm_is_intrinsic(call, silent) || !writes(LLVMGetCalledValue(call));
}

/* ---- questions that rows answer together ----------------------------------------------------- */

/* Yes only if each of them says so. */
static void answer_together(struct copying *c, LLVMValueRef branch)
{
    LLVMValueRef all = LLVMGetCondition(branch), *copies = copies_of(c, all);
    LLVMPositionBuilderBefore(c->builder, branch);
    for (uint32_t n = 1; n < c->code->count; n++)
        all = LLVMBuildAnd(c->builder, all, copies[n], "");
    LLVMSetCondition(branch, all);
}

/* ---- may it be so ---------------------------------------------------------------------------- */

/* Rows are never parted, do not share what each has for itself, and each of them stores where it
 * wants to. */
static bool is_fine(const struct copying *c, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (LLVMIsAAllocaInst(LLVMGetOperand(i, (unsigned)k)))
            return false;
    if (LLVMIsATerminatorInst(i))
        return !copies_of(c, i) || sl_rows_may_go_together(c->context, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return false;
    case LLVMLoad:
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    case LLVMStore:
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
               copies_of(c, LLVMGetOperand(i, 1));
    case LLVMCall:
        return call_is_fine(c, i);
    default:
        return true;
    }
}

/* NULL: all of it is fine. */
static LLVMValueRef find_obstacle(const struct copying *c)
{
    for (LLVMBasicBlockRef b = c->code->first; b; b = next_block(c, b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_fine(c, i))
                return i;
    return NULL;
}

/* ---- copying --------------------------------------------------------------------------------- */

static void number_rows(struct copying *c)
{
    LLVMValueRef y = c->code->y, *copies = copies_of(c, y);
    LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(c->code->first));
    for (uint32_t n = 1; n < c->code->count; n++) {
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(y), n, false);
        copies[n] = LLVMBuildAdd(c->builder, y, by, "");
        LLVMSetNSW(copies[n], true);
        LLVMSetNUW(copies[n], true);
    }
}

static void copy(struct copying *c, LLVMValueRef i)
{
    LLVMValueRef *copies = copies_of(c, i);
    LLVMPositionBuilderBefore(c->builder, LLVMGetNextInstruction(i));
    LLVMSetCurrentDebugLocation2(c->builder, LLVMInstructionGetDebugLoc(i));
    for (uint32_t n = 1; n < c->code->count; n++) {
        copies[n] = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(c->builder, copies[n]);
    }
}

static void connect(struct copying *c, LLVMValueRef i)
{
    LLVMValueRef *copies = copies_of(c, i);
    for (uint32_t n = 1; n < c->code->count; n++)
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            LLVMValueRef *of = copies_of(c, LLVMGetOperand(i, (unsigned)k));
            if (of)
                LLVMSetOperand(copies[n], (unsigned)k, of[n]);
        }
}

static void copy_all(struct copying *c)
{
    struct sl_list all = {0};
    for (LLVMBasicBlockRef b = c->code->first; b; b = next_block(c, b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (copies_of(c, i))
                sl_list_add(&all, i);
    for (size_t k = 0; k < all.count; k++)
        if (!LLVMIsATerminatorInst(all.items[k]))
            copy(c, all.items[k]);
    number_rows(c);
    for (size_t k = 0; k < all.count; k++)
        if (LLVMIsATerminatorInst(all.items[k]))
            answer_together(c, all.items[k]);
        else
            connect(c, all.items[k]);
    sl_list_finish(&all);
}

static void answer(LLVMValueRef question, bool is)
{
    LLVMReplaceAllUsesWith(question, LLVMConstInt(LLVMTypeOf(question), is, false));
}

void sl_rows_copy(struct sl_group_function *g)
{
    for (size_t k = 0; k < g->in_step.count; k++) {
        struct copying c = {.code = g->in_step.items[k], .context = g->pass->context};
        c.builder = LLVMCreateBuilderInContext(c.context);
        find(&c);
        LLVMValueRef obstacle = find_obstacle(&c);
        if (!obstacle) {
            copy_all(&c);
            if (c.code->always) {
                answer(c.code->go, true);
                answer(c.code->begins, true); /* the loop over rows goes in steps of so many */
            }
        } else {
            sl_pass_remark(g->pass, g->facts, obstacle, "rows in turn after all: %s",
                           sl_instruction_name(obstacle));
            answer(c.code->go, false);
        }
        sl_map_each(&c.copies, free);
        sl_map_finish(&c.copies);
        LLVMDisposeBuilder(c.builder);
    }
}
