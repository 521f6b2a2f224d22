/* SPDX-License-Identifier: Apache-2.0 */
/* What phis may be: a fixed point over the rounds of loops. See value_ranges.h. */
#include "llvm/ranges/range_parts.h"

#include <llvm/IR/CFG.h>

using namespace llvm;

namespace sluice
{

namespace
{

enum {
    MOST_PHIS = 4096,    /* in a question: beyond, none of them is looked at */
    MOST_STRETCHES = 16, /* of a value that grows from limit to limit */
};

} // namespace

/* Adds the phis that the value depends on, those behind them not. */
void ValueRanges::follow(const Value *value, Phis &phis, DenseSet<const Value *> &seen) const
{
    if (isa<Constant>(value) || !seen.insert(value).second)
        return;
    if (const auto *phi = dyn_cast<PHINode>(value)) {
        if (isNumber(phi))
            phis.insert(phi);
        return;
    }
    if (const auto *i = dyn_cast<Instruction>(value))
        for (const Value *operand : i->operands())
            if (!isa<BasicBlock>(operand))
                follow(operand, phis, seen);
}

void ValueRanges::followWay(const Place &place, Phis &phis, DenseSet<const Value *> &seen) const
{
    for (const Guard &guard : guardsOf(place)) {
        if (guard.asked)
            follow(guard.asked, phis, seen);
        else
            for (const BasicBlock *from : predecessors(guard.to))
                for (const Guard &more : guardsFrom(guard.at, {from, guard.to}))
                    if (more.asked)
                        follow(more.asked, phis, seen);
    }
}

ValueRanges::Phis ValueRanges::behind(const PHINode &phi) const
{
    Phis phis;
    DenseSet<const Value *> seen;
    for (unsigned k = 0; k < phi.getNumIncomingValues(); k++) {
        follow(phi.getIncomingValue(k), phis, seen);
        followWay({phi.getIncomingBlock(k), phi.getParent()}, phis, seen);
    }
    return phis;
}

void ValueRanges::forget()
{
    memory.clear();
    reached.clear();
}

void ValueRanges::solve(ArrayRef<const Value *> values, ArrayRef<Place> places)
{
    Phis phis;
    DenseSet<const Value *> seen;
    for (const Value *value : values)
        follow(value, phis, seen);
    for (const Place &place : places)
        followWay(place, phis, seen);
    for (size_t i = 0; i < phis.size() && phis.size() <= MOST_PHIS; i++)
        for (const PHINode *phi : behind(*phis[i]))
            phis.insert(phi);
    if (phis.size() > MOST_PHIS)
        return;
    for (const PHINode *phi : phis)
        states.try_emplace(phi, ValueSet::none(phi->getType()->getIntegerBitWidth()));
    iterate(phis);
    narrow(phis);
    forget();
}

ValueSet ValueRanges::incoming(const PHINode &phi)
{
    ValueSet set = ValueSet::none(phi.getType()->getIntegerBitWidth());
    for (unsigned k = 0; k < phi.getNumIncomingValues(); k++) {
        Place way = {phi.getIncomingBlock(k), phi.getParent()};
        if (isReached(way))
            set = set.join(at(phi.getIncomingValue(k), way));
    }
    return set;
}

/* A set that goes on growing goes as far as the next number that something is compared with. */
ValueSet ValueRanges::widened(const ValueSet &before, const ValueSet &now, unsigned changes) const
{
    ValueSet both = before.join(now);
    if (both == before || both.isFew())
        return both;
    if (changes > unsigned(ValueSet::FEW) + MOST_STRETCHES)
        return ValueSet::all(both.bits());
    int64_t low = both.low(), high = both.high();
    if (low < before.low()) {
        auto next = limits.upper_bound(low);
        low = next == limits.begin() ? APInt::getSignedMinValue(both.bits()).getSExtValue()
                                     : *std::prev(next);
    }
    if (high > before.high()) {
        auto next = limits.lower_bound(high);
        high = next == limits.end() ? APInt::getSignedMaxValue(both.bits()).getSExtValue() : *next;
    }
    low = std::max(low, APInt::getSignedMinValue(both.bits()).getSExtValue());
    high = std::min(high, APInt::getSignedMaxValue(both.bits()).getSExtValue());
    return both.stretched(low, high);
}

/* From nothing up to what no round adds to any more. */
void ValueRanges::iterate(const Phis &phis)
{
    DenseMap<const PHINode *, Phis> needed;
    DenseMap<const PHINode *, unsigned> changes;
    for (const PHINode *phi : phis)
        needed.try_emplace(phi, behind(*phi));
    DenseSet<const PHINode *> moved(phis.begin(), phis.end());
    for (bool first = true; !moved.empty(); first = false) {
        SmallVector<std::pair<const PHINode *, ValueSet>, 16> next;
        for (const PHINode *phi : phis) {
            const Phis &of = needed.find(phi)->second;
            if (!first && llvm::none_of(of, [&](const PHINode *p) { return moved.contains(p); }))
                continue;
            const ValueSet &before = states.find(phi)->second;
            ValueSet now = widened(before, incoming(*phi), changes[phi]);
            if (!(now == before))
                next.push_back({phi, now});
        }
        moved.clear();
        for (auto &[phi, set] : next) {
            states.find(phi)->second = set;
            changes[phi]++;
            moved.insert(phi);
        }
        forget();
    }
}

/* Stretched sets were too large: what is computed of them holds as well, if all of it does. */
void ValueRanges::narrow(const Phis &phis)
{
    enum { ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        DenseMap<const PHINode *, ValueSet> before = states, after = states;
        for (const PHINode *phi : phis) {
            ValueSet &set = after.find(phi)->second;
            set = set.meet(incoming(*phi));
        }
        states = after;
        forget();
        bool holds = true;
        for (const PHINode *phi : phis) {
            const ValueSet &set = states.find(phi)->second;
            ValueSet now = incoming(*phi);
            holds = holds && set.join(now) == set;
        }
        if (!holds) {
            states = before;
            forget();
            return;
        }
    }
}

} // namespace sluice
