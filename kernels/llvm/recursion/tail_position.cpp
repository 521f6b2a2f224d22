/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No state. */
#include "llvm/recursion/tail_position.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace
{

constexpr size_t mostBlocks = 64; /* between a call and the use of its value */
constexpr size_t mostCopied = 32; /* instructions of a block that paths do not share any longer */
constexpr unsigned mostTimes = 8; /* behind one call */

bool isPure(const Instruction &i)
{
    return !i.mayHaveSideEffects() && !i.mayReadFromMemory();
}

SmallVector<CallInst *, 8> callsOfItself(Function &f)
{
    SmallVector<CallInst *, 8> calls;
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i); call && call->getCalledFunction() == &f)
            calls.push_back(call);
    return calls;
}

/* ---- down to the use ------------------------------------------------------------------------- */

/* All ways from the call's block, by pure code and without a loop, end at `use`, and nothing else
 * comes there. */
bool meetsOnly(const CallInst &call, const BasicBlock &use)
{
    SmallSetVector<const BasicBlock *, 16> between;
    between.insert(call.getParent());
    for (size_t k = 0; k < between.size(); k++) {
        if (between.size() > mostBlocks || succ_empty(between[k]))
            return false;
        for (const BasicBlock *next : successors(between[k])) {
            if (next == call.getParent())
                return false;
            if (next != &use)
                between.insert(next);
        }
    }
    auto known = [&](const BasicBlock *block) { return between.contains(block); };
    for (size_t k = 1; k < between.size(); k++)
        if (!all_of(predecessors(between[k]), known) || !all_of(*between[k], isPure))
            return false;
    if (!all_of(predecessors(&use), known))
        return false;
    for (const Instruction *i = call.getNextNode(); i; i = i->getNextNode())
        if (!isPure(*i))
            return false;
    return true;
}

bool hasLoop(const BasicBlock *from, const BasicBlock *use,
             SmallPtrSetImpl<const BasicBlock *> &open, SmallPtrSetImpl<const BasicBlock *> &done)
{
    if (from == use || done.contains(from))
        return false;
    if (!open.insert(from).second)
        return true;
    for (const BasicBlock *next : successors(from))
        if (hasLoop(next, use, open, done))
            return true;
    open.erase(from);
    done.insert(from);
    return false;
}

/* In another block, as an operation that is no phi: as yet it would be computed on one way only. */
Instruction *firstUse(CallInst &call)
{
    Instruction *user = call.hasOneUse() ? dyn_cast<Instruction>(*call.user_begin()) : nullptr;
    return user && !isa<PHINode>(user) && user->getParent() != call.getParent() ? user : nullptr;
}

void moveDown(CallInst &call)
{
    Instruction *user = firstUse(call);
    if (!user || !meetsOnly(call, *user->getParent()))
        return;
    SmallPtrSet<const BasicBlock *, 16> open, done;
    if (hasLoop(call.getParent(), user->getParent(), open, done))
        return;
    for (const Instruction &i : *user->getParent()) {
        if (&i == user)
            break;
        if (!isPure(i))
            return;
    }
    call.moveBefore(user->getIterator());
}

/* ---- ways of their own ----------------------------------------------------------------------- */

bool canBeCopied(const BasicBlock &block)
{
    const Instruction *end = block.getTerminator();
    const auto *branch = dyn_cast<BranchInst>(end);
    if (block.size() > mostCopied ||
        !(isa<ReturnInst>(end) || (branch && branch->isUnconditional())))
        return false;
    return all_of(block, [&](const Instruction &i) { return &i == end || isPure(i); });
}

/* Behind this block they are only asked for in the next one's phis, if at all. */
bool arePrivate(const BasicBlock &block)
{
    const BasicBlock *next = block.getSingleSuccessor();
    for (const Instruction &i : block)
        for (const User *user : i.users()) {
            auto *by = cast<Instruction>(user);
            if (by->getParent() != &block && !(isa<PHINode>(by) && by->getParent() == next))
                return false;
        }
    return true;
}

/* `from` ends with a jump to `shared`, whose code takes the jump's place. */
void copyInto(BasicBlock &from, BasicBlock &shared)
{
    ValueToValueMapTy map;
    Instruction *jump = from.getTerminator();
    for (Instruction &i : shared) {
        if (auto *phi = dyn_cast<PHINode>(&i)) {
            map[phi] = phi->getIncomingValueForBlock(&from);
            continue;
        }
        Instruction *copy = i.clone();
        copy->insertBefore(jump->getIterator());
        RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        map[&i] = copy;
    }
    if (BasicBlock *next = shared.getSingleSuccessor())
        for (PHINode &phi : next->phis()) {
            Value *value = phi.getIncomingValueForBlock(&shared);
            Value *mapped = map.lookup(value);
            phi.addIncoming(mapped ? mapped : value, &from);
        }
    shared.removePredecessor(&from, true);
    jump->eraseFromParent();
}

