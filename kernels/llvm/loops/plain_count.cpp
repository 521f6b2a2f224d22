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
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace
{

struct Growing {
    PHINode *phi;
    Value *start;
    int64_t step; /* of a pointer: bytes */
};

/* What the last block of a round adds; 0: it is no constant, or more is done. */
int64_t stepOf(const PHINode &phi, const Value *next)
{
    if (const auto *add = dyn_cast<BinaryOperator>(next)) {
        const auto *by = dyn_cast<ConstantInt>(add->getOperand(1));
        return add->getOpcode() == Instruction::Add && add->getOperand(0) == &phi && by &&
                       by->getBitWidth() <= 64
                   ? by->getSExtValue()
                   : 0;
    }
    const auto *address = dyn_cast<GEPOperator>(next);
    const DataLayout &layout = phi.getModule()->getDataLayout();
    if (!address || address->getPointerOperand() != &phi || !phi.getType()->isPointerTy())
        return 0;
    APInt bytes(layout.getIndexTypeSizeInBits(phi.getType()), 0);
    return address->accumulateConstantOffset(layout, bytes) ? bytes.getSExtValue() : 0;
}

SmallVector<Growing, 4> findGrowing(const Loop &loop, const BasicBlock &before,
                                    const BasicBlock &latch)
{
    SmallVector<Growing, 4> found;
    for (PHINode &phi : loop.getHeader()->phis()) {
        Value *start = phi.getIncomingValueForBlock(&before);
        int64_t step = stepOf(phi, phi.getIncomingValueForBlock(&latch));
        if (step && !isa<Constant>(start))
            found.push_back({&phi, start, step});
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
    Value *now;
    if (g.phi->getType()->isPointerTy()) {
        Value *bytes = build.CreateMul(round, build.getInt64((uint64_t)g.step));
        now = build.CreatePtrAdd(g.start, bytes);
    } else {
        Type *type = g.phi->getType();
        Value *count = build.CreateZExtOrTrunc(round, type);
        now =
            build.CreateAdd(g.start, build.CreateMul(count, ConstantInt::getSigned(type, g.step)));
    }
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
        if (!before || !latch || !sluice::anyOf(*loop, sluice::itemsMeet))
            continue;
        SmallVector<Growing, 4> growing = findGrowing(*loop, *before, *latch);
        if (growing.empty())
            continue;
        PHINode *round = countRounds(*loop->getHeader(), *before, *latch);
        for (const Growing &g : growing)
            sayByRound(g, round);
    }
}
