/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. LLVM's LoopConstrainer makes the three loops. Where the parts meet is the very
 * number that the counter is compared with, so that nothing has to be proven for the comparison to
 * be decided between them; that it is the last round's is only what makes it worth the while.
 */
#include "llvm/loops/rounds/border_rounds.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopConstrainer.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

using namespace llvm;

namespace
{

constexpr unsigned mostInstructions = 256; /* of a loop: it is there three times afterwards */
constexpr unsigned fewRounds = 64;
constexpr unsigned deepest = 6; /* operations from a comparison to an address */

struct Border {
    ICmpInst *question;
    const SCEV *round; /* the counter's value that it asks for */
    bool first;
};

bool isUnrolled(ScalarEvolution &evolution, const Loop &loop)
{
    const unsigned rounds = evolution.getSmallConstantTripCount(&loop);
    return (rounds && rounds <= fewRounds) || findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
           findOptionMDForLoop(&loop, "llvm.loop.unroll.enable");
}

bool isSimple(const Loop &loop)
{
    unsigned count = 0;
    bool stores = false;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            const auto *load = dyn_cast<LoadInst>(&i);
            const auto *store = dyn_cast<StoreInst>(&i);
            if ((load && !load->isSimple()) || (store && !store->isSimple()) ||
                (isa<CallBase>(i) && !isa<IntrinsicInst>(i)) || ++count > mostInstructions)
                return false;
            stores |= store != nullptr;
        }
    return stores;
}

/* Does a way through the loop, or where it looks, follow from the value? */
bool decides(const Loop &loop, const Value &value, unsigned depth)
{
    for (const User *user : value.users()) {
        const auto *i = dyn_cast<Instruction>(user);
        if (!i || !loop.contains(i))
            continue;
        if (isa<BranchInst>(i) || isa<GetElementPtrInst>(i))
            return true;
        const bool passes_on = isa<SelectInst>(i) || isa<CastInst>(i) || isa<BinaryOperator>(i);
        if (passes_on && depth && decides(loop, *i, depth - 1))
            return true;
    }
    return false;
}

const SCEV *withoutExtension(const SCEV *value)
{
    const auto *cast = dyn_cast<SCEVIntegralCastExpr>(value);
    return cast && !isa<SCEVTruncateExpr>(value) ? cast->getOperand() : value;
}

/* `round` is one less than `end`, as it is written. */
bool isBefore(ScalarEvolution &evolution, const SCEV *round, const SCEV *end)
{
    const auto differs_by_one = [&](const SCEV *a, const SCEV *b) {
        return a->getType() == b->getType() && evolution.getMinusSCEV(b, a)->isOne();
    };
    return differs_by_one(round, end) ||
           differs_by_one(withoutExtension(round), withoutExtension(end));
}

class BorderRounds
{
  public:
    BorderRounds(sluice::Analyses &in, Loop &loop) : m_in(in), m_loop(loop)
    {
    }

    bool split()
    {
        const char *reason = nullptr;
        const auto structure =
            LoopStructure::parseLoopStructure(m_in.evolution, m_loop, true, reason);
        if (!structure || !structure->IndVarIncreasing || !findCounter(*structure))
            return false;
        findBorders(*structure);
        return !m_borders.empty() && divide(*structure);
    }

    /* The loops that were made of it. */
    ArrayRef<Loop *> parts() const
    {
        return m_parts;
    }

  private:
    bool findCounter(const LoopStructure &structure)
    {
        ScalarEvolution &evolution = m_in.evolution;
        const SCEV *step = evolution.getSCEV(structure.IndVarStep);
        m_counter = evolution.getMinusSCEV(evolution.getSCEV(structure.IndVarBase), step);
        m_start = evolution.getSCEV(structure.IndVarStart);
        m_end = evolution.getSCEV(structure.LoopExitAt);
        const auto *counter = dyn_cast<SCEVAddRecExpr>(m_counter);
        return step->isOne() && counter && counter->getLoop() == &m_loop && counter->isAffine() &&
               counter->getStart() == m_start && m_end->getType() == m_counter->getType();
    }

