/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/ranges/range_parts.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace sluice
{

bool isNumber(const Value *value)
{
    return value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64;
}

/* Computed of its operands alone. */
static bool isComputed(const Value *value)
{
    if (isa<BinaryOperator>(value) || isa<SelectInst>(value) || isa<FreezeInst>(value))
        return isNumber(value);
    if (const auto *cast = dyn_cast<CastInst>(value))
        return isNumber(value) && isNumber(cast->getOperand(0));
    if (const auto *compare = dyn_cast<ICmpInst>(value))
        return isNumber(value) && isNumber(compare->getOperand(0));
    const auto *call = dyn_cast<IntrinsicInst>(value);
    return call && isNumber(value) &&
           (ConstantRange::isIntrinsicSupported(call->getIntrinsicID()) ||
            call->getIntrinsicID() == Intrinsic::expect);
}

const Value *addressOf(const LoadInst &load, const DataLayout &layout,
                       SmallMapVector<Value *, APInt, 4> &scales, APInt &fixed)
{
    const Value *base = load.getPointerOperand();
    for (;;) {
        const auto *part = dyn_cast<Operator>(base);
        if (const auto *step = dyn_cast<GEPOperator>(base)) {
            if (!step->collectOffset(layout, 64, scales, fixed))
                return nullptr;
        } else if (!part || (part->getOpcode() != Instruction::AddrSpaceCast &&
                             part->getOpcode() != Instruction::BitCast)) {
            return base;
        }
        base = part->getOperand(0);
    }
}

SmallVector<const Value *, 4> partsOf(const Value *value, const DataLayout &layout)
{
    SmallVector<const Value *, 4> parts;
    if (isComputed(value))
        parts.append(cast<Instruction>(value)->value_op_begin(),
                     cast<Instruction>(value)->value_op_end());
    if (const auto *load = dyn_cast<LoadInst>(value)) {
        SmallMapVector<Value *, APInt, 4> scales;
        APInt fixed(64, 0);
        const auto *table =
            dyn_cast_or_null<GlobalVariable>(addressOf(*load, layout, scales, fixed));
        if (table && table->isConstant())
            for (auto &[index, scale] : scales)
                parts.push_back(index);
    }
    return parts;
}

unsigned flagsOf(const BinaryOperator &op)
{
    const auto *wraps = dyn_cast<OverflowingBinaryOperator>(&op);
    return wraps ? wraps->getNoWrapKind() : 0;
}

} // namespace sluice
