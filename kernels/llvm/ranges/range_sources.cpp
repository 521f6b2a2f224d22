/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are not computed of others: ids, loads, lanes of vectors. See value_ranges.h. */
#include "llvm/ranges/range_parts.h"

#include "llvm/ranges/constant_tables.h"
#include "llvm/ranges/launch_shape.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace sluice
{

/* Ids and sizes, as far as the kernel's attributes tell. */
ValueSet ValueRanges::workItem(const CallInst &call) const
{
    enum kind { LOCAL_ID, GROUP_ID, GLOBAL_ID, LOCAL_SIZE, GROUPS, GLOBAL_SIZE };
    static const struct {
        const char *name;
        kind what;
    } names[] = {
        {"_Z12get_local_idj", LOCAL_ID},
        {"_Z12get_group_idj", GROUP_ID},
        {"_Z13get_global_idj", GLOBAL_ID},
        {"_Z14get_local_sizej", LOCAL_SIZE},
        {"_Z14get_num_groupsj", GROUPS},
        {"_Z15get_global_sizej", GLOBAL_SIZE},
        {"_Z23get_enqueued_local_sizej", LOCAL_SIZE},
    };
    unsigned bits = call.getType()->getIntegerBitWidth();
    const Function *callee = call.getCalledFunction();
    const auto *dimension =
        call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!callee || !dimension || bits != 64)
        return ValueSet::all(bits);
    uint64_t d = dimension->getZExtValue();
    uint64_t local = d < 3 ? shape.local_size[d] : 1;
    bool one = d >= 3 || shape.one_group[d];
    for (const auto &row : names) {
        if (callee->getName() != row.name)
            continue;
        bool size = row.what >= LOCAL_SIZE;
        uint64_t most = INT64_MAX; /* sizes; ids are below */
        if (row.what == LOCAL_ID || row.what == LOCAL_SIZE || one)
            most = local ? local : most;
        if (one && (row.what == GROUP_ID || row.what == GROUPS))
            most = 1;
        return ValueSet::of(ConstantRange(APInt(64, size), APInt(64, size ? most + 1 : most)));
    }
    return ValueSet::all(bits);
}

ValueSet ValueRanges::call(const CallInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&step);
    if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::expect)
        return ask(step.getArgOperand(0), place, assumption, depth);
    if (!intrinsic || !ConstantRange::isIntrinsicSupported(intrinsic->getIntrinsicID()))
        return intrinsic ? ValueSet::all(bits) : workItem(step);
    SmallVector<ValueSet, 2> operands;
    for (const Value *operand : step.args()) {
        if (!isNumber(operand))
            return ValueSet::all(bits);
        operands.push_back(ask(operand, place, assumption, depth));
    }
    return ValueSet::intrinsic(intrinsic->getIntrinsicID(), operands);
}

ValueSet ValueRanges::load(const LoadInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    SmallMapVector<Value *, APInt, 4> scales;
    APInt fixed(64, 0);
    const Value *base = addressOf(step, layout, scales, fixed);
    if (!base || (!isa<GlobalVariable>(base) && !isa<AllocaInst>(base)))
        return ValueSet::all(bits);
    ValueSet offset = ValueSet::of(fixed);
    for (auto &[index, scale] : scales) {
        if (!isNumber(index))
            return ValueSet::all(bits);
        ValueSet term = ask(index, place, assumption, depth).sext(64);
        const unsigned exact = OverflowingBinaryOperator::NoSignedWrap;
        term = term.binary(Instruction::Mul, ValueSet::of(scale), exact);
        offset = offset.binary(Instruction::Add, term, exact);
    }
    return loadedFrom(base, step, offset, layout);
}

ValueSet ValueRanges::lane(const Value *vector, uint64_t index, const Place &place,
                           Assumption *assumption, unsigned depth)
{
    const auto *type = dyn_cast<FixedVectorType>(vector->getType());
    unsigned bits = vector->getType()->getScalarSizeInBits();
    if (!type || index >= type->getNumElements() || depth > MOST_RANGE_DEPTH)
        return ValueSet::all(bits);
    if (const auto *constant = dyn_cast<Constant>(vector)) {
        const auto *value = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(index));
        return value ? ValueSet::of(value->getValue()) : ValueSet::all(bits);
    }
    if (const auto *part = dyn_cast<InsertElementInst>(vector)) {
        const auto *where = dyn_cast<ConstantInt>(part->getOperand(2));
        if (where && where->getZExtValue() == index && isNumber(part->getOperand(1)))
            return ask(part->getOperand(1), place, assumption, depth);
        return where ? lane(part->getOperand(0), index, place, assumption, depth + 1)
                     : ValueSet::all(bits);
    }
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
        int from = shuffle->getMaskValue(index);
        const Value *first = shuffle->getOperand(0);
        int count = int(llvm::cast<FixedVectorType>(first->getType())->getNumElements());
        return from < 0 ? ValueSet::all(bits)
                        : lane(from < count ? first : shuffle->getOperand(1),
                               uint64_t(from % count), place, assumption, depth + 1);
    }
    if (const auto *op = dyn_cast<BinaryOperator>(vector))
        if (op->getType()->isIntOrIntVectorTy())
            return lane(op->getOperand(0), index, place, assumption, depth + 1)
                .binary(op->getOpcode(),
                        lane(op->getOperand(1), index, place, assumption, depth + 1), flagsOf(*op));
    return ValueSet::all(bits);
}

} // namespace sluice
