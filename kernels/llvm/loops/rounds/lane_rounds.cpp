/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/lane_rounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "llvm/loops/analyses.h"

using namespace llvm;

namespace
{

constexpr unsigned mostRounds = 64, mostInstructions = 256;

bool wantsAll(const Loop &loop)
{
    return findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
           findOptionMDForLoop(&loop, "llvm.loop.unroll.enable");
}

class LaneRounds
{
  public:
    explicit LaneRounds(Function &f)
        : m_in(f), m_target(f.getDataLayout()),
          m_basic(f.getDataLayout(), f, m_in.library, m_in.assumptions, &m_in.dominators),
          m_aliases(m_in.library)
    {
        m_aliases.addAAResult(m_basic);
        m_aliases.addAAResult(m_scoped);
    }

    const LoopInfo &loops() const
    {
        return m_in.loops;
    }

    /* 0: it is no such loop. */
    unsigned rounds(Loop *loop, unsigned lanes)
    {
        if (!loop->isInnermost() || !loop->isLoopSimplifyForm() || !wantsAll(*loop) ||
            loop->getExitingBlock() != loop->getLoopLatch())
            return 0;
        const unsigned rounds = m_in.evolution.getSmallConstantTripCount(loop);
        if (!rounds || rounds % lanes || rounds > mostRounds || !hasPlainRounds(*loop))
            return 0;
        return areConditionsOfData(*loop) && isIndependent(loop) ? rounds : 0;
    }

  private:
    const SCEVAddRecExpr *counter(const Loop &loop, Value *value)
    {
        const auto *number = m_in.evolution.isSCEVable(value->getType())
                                 ? dyn_cast<SCEVAddRecExpr>(m_in.evolution.getSCEV(value))
                                 : nullptr;
        return number && number->getLoop() == &loop && number->isAffine() ? number : nullptr;
    }

    /* Nothing but the counter comes from the round before. */
    bool countsOnly(const Loop &loop)
    {
        return all_of(loop.getHeader()->phis(),
                      [&](PHINode &phi) { return counter(loop, &phi) != nullptr; });
    }

    bool isPlain(Loop &loop, Instruction &i)
    {
        const auto *call = dyn_cast<IntrinsicInst>(&i);
        if (i.getType()->isVectorTy())
            return false;
        if (auto *load = dyn_cast<LoadInst>(&i))
            return load->isSimple() &&
                   isNeighbour(loop, load->getPointerOperand(), load->getType());
        if (auto *store = dyn_cast<StoreInst>(&i))
            return store->isSimple() && !store->getValueOperand()->getType()->isVectorTy() &&
                   isNeighbour(loop, store->getPointerOperand(),
                               store->getValueOperand()->getType());
        return !isa<SwitchInst>(i) &&
               (!i.mayReadOrWriteMemory() || (call && call->isAssumeLikeIntrinsic())) &&
               (!isa<CallBase>(i) || call);
    }

    bool hasPlainRounds(Loop &loop)
    {
        unsigned count = 0;
        for (BasicBlock *block : loop.blocks())
            for (Instruction &i : *block)
                if (++count > mostInstructions || !isPlain(loop, i))
                    return false;
        return countsOnly(loop);
    }

    /* The next round's is behind this one's, if indices do not wrap around: the vectorizer asks
     * that in front of the loop. */
    bool isNeighbour(Loop &loop, Value *place, Type *type)
    {
        PredicatedScalarEvolution assuming(m_in.evolution, loop);
        const uint64_t bytes = loop.getHeader()->getDataLayout().getTypeStoreSize(type);
        const SCEVAddRecExpr *places = assuming.getAsAddRec(place);
        const auto *step = places && places->getLoop() == &loop
                               ? dyn_cast<SCEVConstant>(places->getStepRecurrence(m_in.evolution))
                               : nullptr;
        return step && step->getAPInt() == bytes && !becomesValue(*places, place);
    }

    /* Of a private array: it is known where each round looks, or will be. */
    bool becomesValue(const SCEVAddRecExpr &places, const Value *place)
    {
        if (!isa<AllocaInst>(getUnderlyingObject(place)))
            return false;
        const SCEV *first = m_in.evolution.removePointerBase(places.getStart());
        return !SCEVExprContains(first, [&](const SCEV *part) {
            const auto *other = dyn_cast<SCEVAddRecExpr>(part);
            if (other)
                return !wantsAll(*other->getLoop()) &&
                       !m_in.evolution.getSmallConstantTripCount(other->getLoop());
            return isa<SCEVUnknown>(part);
        });
    }

    /* There are some, and none is the same in each launch. */
    bool areConditionsOfData(const Loop &loop)
    {
        bool any = false;
        for (BasicBlock *block : loop.blocks()) {
            auto *branch = dyn_cast<BranchInst>(block->getTerminator());
            if (!branch || !branch->isConditional() || block == loop.getLoopLatch())
                continue;
            if (isOfCounter(loop, branch->getCondition()))
                return false;
            any |= !loop.isLoopInvariant(branch->getCondition());
        }
        return any;
    }

    bool isOfCounter(const Loop &loop, Value *condition)
    {
        auto *compare = dyn_cast<ICmpInst>(condition);
        return compare && all_of(compare->operands(), [&](Value *value) {
                   const auto *number = counter(loop, value);
                   return isa<Constant>(value) || (number && isa<SCEVConstant>(number->getStart()));
               });
    }

    bool isIndependent(Loop *loop)
    {
        const LoopAccessInfo accesses(loop, &m_in.evolution, &m_target, &m_in.library, &m_aliases,
                                      &m_in.dominators, &m_in.loops, &m_in.assumptions);
        return accesses.canVectorizeMemory() && !accesses.hasConvergentOp() &&
               !accesses.getRuntimePointerChecking()->Need;
    }

    sluice::Analyses m_in;
    TargetTransformInfo m_target;
    BasicAAResult m_basic;
    ScopedNoAliasAAResult m_scoped;
    AAResults m_aliases;
};

} // namespace

void sl_llvm_keep_lane_rounds(LLVMValueRef handle, uint32_t lanes, sl_long_loop_fn tell, void *data)
{
    LaneRounds in(*unwrap<Function>(handle));
    for (Loop *loop : in.loops().getLoopsInPreorder())
        if (const unsigned rounds = in.rounds(loop, lanes)) {
            loop->setLoopAlreadyUnrolled();
            tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
        }
}