    void findBorders(const LoopStructure &structure)
    {
        const Value *leaves = structure.LatchBr->getCondition();
        for (BasicBlock *block : m_loop.blocks())
            for (Instruction &i : *block) {
                auto *question = dyn_cast<ICmpInst>(&i);
                if (question && question != leaves && question->isEquality())
                    addBorder(*question);
            }
    }

    void addBorder(ICmpInst &question)
    {
        ScalarEvolution &evolution = m_in.evolution;
        if (question.getOperand(0)->getType() != m_counter->getType() ||
            !decides(m_loop, question, deepest))
            return;
        for (unsigned side = 0; side < 2; side++) {
            const SCEV *number = evolution.getSCEV(question.getOperand(1 - side));
            if (evolution.getSCEV(question.getOperand(side)) != m_counter ||
                !evolution.isLoopInvariant(number, &m_loop))
                continue;
            const bool first = number == m_start;
            if (first || isBefore(evolution, number, m_end))
                m_borders.push_back({&question, number, first});
        }
    }

    const SCEV *clamp(const SCEV *at, bool is_signed)
    {
        ScalarEvolution &evolution = m_in.evolution;
        return is_signed ? evolution.getSMaxExpr(m_start, evolution.getSMinExpr(m_end, at))
                         : evolution.getUMaxExpr(m_start, evolution.getUMinExpr(m_end, at));
    }

    /* Between the round behind the first one and the one that a question names: of all that name
     * something else they stay. */
    bool divide(const LoopStructure &structure)
    {
        ScalarEvolution &evolution = m_in.evolution;
        LoopConstrainer::SubRanges ranges;
        const SCEV *last = nullptr;
        for (const Border &border : m_borders)
            if (!border.first && !last)
                last = border.round;
        erase_if(m_borders,
                 [&](const Border &border) { return !border.first && border.round != last; });
        if (any_of(m_borders, [](const Border &border) { return border.first; }))
            ranges.LowLimit =
                clamp(evolution.getAddExpr(m_start, evolution.getOne(m_start->getType())),
                      structure.IsSignedPredicate);
        if (last)
            ranges.HighLimit = clamp(last, structure.IsSignedPredicate);
        if (!isExpandable(ranges.LowLimit) || !isExpandable(ranges.HighLimit))
            return false;
        const auto take_part = [&](Loop *part, bool) { m_parts.push_back(part); };
        LoopConstrainer constrainer(m_loop, m_in.loops, take_part, structure, evolution,
                                    m_in.dominators, m_counter->getType(), ranges);
        if (!constrainer.run())
            return false;
        for (const Border &border : m_borders) {
            const bool differs = border.question->getPredicate() == ICmpInst::ICMP_NE;
            border.question->replaceAllUsesWith(
                ConstantInt::getBool(border.question->getContext(), differs));
        }
        return true;
    }

    bool isExpandable(const std::optional<const SCEV *> &value)
    {
        SCEVExpander expander(m_in.evolution, "border");
        return !value ||
               expander.isSafeToExpandAt(*value, m_loop.getLoopPreheader()->getTerminator());
    }

    sluice::Analyses &m_in;
    Loop &m_loop;
    const SCEV *m_counter = nullptr, *m_start = nullptr, *m_end = nullptr;
    SmallVector<Border, 4> m_borders;
    SmallVector<Loop *, 2> m_parts;
};

bool splitNext(Function &f, SmallPtrSetImpl<const BasicBlock *> &seen)
{
    sluice::Analyses in(f);
    for (Loop *loop : in.loops.getTopLevelLoops()) {
        simplifyLoop(loop, &in.dominators, &in.loops, &in.evolution, &in.assumptions, nullptr,
                     false);
        formLCSSARecursively(*loop, in.dominators, &in.loops, &in.evolution);
    }
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !seen.insert(loop->getHeader()).second ||
            !loop->isLoopSimplifyForm() || !isSimple(*loop) || isUnrolled(in.evolution, *loop))
            continue;
        BorderRounds rounds(in, *loop);
        if (!rounds.split())
            continue;
        for (const Loop *part : rounds.parts())
            seen.insert(part->getHeader());
        return true;
    }
    return false;
}

} // namespace

bool sl_llvm_split_border_rounds(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    SmallPtrSet<const BasicBlock *, 16> seen;
    bool any = false;
    while (splitNext(f, seen))
        any = true;
    return any;
}
