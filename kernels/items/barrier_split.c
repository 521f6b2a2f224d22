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
static void split_prologue(struct sl_split *cut)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(cut->kernel);
    LLVMBuilderRef top = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(cut->kernel)));
    LLVMValueRef first = LLVMGetFirstInstruction(entry), next;
    cut->first = sl_llvm_split_block(first, "item");
    LLVMPositionBuilderBefore(top, LLVMGetBasicBlockTerminator(entry));
    for (LLVMBasicBlockRef b = cut->first; b; b = LLVMGetNextBasicBlock(b))
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

void sl_split_isolate(struct sl_split *cut, LLVMValueRef barrier)
{
    cut->barriers = sl_ir_resize(cut->barriers, cut->barrier_count + 1, sizeof *cut->barriers);
    struct sl_barrier *b = &cut->barriers[cut->barrier_count++];
    b->compacts = sl_wi_is_compaction(barrier);
    b->inner = b->compacts || sl_wi_is_inner_split(barrier);
    cut->compacts |= b->compacts;
    b->kind = sl_wi_barrier_kind(barrier);
    cut->apart |= b->kind > SL_BARRIER_GROUP;
    b->block = sl_llvm_split_block(barrier, "barrier");
    b->next = sl_llvm_split_block(LLVMGetNextInstruction(barrier), "after");
}

static bool is_divider(LLVMValueRef i)
{
    return sl_wi_is_barrier(i) || sl_wi_is_inner_split(i) || sl_wi_is_compaction(i);
}

static void split_barriers(struct sl_split *cut)
{
    struct sl_list found = {0};
    for (LLVMBasicBlockRef b = cut->first; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_divider(i))
                sl_list_add(&found, i);
    for (size_t i = 0; i < found.count; i++)
        sl_split_isolate(cut, found.items[i]);
    sl_list_finish(&found);
}

int sl_split_barrier_at(const struct sl_split *cut, LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    if (!is_divider(first))
        return -1;
    for (uint32_t i = 0; i < cut->barrier_count; i++)
        if (cut->barriers[i].block == block)
            return (int)i;
    return -1;
}

bool sl_split_compacts_at(const struct sl_split *cut, LLVMBasicBlockRef block)
{
    int divider = block && cut->compacts ? sl_split_barrier_at(cut, block) : -1;
    return divider >= 0 && cut->barriers[divider].compacts;
}

int sl_split_init(struct sl_split *cut, struct sl_pass *pass, LLVMValueRef kernel)
{
    *cut = (struct sl_split){.kernel = kernel, .align = 1};
    sl_llvm_remove_unreachable_blocks(kernel);
    if (check_allocas(pass, kernel))
        return -1;
    split_prologue(cut);
    split_barriers(cut);
    sl_cfg_init(&cut->cfg, kernel);
    sl_split_limit_growth(cut, pass);
    if (cut->barrier_count) {
        sl_split_fill_prologue(cut);
        sl_liveness_init(&cut->live, &cut->cfg);
        sl_split_find_slots(cut, pass);
    }
    return 0;
}

void sl_split_finish(struct sl_split *cut)
{
    sl_cfg_finish(&cut->cfg);
    sl_liveness_finish(&cut->live);
    free(cut->barriers);
    free(cut->slots);
}
