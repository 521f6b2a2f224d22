/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products of matrices that live across barriers: as vectors of an item they would lie in
 * the context item by item, and be taken apart for each product. As single numbers their items lie
 * side by side, which is how rows of tiles are read. No shared state.
 */
#include "passes/stages.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "items/sub_group_op.h"

enum { MOST_ROWS = 8 };

/* A vector is put together where it is multiplied: before, only its numbers live. */
static void assemble_at(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef vector)
{
    LLVMPositionBuilderBefore(builder, call);
    for (LLVMValueRef next; LLVMIsAInsertElementInst(vector); vector = next) {
        LLVMUseRef use = LLVMGetFirstUse(vector);
        if (!use || LLVMGetNextUse(use))
            return;
        next = LLVMGetOperand(vector, 0);
        LLVMInstructionRemoveFromParent(vector);
        LLVMInsertIntoBuilder(builder, vector);
        LLVMPositionBuilderBefore(builder, vector);
    }
}

/* ---- rows that follow each other ------------------------------------------------------------- */

/* The numbers that a vector is put together of; false: of others than phis. */
static bool add_phis(LLVMValueRef vector, struct sl_list *phis)
{
    LLVMValueRef parts[MOST_ROWS] = {NULL};
    unsigned count = 0, most = LLVMGetTypeKind(LLVMTypeOf(vector)) == LLVMVectorTypeKind
                                   ? LLVMGetVectorSize(LLVMTypeOf(vector))
                                   : 0;
    for (; LLVMIsAInsertElementInst(vector); vector = LLVMGetOperand(vector, 0)) {
        LLVMValueRef part = LLVMGetOperand(vector, 1), at = LLVMGetOperand(vector, 2);
        uint64_t k = LLVMIsAConstantInt(at) ? LLVMConstIntGetZExtValue(at) : most;
        if (k >= most || k >= MOST_ROWS || parts[k] || !LLVMIsAPHINode(part))
            return false;
        parts[k] = part;
        count++;
    }
    for (unsigned k = 0; k < most && count == most; k++)
        sl_list_add(phis, parts[k]);
    return count && count == most;
}

static void put_first(LLVMBuilderRef builder, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    if (LLVMGetFirstInstruction(block) == phi)
        return;
    LLVMInstructionRemoveFromParent(phi);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(block));
    LLVMInsertIntoBuilder(builder, phi);
}

/* Products with one b become one with more rows (llvm/loops/matrix/matrix_joining.h): their sums
 * get places in the context side by side, which are given in the order of phis. */
static void put_in_order(LLVMBuilderRef builder, const struct sl_list *calls)
{
    struct sl_list phis = {0};
    struct sl_map done = {0};
    for (size_t k = 0; k < calls->count; k++) {
        LLVMValueRef b = LLVMGetArgOperand(calls->items[k], 1);
        for (size_t n = k; n < calls->count && !sl_map_get(&done, b); n++)
            if (LLVMGetArgOperand(calls->items[n], 1) == b)
                add_phis(LLVMGetArgOperand(calls->items[n], 2), &phis);
        sl_map_set(&done, b, b);
    }
    while (phis.count)
        put_first(builder, phis.items[--phis.count]);
    sl_list_finish(&phis);
    sl_map_finish(&done);
}

int sl_part_matrix_rows(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_list calls = {0};
    struct sl_sub_group_op op;
    if (sl_pass_run_llvm(pass, kernel, "scalarizer"))
        return -1;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && sl_sub_group_op(i, &op) && op.kind == SL_SUB_GROUP_MATRIX)
                sl_list_add(&calls, i);
    for (size_t k = 0; k < calls.count; k++)
        assemble_at(builder, calls.items[k], LLVMGetArgOperand(calls.items[k], 2));
    put_in_order(builder, &calls);
    LLVMDisposeBuilder(builder);
    sl_list_finish(&calls);
    return 0;
}
