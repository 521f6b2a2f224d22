/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches lead to a place, and whether they are taken. See value_ranges.h. */
#include "llvm/ranges/range_parts.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

using namespace llvm;

namespace sluice
{

namespace
{

/* The question that the only way from one block to another answers. */
bool guardBetween(const BasicBlock *from, const BasicBlock *to, Guard &out)
{
    const Instruction *end = from->getTerminator();
    if (const auto *branch = dyn_cast<BranchInst>(end)) {
        if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
            return false;
        out = {branch->getCondition(), from, to, branch->getSuccessor(0) == to, nullptr};
        return true;
    }
    const auto *way = dyn_cast<SwitchInst>(end);
    if (way)
        out = {way->getCondition(), from, to, true, way};
    return way;
}

} // namespace

void ValueRanges::findGuards(Function &f)
{
    Guard guard;
    for (const BasicBlock &block : f) {
        const BasicBlock *from = block.getUniquePredecessor();
        if (from ? guardBetween(from, &block, guard) : isMeeting(block, guard))
            own.try_emplace(&block, guard);
    }
    for (const DomTreeNode *node : depth_first(dominators.getRootNode())) {
        const BasicBlock *block = node->getBlock();
        const DomTreeNode *parent = node->getIDom();
        const BasicBlock *outer = parent ? above.find(parent->getBlock())->second : nullptr;
        above.try_emplace(block, own.count(block) ? block : outer);
    }
}

void ValueRanges::findLimits(Function &f)
{
    for (const BasicBlock &block : f)
        for (const Instruction &i : block) {
            const auto *compare = dyn_cast<ICmpInst>(&i);
            for (unsigned k = 0; compare && k < 2; k++)
                if (const auto *limit = dyn_cast<ConstantInt>(compare->getOperand(k)))
                    if (limit->getBitWidth() <= 64 && limit->getSExtValue() < INT64_MAX &&
                        limit->getSExtValue() > INT64_MIN)
                        for (int64_t apart = -1; apart <= 1; apart++)
                            limits.insert(limit->getSExtValue() + apart);
        }
}

/* Where the ways of "a || b" meet: each of them has asked something. */
bool ValueRanges::isMeeting(const BasicBlock &block, Guard &out) const
{
    enum { MOST_WAYS = 16 };
    const DomTreeNode *node = dominators.getNode(&block);
    if (!node || !node->getIDom() || pred_size(&block) > MOST_WAYS)
        return false;
    for (const BasicBlock *from : predecessors(&block)) {
        Guard guard;
        if (dominators.dominates(&block, from) || !guardBetween(from, &block, guard))
            return false;
    }
    out = {nullptr, node->getIDom()->getBlock(), &block, true, nullptr};
    return true;
}

SmallVector<Guard, 16> ValueRanges::guardsFrom(const BasicBlock *start, const Place &place) const
{
    SmallVector<Guard, 16> guards;
    Guard last;
    if (place.to && guardBetween(place.block, place.to, last))
        guards.push_back(last);
    for (auto found = above.find(place.block); found != above.end() && found->second;) {
        const Guard &guard = own.find(found->second)->second;
        if (start && dominators.properlyDominates(guard.at, start))
            break;
        guards.push_back(guard);
        found = above.find(guard.at);
    }
    return guards;
}

ValueSet casesOf(const Guard &guard, ValueSet all)
{
    ValueSet cases = ValueSet::none(all.bits());
    bool usual = guard.way->getDefaultDest() == guard.to;
    for (const auto &one : guard.way->cases()) {
        uint64_t value = one.getCaseValue()->getZExtValue();
        if (one.getCaseSuccessor() != guard.to)
            all = all.without(value);
        else
            cases = cases.join(ValueSet::of(one.getCaseValue()->getValue()));
    }
    return usual ? all : cases;
}

ValueSet ValueRanges::passes(const Guard &guard, const Place &place, Assumption &assumption)
{
    if (!guard.asked)
        return passesOneWay(guard, place, assumption);
    if (!isNumber(guard.asked))
        return ValueSet::all(1);
    ValueSet asked = at(guard.asked, place, assumption);
    if (!guard.way)
        return asked.compare(CmpInst::ICMP_EQ, ValueSet::of(APInt(1, guard.holds)));
    ValueSet left = asked.meet(casesOf(guard, asked)), result = ValueSet::none(1);
    if (!left.isNone())
        result = result.join(ValueSet::of(APInt(1, 1)));
    if (!(left == asked))
        result = result.join(ValueSet::of(APInt(1, 0)));
    return result;
}

ValueSet ValueRanges::passesOneWay(const Guard &meeting, const Place &place, Assumption &assumption)
{
    bool may = false, does = false;
    for (const BasicBlock *from : predecessors(meeting.to)) {
        bool may_here = true, does_here = true;
        for (const Guard &guard : guardsFrom(meeting.at, {from, meeting.to})) {
            ValueSet set = passes(guard, place, assumption);
            may_here &= set.contains(1);
            does_here &= set.contains(1) && set.isSingle();
        }
        may |= may_here;
        does |= does_here;
    }
    return does ? ValueSet::of(APInt(1, 1)) : may ? ValueSet::all(1) : ValueSet::of(APInt(1, 0));
}

bool ValueRanges::isReached(const Place &place)
{
    auto known = reached.find({place.block, place.to});
    if (known != reached.end())
        return known->second;
    bool result = dominators.isReachableFromEntry(place.block);
    for (const Guard &guard : guardsOf(place)) {
        if (!result)
            break;
        if (!guard.asked) {
            result = llvm::any_of(predecessors(guard.to), [&](const BasicBlock *from) {
                return isReached({from, guard.to});
            });
            continue;
        }
        if (!isNumber(guard.asked))
            continue;
        ValueSet asked = at(guard.asked, {guard.at});
        result =
            guard.way ? !asked.meet(casesOf(guard, asked)).isNone() : asked.contains(guard.holds);
    }
    reached.try_emplace({place.block, place.to}, result);
    return result;
}

} // namespace sluice
