/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an integer of up to 64 bits may be: a few values one by one, or a range and what is left of
 * each value when it is divided by a number. Sets only ever hold too much, never too little.
 */
#ifndef SL_KERNELS_LLVM_VALUE_SET_H
#define SL_KERNELS_LLVM_VALUE_SET_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>

namespace sluice
{

class ValueSet
{
  public:
    enum { FEW = 64 };

    static ValueSet all(unsigned bits);
    static ValueSet none(unsigned bits);
    static ValueSet of(const llvm::APInt &value);
    static ValueSet of(const llvm::ConstantRange &range);
    /* In any order. */
    static ValueSet of(unsigned bits, llvm::ArrayRef<uint64_t> values);
    /* Signed values with this remainder, counted from 0 up. */
    static ValueSet withRemainder(unsigned bits, uint64_t modulus, uint64_t remainder);

    unsigned bits() const
    {
        return width;
    }
    bool isNone() const
    {
        return few && values.empty();
    }
    bool isFew() const
    {
        return few;
    }
    bool isAll() const
    {
        return !few && hull.isFullSet() && modulus == 1;
    }
    bool isSingle() const
    {
        return few && values.size() == 1;
    }
    /* Of a set of few, in order, without what is above `bits`. */
    llvm::ArrayRef<uint64_t> items() const
    {
        return values;
    }
    const llvm::ConstantRange &range() const
    {
        return hull;
    }
    bool contains(uint64_t value) const;
    bool operator==(const ValueSet &) const;

    /* Each value, if there are at most so many. */
    bool list(uint64_t most, llvm::SmallVectorImpl<uint64_t> &out) const;

    ValueSet join(const ValueSet &) const;
    ValueSet meet(const ValueSet &) const;
    /* Without that value. */
    ValueSet without(uint64_t value) const;
    /* From `low` to `high`, signed, with the remainder that is known. */
    ValueSet stretched(int64_t low, int64_t high) const;
    /* The ends as signed numbers; not of an empty set. */
    int64_t low() const
    {
        return hull.getSignedMin().getSExtValue();
    }
    int64_t high() const
    {
        return hull.getSignedMax().getSExtValue();
    }

    ValueSet sext(unsigned bits) const;
    ValueSet zext(unsigned bits) const;
    ValueSet trunc(unsigned bits) const;
    /* Flags are those of OverflowingBinaryOperator: what would overflow does not happen. */
    ValueSet binary(llvm::Instruction::BinaryOps, const ValueSet &, unsigned flags = 0) const;
    static ValueSet intrinsic(llvm::Intrinsic::ID, llvm::ArrayRef<ValueSet> operands);
    /* A set of one bit. */
    ValueSet compare(llvm::CmpInst::Predicate, const ValueSet &) const;

  private:
    explicit ValueSet(unsigned bits) : width(bits), hull(bits, false)
    {
    }
    llvm::APInt whole(uint64_t value) const
    {
        return llvm::APInt(width, value, false, true);
    }
    int64_t asSigned(uint64_t value) const;
    ValueSet &tidy();
    ValueSet &thin();
    ValueSet binaryOfFew(llvm::Instruction::BinaryOps, const ValueSet &, unsigned flags) const;
    static bool fitsBelow(const ValueSet &values, const ValueSet &above);

    unsigned width;
    bool few = true;
    llvm::SmallVector<uint64_t, 4> values; /* if few */
    llvm::ConstantRange hull;              /* of few as well */
    /* Signed values are `remainder` modulo this; 1: nothing is known; of a single value 0. */
    uint64_t modulus = 0, remainder = 0;
};

} // namespace sluice

#endif
