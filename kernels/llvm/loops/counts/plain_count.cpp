/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/plain_count.h"

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

/* What is added in each round: the same for all items. */
struct Step {
    Value *by; /* of arguments */
    uint64_t times;
};

struct Growing {
    PHINode *phi;
    Value *start;
    SmallVector<Step, 2> steps;
    uint64_t constant; /* and this, which wraps around; of a pointer: bytes, which all steps are
                          then counted in */
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

bool addStep(Value *by, uint64_t times, Growing &g)
{
    if (const auto *constant = dyn_cast<ConstantInt>(by)) {
        g.constant += times * (uint64_t)constant->getSExtValue();
        return true;
    }
    if (!isOfArguments(by))
        return false;
    g.steps.push_back({by, times});
    return true;
}

bool findSteps(Value *value, Growing &g, unsigned deepest = 8);

bool findSum(BinaryOperator &sum, Growing &g, unsigned deepest)
{
    Value *left = sum.getOperand(0), *right = sum.getOperand(1);
    bool adds = sum.getOpcode() == Instruction::Add;
    if (!adds && sum.getOpcode() != Instruction::Sub)
        return false;
    if (adds && (isa<ConstantInt>(left) || isOfArguments(left)))
        std::swap(left, right);
    return findSteps(left, g, deepest) && addStep(right, adds ? 1 : UINT64_MAX, g);
}

bool findAddress(GEPOperator &address, Growing &g, unsigned deepest)
{
    const DataLayout &layout = g.phi->getModule()->getDataLayout();
    if (!g.phi->getType()->isPointerTy() || !findSteps(address.getPointerOperand(), g, deepest))
        return false;
    APInt bytes(layout.getIndexTypeSizeInBits(g.phi->getType()), 0);
    if (address.accumulateConstantOffset(layout, bytes)) {
        g.constant += (uint64_t)bytes.getSExtValue();
        return true;
    }
    TypeSize size = layout.getTypeAllocSize(address.getSourceElementType());
    return address.getNumIndices() == 1 && addStep(*address.idx_begin(), size.getFixedValue(), g);
}

/* How the next round's comes from this one's, in one addition or several. False: otherwise. */
bool findSteps(Value *value, Growing &g, unsigned deepest)
{
    if (value == g.phi)
        return true;
    if (!deepest)
        return false;
    if (auto *sum = dyn_cast<BinaryOperator>(value))
        return sum->getType()->isIntegerTy() && sum->getType()->getIntegerBitWidth() <= 64 &&
               findSum(*sum, g, deepest - 1);
    auto *address = dyn_cast<GEPOperator>(value);
    return address && findAddress(*address, g, deepest - 1);
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

bool isSum(const Value *value)
{
    const auto *made = dyn_cast<BinaryOperator>(value);
    return made &&
           (made->getOpcode() == Instruction::Add || made->getOpcode() == Instruction::Sub ||
            made->getOpcode() == Instruction::Mul || made->getOpcode() == Instruction::Shl);
}

bool hasId(const Value *value, unsigned deepest = 4)
{
    if (isa<CallInst>(value))
        return true;
    return deepest && (isa<CastInst>(value) || isSum(value)) &&
           any_of(cast<Instruction>(value)->operands(),
                  [deepest](const Value *of) { return hasId(of, deepest - 1); });
}

/* `mad24(y, pitch, mad24(x, 4, offset))`, a sum of uints: it need not count up from item to item.
 */
bool mayWrap(const Value *value, unsigned deepest = 4)
{
    if (!deepest || !isSum(value))
        return false;
    if (!cast<BinaryOperator>(value)->hasNoSignedWrap() && hasId(value))
        return true;
    return any_of(cast<Instruction>(value)->operands(),
                  [deepest](const Value *of) { return mayWrap(of, deepest - 1); });
}

/* It leads to places in memory. */
bool isIndex(const Value *value, unsigned deepest = 3)
{
    return deepest && any_of(value->users(), [=](const User *user) {
               return isa<GEPOperator>(user) ||
                      ((isa<CastInst>(user) || isSum(user)) && isIndex(user, deepest - 1));
           });
}

/* What knows about choices does not see through a loop's values. */
bool isHidden(const Growing &g, bool itemsMeet)
{
    return itemsMeet ? !isa<Constant>(g.start) : isChoice(g.start);
}

/* Nor does what asks whether a sum wraps around. */
bool isWrapping(const Growing &g, bool)
{
    return g.phi->getType()->isIntegerTy(32) && mayWrap(g.start) && isIndex(g.phi);
}

using Question = bool (*)(const Growing &, bool itemsMeet);

SmallVector<Growing, 4> findGrowing(const Loop &loop, const BasicBlock &before,
                                    const BasicBlock &latch, Question question)
{
    bool meet = sluice::anyOf(loop, sluice::itemsMeet);
    SmallVector<Growing, 4> found;
    for (PHINode &phi : loop.getHeader()->phis()) {
        Growing g = {&phi, phi.getIncomingValueForBlock(&before), {}, 0};
        bool grows =
            findSteps(phi.getIncomingValueForBlock(&latch), g) && (g.constant || !g.steps.empty());
        if (grows && question(g, meet))
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

/* Of so many bits as the type has. */
Constant *wrapped(Type *type, uint64_t value)
{
    return ConstantInt::get(type, APInt(64, value).zextOrTrunc(type->getIntegerBitWidth()));
}

/* In front of the loop: all that a round adds. */
Value *addSteps(const Growing &g, Loop &loop, Instruction *before, Type *type)
{
    IRBuilder<> build(before);
    Value *all = g.constant ? wrapped(type, g.constant) : nullptr;
    for (const Step &step : g.steps) {
        bool changed = false;
        loop.makeLoopInvariant(step.by, changed, before);
        dropFlags(step.by);
        Value *one = build.CreateSExtOrTrunc(step.by, type);
        if (step.times != 1)
            one = build.CreateMul(one, wrapped(type, step.times));
        all = all ? build.CreateAdd(all, one) : one;
    }
    return all;
}

/* Where the loop begins a round, or behind its question whether there is one more, if all who use
 * the value come later: what stands in front of the question, loop-rotate carries from round to
 * round again. */
BasicBlock *placeOf(const Growing &g, const Loop &loop, const DominatorTree &dominators)
{
    BasicBlock *header = g.phi->getParent(), *inside = nullptr;
    if (!loop.isLoopExiting(header) || loop.getLoopLatch() == header)
        return header;
    for (BasicBlock *next : successors(header))
        if (loop.contains(next) && next->getSinglePredecessor())
            inside = next;
    if (!inside ||
        !all_of(g.phi->uses(), [&](const Use &use) { return dominators.dominates(inside, use); }))
        return header;
    return inside;
}

void sayByRound(const Growing &g, Loop &loop, PHINode *round, const DominatorTree &dominators)
{
    bool pointer = g.phi->getType()->isPointerTy();
    Type *type = pointer ? round->getType() : g.phi->getType();
    /* First: what stands at the place may be a step that goes in front of the loop. */
    Value *step = addSteps(g, loop, loop.getLoopPreheader()->getTerminator(), type);
    BasicBlock *place = placeOf(g, loop, dominators);
    IRBuilder<> build(place, place->getFirstInsertionPt());
    Value *count = build.CreateZExtOrTrunc(round, type);
    Value *grown = build.CreateMul(count, step);
    Value *now = pointer ? build.CreatePtrAdd(g.start, grown) : build.CreateAdd(g.start, grown);
    g.phi->replaceAllUsesWith(now);
    g.phi->eraseFromParent();
}

void sayAllByRound(LLVMValueRef handle, Question question)
{
    auto &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
        if (!before || !latch)
            continue;
        SmallVector<Growing, 4> growing = findGrowing(*loop, *before, *latch, question);
        if (growing.empty())
            continue;
        PHINode *round = countRounds(*loop->getHeader(), *before, *latch);
        for (const Growing &g : growing)
            sayByRound(g, *loop, round, dominators);
    }
}

} // namespace

void sl_llvm_say_by_round(LLVMValueRef function)
{
    sayAllByRound(function, isHidden);
}

void sl_llvm_say_wrapping_by_round(LLVMValueRef function)
{
    sayAllByRound(function, isWrapping);
}
