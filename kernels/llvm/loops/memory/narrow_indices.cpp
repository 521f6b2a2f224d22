/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/narrow_indices.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;
using sluice::Analyses;

namespace
{

/* What makes an index of few bits; most functions have none, which spares them the analyses. */
bool mayNarrow(const Function &f)
{
    for (const BasicBlock &block : f)
        for (const Instruction &i : block) {
            const APInt *mask;
            if (PatternMatch::match(&i, PatternMatch::m_And(PatternMatch::m_Value(),
                                                            PatternMatch::m_LowBitMask(mask))))
                return true;
            if (isa<TruncInst, ZExtInst, SExtInst>(i) &&
                std::min(i.getType()->getScalarSizeInBits(),
                         i.getOperand(0)->getType()->getScalarSizeInBits()) < 32)
                return true;
            if (i.getOpcode() == Instruction::AShr)
                return true;
        }
    return false;
}

/* Numbers that count and are extended, in the expressions of a loop: nobody knows whether they wrap
 * around, or they would be counters of more bits. What an extended counter is added to counts, too:
 * `x[y + (i & 63)]` of words has an index of 6 bits and one of 32. */
class Counters
{
  public:
    Counters(const Loop &inLoop, ScalarEvolution &by) : loop(inLoop), evolution(by)
    {
    }

    void add(Value *value)
    {
        if (evolution.isSCEVable(value->getType()))
            visit(evolution.getSCEV(value));
    }

    bool haveTwoWidths() const
    {
        return narrow && narrow != wide;
    }

  private:
    bool visit(const SCEV *of)
    {
        if (auto known = counts.find(of); known != counts.end())
            return known->second;
        const auto *counter = dyn_cast<SCEVAddRecExpr>(of);
        bool any = counter && counter->getLoop() == &loop;
        if (!isa<SCEVCouldNotCompute>(of))
            for (const SCEV *operand : of->operands())
                any |= visit(operand);
        if (any && isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(of))
            note(cast<SCEVCastExpr>(of)->getOperand());
        counts[of] = any;
        return any;
    }

    void note(const SCEV *extended)
    {
        const unsigned bits = unsigned(evolution.getTypeSizeInBits(extended->getType()));
        narrow = narrow ? std::min(narrow, bits) : bits;
        wide = std::max(wide, bits);
    }

    const Loop &loop;
    ScalarEvolution &evolution;
    SmallDenseMap<const SCEV *, bool, 32> counts; /* has it a counter of this loop? */
    unsigned narrow = 0, wide = 0;
};

bool hasTwoWidths(const Loop &loop, ScalarEvolution &evolution)
{
    Counters counters(loop, evolution);
    for (BasicBlock *block : loop.blocks()) {
        for (Instruction &i : *block)
            if (Value *pointer = getLoadStorePointerOperand(&i))
                counters.add(pointer);
        const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        const auto *asks = branch && branch->isConditional()
                               ? dyn_cast<ICmpInst>(branch->getCondition())
                               : nullptr;
        if (asks && loop.isLoopExiting(block))
            for (Value *operand : asks->operands())
                counters.add(operand);
    }
    return counters.haveTwoWidths();
}

} // namespace

void sl_llvm_leave_narrow_indices(LLVMModuleRef handle)
{
    for (Function &f : *unwrap(handle)) {
        if (f.isDeclaration() || f.hasOptNone() || !mayNarrow(f))
            continue;
        Analyses of(f);
        for (Loop *loop : of.loops.getLoopsInPreorder())
            if (loop->isInnermost() && hasTwoWidths(*loop, of.evolution))
                addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    }
}
