/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics on local memory without the processor's lock. A work-group is run by one thread, so
 * nobody else looks at its local memory, and an atomic there only has to be whole among the items,
 * which it is as long as it is one instruction: until regions are made. So they are marked while
 * pointers still tell their memory, as atomic within one thread, which is also how work-item scope
 * is written, and become a load, an operation and a store when the loops over items stand.
 * No shared state.
 */
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "ir/space.h"

static bool is_update(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static LLVMValueRef pointer_of(LLVMValueRef i)
{
    if (is_update(i) || LLVMIsALoadInst(i))
        return LLVMGetOperand(i, 0);
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

static bool is_atomic(LLVMValueRef i)
{
    return is_update(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static void visit(LLVMModuleRef module, void (*one)(LLVMValueRef, void *), void *data)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (pointer_of(i) && is_atomic(i))
                    one(i, data);
}

static void mark(LLVMValueRef i, void *data)
{
    (void)data;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer_of(i))) == SL_SPACE_LOCAL)
        LLVMSetAtomicSingleThread(i, true);
}

int sl_pass_local_atomics(struct sl_pass *pass)
{
    visit(pass->module, mark, NULL);
    return 0;
}

/* ---- behind the loops over items ------------------------------------------------------------- */

static LLVMValueRef pick(LLVMBuilderRef b, LLVMIntPredicate order, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, order, x, y, ""), x, y, "");
}

/* What is stored for `old`; NULL: this operation stays as it is. */
static LLVMValueRef updated(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                            LLVMValueRef operand)
{
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return operand;
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, operand, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, operand, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, operand, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, operand, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, operand, "");
    case LLVMAtomicRMWBinOpMax:
        return pick(b, LLVMIntSGT, old, operand);
    case LLVMAtomicRMWBinOpMin:
        return pick(b, LLVMIntSLT, old, operand);
    case LLVMAtomicRMWBinOpUMax:
        return pick(b, LLVMIntUGT, old, operand);
    case LLVMAtomicRMWBinOpUMin:
        return pick(b, LLVMIntULT, old, operand);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, operand, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, operand, "");
    default:
        return NULL;
    }
}

static LLVMValueRef load(const struct sl_emit *e, LLVMTypeRef type, LLVMValueRef i)
{
    LLVMValueRef old = LLVMBuildLoad2(e->builder, type, LLVMGetOperand(i, 0), "");
    LLVMSetAlignment(old, LLVMGetAlignment(i));
    return old;
}

static void store(const struct sl_emit *e, LLVMValueRef value, LLVMValueRef i)
{
    LLVMSetAlignment(LLVMBuildStore(e->builder, value, LLVMGetOperand(i, 0)), LLVMGetAlignment(i));
}

static void replace(LLVMValueRef i, LLVMValueRef result)
{
    LLVMReplaceAllUsesWith(i, result);
    LLVMInstructionEraseFromParent(i);
}

static void make_plain_update(const struct sl_emit *e, LLVMValueRef i)
{
    LLVMValueRef operand = LLVMGetOperand(i, 1), old = load(e, LLVMTypeOf(operand), i);
    LLVMValueRef now = updated(e->builder, LLVMGetAtomicRMWBinOp(i), old, operand);
    if (!now) {
        LLVMInstructionEraseFromParent(old);
        return;
    }
    store(e, now, i);
    replace(i, old);
}

static void make_plain_exchange(const struct sl_emit *e, LLVMValueRef i)
{
    LLVMValueRef expected = LLVMGetOperand(i, 1), wanted = LLVMGetOperand(i, 2);
    LLVMBuilderRef b = e->builder;
    LLVMValueRef old = load(e, LLVMTypeOf(expected), i);
    LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
    store(e, LLVMBuildSelect(b, equal, wanted, old, ""), i);
    LLVMValueRef pair = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(i)), old, 0, "");
    replace(i, LLVMBuildInsertValue(b, pair, equal, 1, ""));
}

/* The mark goes as well: plain accesses have no scope. */
static void make_plain_access(LLVMValueRef i)
{
    LLVMSetAtomicSingleThread(i, false);
    LLVMSetOrdering(i, LLVMAtomicOrderingNotAtomic);
}

static void collect(LLVMValueRef i, void *list)
{
    if (LLVMIsAtomicSingleThread(i))
        sl_list_add(list, i);
}

int sl_pass_plain_atomics(struct sl_pass *pass)
{
    struct sl_list marked = {0};
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    visit(pass->module, collect, &marked);
    for (size_t k = 0; k < marked.count; k++) {
        LLVMValueRef i = marked.items[k];
        LLVMPositionBuilderBefore(e.builder, i);
        if (LLVMIsAAtomicRMWInst(i))
            make_plain_update(&e, i);
        else if (LLVMIsAAtomicCmpXchgInst(i))
            make_plain_exchange(&e, i);
        else
            make_plain_access(i);
    }
    sl_list_finish(&marked);
    sl_emit_finish(&e);
    return 0;
}
