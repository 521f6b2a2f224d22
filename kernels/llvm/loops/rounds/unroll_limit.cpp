/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/unroll_limit.h"

#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

uint64_t sizeOf(const Loop &loop)
{
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += block->size();
    return size;
}

/* Fully: a number of copies that was asked for is the program's own limit. */
bool wantsAll(const Loop &loop)
{
    return findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
           findOptionMDForLoop(&loop, "llvm.loop.unroll.enable");
}

struct Loops {
    DominatorTree dominators;
    LoopInfo loops;
    AssumptionCache assumptions;
    TargetLibraryInfoImpl names;
    TargetLibraryInfo library;
    ScalarEvolution evolution;

    explicit Loops(Function &f)
        : dominators(f), loops(dominators), assumptions(f), names(f.getParent()->getTargetTriple()),
          library(names, &f), evolution(f, library, assumptions, dominators, loops)
    {
    }

    /* 0: it stays a loop. */
    unsigned rounds(Loop *loop)
    {
        return loop->getLoopLatch() && wantsAll(*loop) ? evolution.getSmallConstantTripCount(loop)
                                                       : 0;
    }
};

/* Of a block, once the loops around it are unrolled, up to and with `outermost`. */
uint64_t unrolledSize(Loops &in, const BasicBlock &block, const Loop *outermost)
{
    uint64_t size = block.size();
    for (Loop *loop = in.loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
        size = SaturatingMultiply<uint64_t>(size, std::max(in.rounds(loop), 1U));
        if (loop == outermost)
            break;
    }
    return size;
}

template <class Blocks> uint64_t unrolledSize(Loops &in, Blocks &&blocks, const Loop *outermost)
{
    uint64_t size = 0;
    for (const BasicBlock *block : blocks)
        size = SaturatingAdd(size, unrolledSize(in, *block, outermost));
    return size;
}

constexpr unsigned deepestSame = 4;

/* In each round: what an item computes of what it has in front of the loop, where it stands. */
bool isSame(const Loop &loop, const Value *value, unsigned depth)
{
    const auto *i = dyn_cast<Instruction>(value);
    if (loop.isLoopInvariant(value))
        return true;
    return depth && !isa<PHINode>(i) && !i->mayReadOrWriteMemory() &&
           all_of(i->operands(), [&](const Use &of) { return isSame(loop, of, depth - 1); });
}

/* A constant divisor is a product; a counter as the divisor would become one. */
bool divides(const Loop &loop, const Instruction &i)
{
    return i.isIntDivRem() && !i.getType()->isVectorTy() && !isa<Constant>(i.getOperand(1)) &&
           isSame(loop, i.getOperand(1), deepestSame) &&
           !isSame(loop, i.getOperand(0), deepestSame);
}

bool indexesPrivateArray(const Instruction &i)
{
    const auto *place = dyn_cast<GetElementPtrInst>(&i);
    return place && isa<AllocaInst>(getUnderlyingObject(place)) &&
           any_of(place->indices(), [](const Value *index) { return !isa<Constant>(index); });
}

template <class Is> bool anyIn(const Loop &loop, Is &&is)
{
    return any_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, is); });
}

bool isOfDivisions(const Loop &loop)
{
    return anyIn(loop, [&](const Instruction &i) { return divides(loop, i); }) &&
           !anyIn(loop, indexesPrivateArray);
}

constexpr unsigned mostRounds = 16;

bool computesWithCounter(Loops &in, const Loop &loop)
{
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            if ((!isa<SIToFPInst>(i) && !isa<UIToFPInst>(i)) || i.getType()->isVectorTy())
                continue;
            const auto *number = dyn_cast<SCEVAddRecExpr>(in.evolution.getSCEV(i.getOperand(0)));
            if (number && number->getLoop() == &loop)
                return true;
        }
    return false;
}

/* Rounds take the same way but for little, as what a builtin does for rare arguments: copies of
 * what lanes may skip only make code longer. */
bool isMostlyStraight(Loops &in, const Loop &loop)
{
    uint64_t skipped = 0;
    for (const BasicBlock *block : loop.blocks())
        if (!in.dominators.dominates(block, loop.getLoopLatch()))
            skipped += block->size();
    return loop.getExitingBlock() && 3 * skipped <= sizeOf(loop);
}

