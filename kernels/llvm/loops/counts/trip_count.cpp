/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/trip_count.h"

#include <algorithm>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace
{

/* `value` is the number in its next iteration, a power of two smaller. */
bool isHalved(const Value *value, const PHINode *number)
{
    const APInt *by;
    if (match(value, m_Shr(m_Specific(number), m_APInt(by))))
        return !by->isZero();
    return (match(value, m_SDiv(m_Specific(number), m_APInt(by))) ||
            match(value, m_UDiv(m_Specific(number), m_APInt(by)))) &&
           by->sgt(1);
}

/* Is the loop left once the number has become zero or minus one, as halved ones do? The loop stays
 * on the true way of the comparison if `stays`. */
bool endsWhenSmall(const ICmpInst &compare, const PHINode *number, bool stays)
{
    const APInt *limit;
    if (compare.getOperand(0) != number || !match(compare.getOperand(1), m_APInt(limit)))
        return false;
    unsigned bits = limit->getBitWidth();
    CmpInst::Predicate predicate = compare.getPredicate();
    return ICmpInst::compare(APInt::getZero(bits), *limit, predicate) != stays &&
           ICmpInst::compare(APInt::getAllOnes(bits), *limit, predicate) != stays;
}

/* `for (s = n; s > 0; s >>= 1)`: of an n that may be negative LLVM cannot tell. */
unsigned halvings(const Loop &loop)
{
    const BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    const auto *end = dyn_cast<BranchInst>(header->getTerminator());
    const auto *compare =
        end && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
    if (!latch || !compare ||
        loop.contains(end->getSuccessor(0)) == loop.contains(end->getSuccessor(1)))
        return 0;
    for (const PHINode &number : header->phis())
        if (number.getType()->isIntegerTy() &&
            isHalved(number.getIncomingValueForBlock(latch), &number) &&
            endsWhenSmall(*compare, &number, loop.contains(end->getSuccessor(0))))
            return number.getType()->getIntegerBitWidth() + 1;
    return 0;
}

} // namespace

bool sl_llvm_block_trips(LLVMValueRef handle, uint64_t most, uint64_t *trips)
{
    Function &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    std::fill_n(trips, f.size(), 1);
    ReversePostOrderTraversal<Function *> order(&f);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
        return false;
    if (loops.empty())
        return true;
    TargetLibraryInfoImpl names(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(names, &f);
    AssumptionCache assumptions(f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    DenseMap<const Loop *, uint64_t> rounds;
    for (Loop *loop : loops.getLoopsInPreorder()) { /* outer ones first */
        uint64_t own = evolution.getSmallConstantMaxTripCount(loop);
        own = own ? own : halvings(*loop);
        if (!own || own > most)
            return false;
        uint64_t outer = loop->getParentLoop() ? rounds[loop->getParentLoop()] : 1;
        rounds[loop] = std::min(own * outer, most);
    }
    for (BasicBlock &block : f) {
        const Loop *loop = loops.getLoopFor(&block);
        *trips++ = loop ? rounds[loop] : 1;
    }
    return true;
}
