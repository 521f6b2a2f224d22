/* SPDX-License-Identifier: Apache-2.0 */
/* What branches tell of a value: guards that mention it limit what it may be. See value_ranges.h.
 */
#include "llvm/ranges/range_parts.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace sluice
{

bool ValueRanges::mentions(const Value *expression, const Value *value)
{
    auto [entry, fresh] = mentioned.try_emplace(expression);
    if (fresh) {
        enum { MOST = 64 };
        SmallVector<const Value *, 16> pending = {expression};
        DenseSet<const Value *> found;
        while (!pending.empty() && found.size() < MOST) {
            const Value *at = pending.pop_back_val();
            if (isa<Constant>(at) || !found.insert(at).second)
                continue;
            const auto *phi = dyn_cast<PHINode>(at);
            bool question = phi && at->getType()->isIntegerTy(1);
            if (question)
                pending.append(phi->value_op_begin(), phi->value_op_end());
            for (const Value *part : partsOf(at, layout))
                pending.push_back(part);
            for (unsigned k = 0; question && k < phi->getNumIncomingValues(); k++) {
                auto guard = own.find(phi->getIncomingBlock(k));
                if (guard != own.end() && guard->second.asked)
                    pending.push_back(guard->second.asked);
            }
        }
        mentioned[expression] = std::move(found);
        return mentioned[expression].contains(value);
    }
    return entry->second.contains(value);
}

ValueSet ValueRanges::guarded(ValueSet set, const Value *value, const Guard &guard, unsigned depth)
{
    if (!guard.asked)
        return depth > MOST_RANGE_DEPTH ? set : metAt(set, value, guard, depth + 1);
    if (depth > MOST_RANGE_DEPTH || !isNumber(guard.asked) || !mentions(guard.asked, value))
        return set;
    if (!guard.way)
        return limited(set, value, guard.asked, guard.holds, {guard.at}, depth);
    ValueSet asked = guard.asked == value ? set : ask(guard.asked, {guard.at}, nullptr, depth);
    return unfolded(set, value, guard.asked, casesOf(guard, asked));
}

/* All ways together, of a value that is older than their meeting. */
ValueSet ValueRanges::metAt(ValueSet set, const Value *value, const Guard &meeting, unsigned depth)
{
    const auto *made = dyn_cast<Instruction>(value);
    if (made && !dominators.properlyDominates(made->getParent(), meeting.to))
        return set;
    bool asked = false;
    for (const BasicBlock *from : predecessors(meeting.to))
        for (const Guard &guard : guardsFrom(meeting.at, {from, meeting.to}))
            asked |= guard.asked && mentions(guard.asked, value);
    if (!asked)
        return set;
    ValueSet all = ValueSet::none(set.bits());
    for (const BasicBlock *from : predecessors(meeting.to))
        all = all.join(ask(value, {from, meeting.to}, nullptr, depth));
    return set.meet(all);
}

ValueSet ValueRanges::limited(ValueSet set, const Value *value, const Value *asked, bool holds,
                              const Place &place, unsigned depth)
{
    const Value *a, *b;
    if (depth > MOST_RANGE_DEPTH || !mentions(asked, value))
        return set;
    if (asked == value)
        return set.meet(ValueSet::of(APInt(1, holds)));
    if (const auto *compare = dyn_cast<ICmpInst>(asked))
        return compared(set, value, *compare, holds, place, depth + 1);
    if (match(asked, m_Not(m_Value(a))))
        return limited(set, value, a, !holds, place, depth + 1);
    if (holds ? match(asked, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(asked, m_LogicalOr(m_Value(a), m_Value(b))))
        return limited(limited(set, value, a, holds, place, depth + 1), value, b, holds, place,
                       depth + 1);
    if (const auto *step = dyn_cast<FreezeInst>(asked))
        return limited(set, value, step->getOperand(0), holds, place, depth + 1);
    if (const auto *phi = dyn_cast<PHINode>(asked))
        return limitedByWay(set, value, *phi, holds, place, depth + 1);
    return unfolded(set, value, asked, ValueSet::of(APInt(1, holds)));
}

/* "a && b" that was kept: it holds only if control came by where b was asked. Not around a loop,
 * where it could have been asked about an earlier value. */
ValueSet ValueRanges::limitedByWay(ValueSet set, const Value *value, const PHINode &asked,
                                   bool holds, const Place &place, unsigned depth)
{
    unsigned ways = 0, way = 0;
    for (unsigned k = 0; k < asked.getNumIncomingValues(); k++) {
        const auto *constant = dyn_cast<ConstantInt>(asked.getIncomingValue(k));
        if (constant && constant->isOne() != holds)
            continue;
        ways++;
        way = k;
    }
    const BasicBlock *from = ways == 1 ? asked.getIncomingBlock(way) : nullptr;
    if (!from || dominators.dominates(asked.getParent(), from))
        return set;
    set = limited(set, value, asked.getIncomingValue(way), holds, place, depth);
    for (const Guard &guard : guardsOf({from, asked.getParent()}))
        if (guard.asked != &asked)
            set = guarded(set, value, guard, depth);
    return set;
}

ValueSet ValueRanges::compared(ValueSet set, const Value *value, const ICmpInst &question,
                               bool holds, const Place &place, unsigned depth)
{
    CmpInst::Predicate predicate = holds ? question.getPredicate() : question.getInversePredicate();
    for (unsigned side = 0; side < 2; side++) {
        const Value *expression = question.getOperand(side), *other = question.getOperand(!side);
        CmpInst::Predicate now = side ? CmpInst::getSwappedPredicate(predicate) : predicate;
        if (!isNumber(expression) || isa<Constant>(expression) ||
            (expression != value && !mentions(expression, value)))
            continue;
        ValueSet with = ask(other, place, nullptr, depth);
        if (with.isNone())
            return ValueSet::none(set.bits());
        ValueSet may = ValueSet::of(ConstantRange::makeAllowedICmpRegion(now, with.range()));
        if (now == CmpInst::ICMP_EQ)
            may = with;
        if (now == CmpInst::ICMP_NE && with.isSingle() && expression == value)
            set = set.without(with.items()[0]);
        else
            set = unfolded(set, value, expression, may);
    }
    return set;
}

} // namespace sluice
