/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/matrix/matrix_rounds.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "llvm/loops/matrix/matrix_joining.h"

using namespace llvm;

namespace sluice::matrix
{
namespace
{

/* Does a row of a begin, in each round, where that of the round before has ended? */
bool goesOn(ScalarEvolution &evolution, const Loop *loop, CallInst *product)
{
    Load row = loadOf(product->getArgOperand(0), halfRow);
    auto *address = row ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(row.address)) : nullptr;
    if (!address || address->getLoop() != loop || !address->isAffine())
        return false;
    auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
    return step && step->getAPInt() == halfRow;
}

/* Are these sums of the round before? */
bool addsUp(const Loop *loop, CallInst *product, const sl_matrix_product &kind)
{
    auto *sum = dyn_cast<PHINode>(product->getArgOperand(kind.rows + SL_MATRIX_WORDS));
    return sum && sum->getParent() == loop->getHeader();
}

bool isWorthIt(ScalarEvolution &evolution, const Loop *loop)
{
    sl_matrix_product kind;
    unsigned count = 0;
    if (loop->getNumBlocks() != 1)
        return false;
    for (Instruction &i : *loop->getHeader()) {
        if (!isPostponed(i, kind))
            continue;
        auto *product = cast<CallInst>(&i);
        if (!addsUp(loop, product, kind) || !goesOn(evolution, loop, product))
            return false;
        count++;
    }
    return count > 0;
}

} // namespace

void pairRounds(Function &f)
{
    Analyses known(f);
    TargetTransformInfo target(f.getDataLayout());
    OptimizationRemarkEmitter remarks(&f);
    SmallVector<Loop *, 8> loops;
    for (Loop *loop : known.loops.getLoopsInPreorder())
        if (isWorthIt(known.evolution, loop))
            loops.push_back(loop);
    for (Loop *loop : loops) {
        simplifyLoop(loop, &known.dominators, &known.loops, &known.evolution, &known.assumptions,
                     nullptr, false);
        formLCSSARecursively(*loop, known.dominators, &known.loops, &known.evolution);
        UnrollLoopOptions twice = {};
        twice.Count = 2;
        twice.Runtime = true;
        twice.AllowExpensiveTripCount = true;
        twice.ForgetAllSCEV = true;
        twice.SCEVExpansionBudget = 16;
        UnrollLoop(loop, twice, &known.loops, &known.evolution, &known.dominators,
                   &known.assumptions, &target, &remarks, true);
    }
    if (loops.empty())
        return;
    for (BasicBlock &block : f) /* what comes out of the loop is what the odd round begins with */
        EliminateDuplicatePHINodes(&block);
}

} // namespace sluice::matrix