void leaveCompany(CallInst &call)
{
    BasicBlock &block = *call.getParent();
    for (unsigned times = 0; times < mostTimes; times++) {
        BasicBlock *next = block.getSingleSuccessor();
        auto *jump = dyn_cast<BranchInst>(block.getTerminator());
        if (!next || !jump || !jump->isUnconditional() || next->hasNPredecessors(1) ||
            !canBeCopied(*next) || !arePrivate(*next))
            return;
        copyInto(block, *next);
    }
}

/* ---- one sum for all ------------------------------------------------------------------------- */

struct Sum { /* a block's end: call, operation, return */
    CallInst *call;
    BinaryOperator *operation;
    ReturnInst *end;

    Value *other() const
    {
        return operation->getOperand(operation->getOperand(0) == call);
    }
};

bool findSum(CallInst &call, Sum &sum)
{
    auto *operation = call.hasOneUse() ? dyn_cast<BinaryOperator>(*call.user_begin()) : nullptr;
    if (!operation || operation->getParent() != call.getParent() || !operation->hasOneUse() ||
        !operation->isAssociative() || !operation->isCommutative())
        return false;
    sum = {&call, operation, dyn_cast<ReturnInst>(*operation->user_begin())};
    for (const Instruction *i = call.getNextNode(); i != call.getParent()->getTerminator();
         i = i->getNextNode())
        if (!isPure(*i))
            return false;
    return sum.end && sum.end->getParent() == call.getParent();
}

bool hasCopies(const CallInst &call)
{
    for (unsigned i = 0; i < call.arg_size(); i++)
        if (call.isByValArgument(i))
            return true;
    return false;
}

PHINode *join(ArrayRef<Sum> sums, BasicBlock *block, function_ref<Value *(const Sum &)> of)
{
    PHINode *phi = PHINode::Create(of(sums[0])->getType(), sums.size(), "", block);
    for (const Sum &sum : sums)
        phi->addIncoming(of(sum), sum.call->getParent());
    return phi;
}

/* All of one kind. */
void shareCall(ArrayRef<Sum> sums)
{
    Function *f = sums[0].call->getFunction();
    BasicBlock *block = BasicBlock::Create(f->getContext(), "", f);
    auto *call = cast<CallInst>(sums[0].call->clone());
    for (unsigned i = 0; i < call->arg_size(); i++)
        call->setArgOperand(
            i, join(sums, block, [i](const Sum &sum) { return sum.call->getArgOperand(i); }));
    PHINode *other = join(sums, block, [](const Sum &sum) { return sum.other(); });
    call->setAttributes({}); /* what holds for the first one's arguments */
    call->insertInto(block, block->end());
    auto *operation =
        BinaryOperator::Create(sums[0].operation->getOpcode(), call, other, "", block);
    operation->setDebugLoc(sums[0].operation->getDebugLoc());
    operation->copyIRFlags(sums[0].operation);
    for (const Sum &sum : sums)
        operation->andIRFlags(sum.operation);
    ReturnInst::Create(f->getContext(), operation, block)->setDebugLoc(sums[0].end->getDebugLoc());
    for (const Sum &sum : sums) {
        BranchInst::Create(block, sum.end->getIterator())->setDebugLoc(sum.end->getDebugLoc());
        sum.end->eraseFromParent();
        sum.operation->eraseFromParent();
        sum.call->eraseFromParent();
    }
}

void shareSums(Function &f)
{
    SmallVector<Sum, 8> sums;
    for (CallInst *call : callsOfItself(f))
        if (Sum sum; !hasCopies(*call) && findSum(*call, sum) &&
                     (sums.empty() || sum.operation->getOpcode() == sums[0].operation->getOpcode()))
            sums.push_back(sum);
    if (sums.size() > 1)
        shareCall(sums);
}

} // namespace

void sluice::moveCallsDown(Function &f)
{
    for (CallInst *call : callsOfItself(f))
        moveDown(*call);
}

void sluice::giveReturns(Function &f)
{
    for (CallInst *call : callsOfItself(f))
        leaveCompany(*call);
    shareSums(f);
}
