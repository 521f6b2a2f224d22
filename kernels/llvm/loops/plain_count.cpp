/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/plain_count.h"

#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace
{

struct Growing {
    PHINode *phi;
    Value *start;
    Value *by;    /* what is added in each round, the same for all items; NULL: */
    int64_t step; /* a constant. Of a pointer: bytes, or of `by` that many of these */
};

/* Computed from nothing but arguments, by what is never poison if they are not and no flag is
 * set: one of each item's own would wait in memory instead. */
bool isOfArguments(const Value *value, unsigned deepest = 6)
{
    if (isa<Argument>(value) || isa<ConstantInt>(value))
        return true;
    const auto *made = dyn_cast<Instruction>(value);
    if (!made || !deepest)
        return false;
    bool plain;
    switch (made->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
        plain = true;
        break;
    default:
        plain = made->getOpcode() == Instruction::Shl && isa<ConstantInt>(made->getOperand(1));
    }
    return plain && all_of(made->operands(),
                           [deepest](const Value *of) { return isOfArguments(of, deepest - 1); });
}

/* It is added in the first round too from now on. */
void dropFlags(Value *by)
{
    auto *made = dyn_cast<Instruction>(by);
    if (!made)
        return;
    made->dropPoisonGeneratingFlags();
    for (Value *of : made->operands())
        dropFlags(of);
}

bool isEvenStep(const Loop &loop, const Value *by)
{
    return loop.isLoopInvariant(by) && isOfArguments(by);
}

/* What the last block of a round adds; step 0: another one in each round, or more is done. */
void findSum(const Loop &loop, const BinaryOperator &add, Growing &g)
{
    unsigned old = add.getOperand(1) == g.phi;
    Value *by = add.getOperand(1 - old);
    if (add.getOpcode() != Instruction::Add || add.getOperand(old) != g.phi ||
        !add.getType()->isIntegerTy() || add.getType()->getIntegerBitWidth() > 64)
        return;
    if (const auto *constant = dyn_cast<ConstantInt>(by)) {
        g.step = constant->getSExtValue();
    } else if (isEvenStep(loop, by)) {
        g.by = by;
        g.step = 1;
    }
}

void findAddress(const Loop &loop, const GEPOperator &address, Growing &g)
{
    const DataLayout &layout = g.phi->getModule()->getDataLayout();
    if (address.getPointerOperand() != g.phi || !g.phi->getType()->isPointerTy())
        return;
    APInt bytes(layout.getIndexTypeSizeInBits(g.phi->getType()), 0);
    if (address.accumulateConstantOffset(layout, bytes)) {
        g.step = bytes.getSExtValue();
    } else if (address.getNumIndices() == 1 && isEvenStep(loop, *address.idx_begin())) {
        g.by = *address.idx_begin();
        g.step = (int64_t)layout.getTypeAllocSize(address.getSourceElementType()).getFixedValue();
    }
}

/* A call or what little was made of it: an id, most likely. */
bool looksLikeId(const Value *value)
{
    while (isa<CastInst>(value) || isa<BinaryOperator>(value))
        value = cast<Instruction>(value)->getOperand(0);
    return isa<CallInst>(value);
}

/* One of two by where an item is: `i == 0 ? c : c - 1`, also as the truth that is added, or with
 * the lesser one. */
bool isChoice(const Value *value, unsigned deepest = 4)
{
    const auto *made = dyn_cast<Instruction>(value);
    if (!made || !deepest)
        return false;
    const auto *asks = isa<SelectInst>(made) || isa<CastInst>(made)
                           ? dyn_cast<ICmpInst>(made->getOperand(0))
                           : nullptr;
    if (isa<MinMaxIntrinsic>(made) || isa<SaturatingInst>(made))
        return looksLikeId(made->getOperand(0)) || looksLikeId(made->getOperand(1));
    if (asks)
        return looksLikeId(asks->getOperand(0)) || looksLikeId(asks->getOperand(1));
    return (made->isCast() || made->isBinaryOp() || isa<GEPOperator>(made)) &&
           any_of(made->operands(),
                  [deepest](const Value *of) { return isChoice(of, deepest - 1); });
}

SmallVector<Growing, 4> findGrowing(const Loop &loop, const BasicBlock &before,
                                    const BasicBlock &latch)
{
    bool meet = sluice::anyOf(loop, sluice::itemsMeet);
    SmallVector<Growing, 4> found;
    for (PHINode &phi : loop.getHeader()->phis()) {
        Growing g = {&phi, phi.getIncomingValueForBlock(&before), nullptr, 0};
        const Value *next = phi.getIncomingValueForBlock(&latch);
        if (const auto *add = dyn_cast<BinaryOperator>(next))
            findSum(loop, *add, g);
        else if (const auto *address = dyn_cast<GEPOperator>(next))
            findAddress(loop, *address, g);
        if (g.step && (meet ? !isa<Constant>(g.start) : isChoice(g.start)))
            found.push_back(g);
    }
    return found;
}

PHINode *countRounds(BasicBlock &header, BasicBlock &before, BasicBlock &latch)
{
    IRBuilder<> build(&header, header.begin());
    PHINode *round = build.CreatePHI(build.getInt64Ty(), 2, "round");
    build.SetInsertPoint(latch.getTerminator());
    round->addIncoming(build.getInt64(0), &before);
    round->addIncoming(build.CreateAdd(round, build.getInt64(1), "", true, true), &latch);
    return round;
}

void sayByRound(const Growing &g, PHINode *round)
{
    BasicBlock *header = round->getParent();
    IRBuilder<> build(header, header->getFirstInsertionPt());
    bool pointer = g.phi->getType()->isPointerTy();
    Type *type = pointer ? round->getType() : g.phi->getType();
    Value *count = build.CreateZExtOrTrunc(round, type);
    if (g.by) {
        dropFlags(g.by);
        count = build.CreateMul(count, build.CreateSExtOrTrunc(g.by, type));
    }
    Value *grown = build.CreateMul(count, ConstantInt::getSigned(type, g.step));
    Value *now = pointer ? build.CreatePtrAdd(g.start, grown) : build.CreateAdd(g.start, grown);
    g.phi->replaceAllUsesWith(now);
    g.phi->eraseFromParent();
}

} // namespace

void sl_llvm_say_by_round(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
        if (!before || !latch)
            continue;
        SmallVector<Growing, 4> growing = findGrowing(*loop, *before, *latch);
        if (growing.empty())
            continue;
        PHINode *round = countRounds(*loop->getHeader(), *before, *latch);
        for (const Growing &g : growing)
            sayByRound(g, round);
    }
}
