/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/sink_ways.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace
{

bool mayMove(const Instruction &i)
{
    return !isa<PHINode>(i) && !isa<AllocaInst>(i) && !i.isTerminator() && !i.isEHPad() &&
           !i.mayHaveSideEffects() && !i.mayReadFromMemory() && !isa<CallBase>(i);
}

bool isOnlyUsedIn(const Instruction &i, const BasicBlock &way)
{
    return all_of(i.users(), [&](const User *user) {
        const auto *in = dyn_cast<Instruction>(user);
        return in && in->getParent() == &way && !isa<PHINode>(in);
    });
}

/* Users come before what they use, so that a chain goes as a whole. */
void sinkInto(BasicBlock &way, const LoopInfo &loops)
{
    SmallVector<Instruction *, 32> work;
    for (Instruction &i : reverse(way))
        work.push_back(&i);
    for (size_t n = 0; n < work.size(); n++)
        for (Value *operand : work[n]->operands()) {
            auto *i = dyn_cast<Instruction>(operand);
            if (!i || i->getParent() == &way || !mayMove(*i) || !isOnlyUsedIn(*i, way) ||
                loops.getLoopFor(i->getParent()) != loops.getLoopFor(&way))
                continue;
            i->moveBefore(way, way.getFirstInsertionPt());
            work.push_back(i);
        }
}

} // namespace

void sl_llvm_sink_into_ways(LLVMValueRef handle, unsigned kind)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<BasicBlock *, 16> ways;
    for (BasicBlock &block : f) {
        const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || !branch->isConditional() || !branch->getMetadata(kind))
            continue;
        for (BasicBlock *way : successors(&block))
            if (way->getSinglePredecessor() == &block)
                ways.push_back(way);
    }
    if (ways.empty())
        return;
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (BasicBlock *way : ways)
        sinkInto(*way, loops);
}