bool isStraight(Loops &in, const Loop &loop)
{
    return all_of(loop.blocks(), [&](const BasicBlock *block) {
        return in.dominators.dominates(block, loop.getLoopLatch());
    });
}

/* A number of floating point that grows by what is made of it. */
bool isSum(const Loop &loop, const PHINode &phi)
{
    const auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    const auto *call = dyn_cast_or_null<IntrinsicInst>(next);
    const bool adds = next && (next->getOpcode() == Instruction::FAdd ||
                               (call && (call->getIntrinsicID() == Intrinsic::fmuladd ||
                                         call->getIntrinsicID() == Intrinsic::fma)));
    return adds && phi.getType()->isFloatingPointTy() && is_contained(next->operands(), &phi);
}

/* Nothing but loads, and what is computed with them. */
bool addsUpLoads(const Loop &loop)
{
    unsigned loads = 0;
    for (const BasicBlock *block : loop.blocks())
        loads += count_if(*block, [](const Instruction &i) { return isa<LoadInst>(i); });
    return loads > 1 && loop.getExitingBlock() &&
           any_of(loop.getHeader()->phis(), [&](const PHINode &phi) { return isSum(loop, phi); }) &&
           !anyIn(loop, [](const Instruction &i) {
               return indexesPrivateArray(i) || i.mayWriteToMemory() ||
                      (isa<CallBase>(i) && !isa<IntrinsicInst>(i));
           });
}

} // namespace

void sl_llvm_keep_sum_loops(LLVMValueRef handle, uint32_t fewest, sl_long_loop_fn tell, void *data)
{
    Loops in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !loop->getLoopLatch() || !isStraight(in, *loop) ||
            !addsUpLoads(*loop))
            continue;
        const unsigned rounds = in.evolution.getSmallConstantTripCount(loop);
        if (rounds < fewest)
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}

void sl_llvm_limit_unrolling(LLVMValueRef handle, uint32_t most, uint32_t most_rounds,
                             sl_long_loop_fn tell, void *data)
{
    Loops in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        const unsigned rounds = in.rounds(loop);
        if (rounds <= most_rounds || rounds * sizeOf(*loop) <= most)
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}

void sl_llvm_limit_unrolling_around(LLVMValueRef handle, bool (*is)(LLVMValueRef), uint64_t most,
                                    sl_long_loop_fn tell, void *data)
{
    Loops in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        const unsigned rounds = in.rounds(loop);
        if (rounds < 2 || unrolledSize(in, loop->blocks(), loop) <= most)
            continue;
        const bool around = any_of(loop->blocks(), [is](BasicBlock *block) {
            return any_of(*block, [is](Instruction &i) { return is(wrap(&i)); });
        });
        if (!around)
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}

void sl_llvm_limit_unrolling_of_divisions(LLVMValueRef handle, uint64_t most, sl_long_loop_fn tell,
                                          void *data)
{
    Loops in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        const unsigned rounds = in.rounds(loop);
        if (rounds < 2 || unrolledSize(in, loop->blocks(), loop) <= most || !isOfDivisions(*loop))
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}

void sl_llvm_limit_unrolled_nests(LLVMValueRef handle, uint64_t most_in_all, uint64_t most,
                                  sl_long_loop_fn tell, void *data)
{
    auto &f = *unwrap<Function>(handle);
    Loops in(f);
    if (unrolledSize(in, make_pointer_range(f), nullptr) <= most_in_all)
        return;
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        const unsigned rounds = in.rounds(loop);
        if (rounds < 2 || unrolledSize(in, loop->blocks(), loop) <= most)
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}

void sl_llvm_unroll_counting(LLVMValueRef handle, uint32_t most)
{
    Loops in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !loop->getLoopLatch() || sluice::hasUnrollWish(*loop))
            continue;
        const unsigned rounds = in.evolution.getSmallConstantTripCount(loop);
        if (rounds > 1 && rounds <= mostRounds && rounds * sizeOf(*loop) <= most &&
            isMostlyStraight(in, *loop) && computesWithCounter(in, *loop))
            addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
    }
}
