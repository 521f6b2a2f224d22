/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a kernel at its barriers: the block structure. No shared state. */
#include "items/barrier_split.h"

#include "items/work_item.h"
#include "llvm/pass_support.h"
#include <stdlib.h>

static int check_allocas(struct sl_pass *pass, LLVMValueRef kernel)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && (b != entry || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
                return sl_pass_refuse(pass, "%s: private array of variable size",
                                      LLVMGetValueName(kernel));
    return 0;
}

/* Allocas and placeholder calls go to the top of the entry block, the rest behind a split. */
static void split_prologue(struct sl_split *split)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    LLVMBuilderRef top = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(split->kernel)));
    LLVMValueRef first = LLVMGetFirstInstruction(entry), next;
    split->first = sl_llvm_split_block(first, "item");
    LLVMPositionBuilderBefore(top, LLVMGetBasicBlockTerminator(entry));
    for (LLVMBasicBlockRef b = split->first; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            enum sl_wi what;
            unsigned dim;
            next = LLVMGetNextInstruction(i);
            if (LLVMIsAAllocaInst(i) || sl_wi_parse(i, &what, &dim)) {
                LLVMInstructionRemoveFromParent(i);
                LLVMInsertIntoBuilder(top, i);
            }
        }
    LLVMDisposeBuilder(top);
}

void sl_split_isolate(struct sl_split *split, LLVMValueRef barrier)
{
    split->barriers =
        sl_ir_resize(split->barriers, split->barrier_count + 1, sizeof *split->barriers);
    struct sl_barrier *b = &split->barriers[split->barrier_count++];
    b->compacts = sl_wi_is_compaction(barrier);
    b->inner = b->compacts || sl_wi_is_inner_split(barrier);
    split->compacts |= b->compacts;
    b->kind = sl_wi_barrier_kind(barrier);
    split->apart |= b->kind > SL_BARRIER_GROUP;
    b->block = sl_llvm_split_block(barrier, "barrier");
    b->next = sl_llvm_split_block(LLVMGetNextInstruction(barrier), "after");
}

static bool is_split_point(LLVMValueRef i)
{
    return sl_wi_is_barrier(i) || sl_wi_is_inner_split(i) || sl_wi_is_compaction(i);
}

static void split_barriers(struct sl_split *split)
{
    struct sl_list found = {0};
    for (LLVMBasicBlockRef b = split->first; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_split_point(i))
                sl_list_add(&found, i);
    for (size_t i = 0; i < found.count; i++)
        sl_split_isolate(split, found.items[i]);
    sl_list_finish(&found);
}

int sl_split_barrier_at(const struct sl_split *split, LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    if (!is_split_point(first))
        return -1;
    for (uint32_t i = 0; i < split->barrier_count; i++)
        if (split->barriers[i].block == block)
            return (int)i;
    return -1;
}

bool sl_split_compacts_at(const struct sl_split *split, LLVMBasicBlockRef block)
{
    int split_point = block && split->compacts ? sl_split_barrier_at(split, block) : -1;
    return split_point >= 0 && split->barriers[split_point].compacts;
}

int sl_split_init(struct sl_split *split, struct sl_pass *pass, LLVMValueRef kernel)
{
    *split = (struct sl_split){.kernel = kernel, .align = 1};
    sl_llvm_remove_unreachable_blocks(kernel);
    if (check_allocas(pass, kernel))
        return -1;
    split_prologue(split);
    split_barriers(split);
    sl_cfg_init(&split->cfg, kernel);
    sl_split_limit_growth(split, pass);
    if (split->barrier_count) {
        sl_split_fill_prologue(split);
        sl_liveness_init(&split->live, &split->cfg);
        sl_split_find_slots(split, pass);
    }
    return 0;
}

void sl_split_finish(struct sl_split *split)
{
    sl_cfg_finish(&split->cfg);
    sl_liveness_finish(&split->live);
    sl_uniformity_finish(&split->uniform);
    free(split->barriers);
    free(split->slots);
}
