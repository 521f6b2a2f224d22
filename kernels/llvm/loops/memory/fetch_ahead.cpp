/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/fetch_ahead.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace
{

constexpr unsigned mostLoads = 8; /* of a loop */
constexpr uint64_t line = 64;     /* bytes */

struct Load {
    LoadInst *is;
    const SCEV *step; /* bytes from round to round */
};

/* By how much the place grows with each round of this loop, whatever inner ones add; NULL: nobody
 * knows. */
const SCEV *stepIn(sluice::Analyses &in, const Loop &loop, const SCEV *place)
{
    while (const auto *grows = dyn_cast<SCEVAddRecExpr>(place)) {
        if (!grows->isAffine())
            return nullptr;
        if (grows->getLoop() == &loop)
            return grows->getStepRecurrence(in.evolution);
        if (!loop.contains(grows->getLoop()) ||
            !in.evolution.isLoopInvariant(grows->getStepRecurrence(in.evolution), &loop))
            return nullptr;
        place = grows->getStart();
    }
    return nullptr;
}

bool isFar(const SCEV *step)
{
    const auto *bytes = dyn_cast<SCEVConstant>(step);
    return !bytes || bytes->getAPInt().abs().uge(line);
}

bool isOfArgument(const LoadInst &load)
{
    return isa<Argument>(getUnderlyingObject(load.getPointerOperand(), 0)) && load.isSimple();
}

SmallVector<Load, mostLoads> findLoads(sluice::Analyses &in, const Loop &loop)
{
    SmallVector<Load, mostLoads> found;
    const SCEVExpander expander(in.evolution, "");
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block) {
            auto *load = dyn_cast<LoadInst>(&i);
            if (found.size() == mostLoads || !load || !isOfArgument(*load))
                continue;
            const SCEV *step = stepIn(in, loop, in.evolution.getSCEV(load->getPointerOperand()));
            if (step && isFar(step) && in.evolution.isLoopInvariant(step, &loop) &&
                expander.isSafeToExpandAt(step, loop.getLoopPreheader()->getTerminator()))
                found.push_back({load, step});
        }
    return found;
}

} // namespace

unsigned sl_llvm_fetch_ahead(LLVMValueRef handle, bool (*is)(LLVMValueRef))
{
    auto &f = *unwrap<Function>(handle);
    sluice::Analyses in(f);
    unsigned count = 0;
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        const bool around = any_of(loop->blocks(), [is](BasicBlock *block) {
            return any_of(*block, [is](Instruction &i) { return is(wrap(&i)); });
        });
        if (!around || !loop->getLoopPreheader())
            continue;
        SCEVExpander expander(in.evolution, "ahead");
        for (const Load &load : findLoads(in, *loop)) {
            Value *step = expander.expandCodeFor(load.step, Type::getInt64Ty(f.getContext()),
                                                 loop->getLoopPreheader()->getTerminator());
            IRBuilder<> build(load.is->getNextNode());
            Value *place = build.CreatePtrAdd(load.is->getPointerOperand(), step);
            build.CreateIntrinsic(Intrinsic::prefetch, {place->getType()},
                                  {place, build.getInt32(0), build.getInt32(3), build.getInt32(1)});
            count++;
        }
    }
    return count;
}
