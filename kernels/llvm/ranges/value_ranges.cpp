/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are computed of others; see the header. Each other part of the class has a file
 * range_*.cpp. */
#include "llvm/ranges/range_parts.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace sluice
{

ValueRanges::ValueRanges(Function &f, const sl_launch_shape &launches)
    : shape(launches), layout(f.getDataLayout()), dominators(f), loops(dominators)
{
    findGuards(f);
    findLimits(f);
}

ValueSet ValueRanges::ask(const Value *value, const Place &place, Assumption *assumption,
                          unsigned depth)
{
    if (const auto *constant = dyn_cast<ConstantInt>(value))
        return ValueSet::of(constant->getValue());
    unsigned bits = value->getType()->getIntegerBitWidth();
    if (isa<Constant>(value) || depth > MOST_RANGE_DEPTH)
        return ValueSet::all(bits);
    if (assumption) {
        auto known = assumption->values.find(value);
        if (known != assumption->values.end())
            return known->second;
        if (!partsOf(value, layout).empty()) {
            auto found = assumption->known.find(value);
            if (found != assumption->known.end())
                return found->second;
            ValueSet set = compute(value, place, assumption, depth + 1);
            assumption->known.try_emplace(value, set);
            return set;
        }
    }
    Key key = {value, {place.block, place.to}};
    auto found = memory.find(key);
    if (found != memory.end())
        return found->second;
    ValueSet set = compute(value, place, nullptr, depth + 1);
    for (const Guard &guard : guardsOf(place)) {
        if (set.isNone())
            break;
        set = guarded(set, value, guard, depth + 1);
    }
    memory.try_emplace(key, set);
    return set;
}

ValueSet ValueRanges::compute(const Value *value, const Place &place, Assumption *assumption,
                              unsigned depth)
{
    unsigned bits = value->getType()->getIntegerBitWidth();
    if (const auto *phi = dyn_cast<PHINode>(value)) {
        auto state = states.find(phi);
        return state != states.end() ? state->second : ValueSet::all(bits);
    }
    if (const auto *op = dyn_cast<BinaryOperator>(value))
        return ask(op->getOperand(0), place, assumption, depth)
            .binary(op->getOpcode(), ask(op->getOperand(1), place, assumption, depth),
                    flagsOf(*op));
    if (const auto *step = dyn_cast<CastInst>(value))
        return cast(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<ICmpInst>(value))
        return compare(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<SelectInst>(value))
        return select(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<FreezeInst>(value))
        return ask(step->getOperand(0), place, assumption, depth);
    if (const auto *step = dyn_cast<CallInst>(value))
        return call(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<LoadInst>(value))
        return load(*step, place, assumption, depth);
    if (const auto *part = dyn_cast<ExtractElementInst>(value))
        if (const auto *index = dyn_cast<ConstantInt>(part->getIndexOperand()))
            return lane(part->getVectorOperand(), index->getZExtValue(), place, assumption, depth);
    return ValueSet::all(bits);
}

ValueSet ValueRanges::cast(const CastInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    if (!isNumber(step.getOperand(0)))
        return ValueSet::all(bits);
    ValueSet from = ask(step.getOperand(0), place, assumption, depth);
    switch (step.getOpcode()) {
    case Instruction::SExt:
        return from.sext(bits);
    case Instruction::ZExt:
        return from.zext(bits);
    case Instruction::Trunc:
        return from.trunc(bits);
    default:
        return from.bits() == bits ? from : ValueSet::all(bits);
    }
}

ValueSet ValueRanges::compare(const ICmpInst &step, const Place &place, Assumption *assumption,
                              unsigned depth)
{
    if (!isNumber(step.getOperand(0)))
        return ValueSet::all(1);
    return ask(step.getOperand(0), place, assumption, depth)
        .compare(step.getPredicate(), ask(step.getOperand(1), place, assumption, depth));
}

ValueSet ValueRanges::select(const SelectInst &step, const Place &place, Assumption *assumption,
                             unsigned depth)
{
    if (!isNumber(step.getCondition()))
        return ValueSet::all(step.getType()->getIntegerBitWidth());
    ValueSet asked = ask(step.getCondition(), place, assumption, depth);
    ValueSet set = ValueSet::none(step.getType()->getIntegerBitWidth());
    if (asked.contains(1))
        set = assumption ? ask(step.getTrueValue(), place, assumption, depth)
                         : arm(step, true, place, depth);
    if (asked.contains(0))
        set = set.join(assumption ? ask(step.getFalseValue(), place, assumption, depth)
                                  : arm(step, false, place, depth));
    return set;
}

/* As if it stood behind a branch. */
ValueSet ValueRanges::arm(const SelectInst &step, bool holds, const Place &place, unsigned depth)
{
    const Value *value = holds ? step.getTrueValue() : step.getFalseValue();
    Leaves leaves;
    Assumption assumption;
    leavesOf(value, leaves);
    for (const Value *leaf : leaves)
        if (mentions(step.getCondition(), leaf))
            assumption.values.try_emplace(leaf, limited(ask(leaf, place, nullptr, depth), leaf,
                                                        step.getCondition(), holds, place, depth));
    ValueSet set = ask(value, place, nullptr, depth);
    if (!assumption.values.empty())
        set = set.meet(ask(value, place, &assumption, depth));
    return set;
}

} // namespace sluice
