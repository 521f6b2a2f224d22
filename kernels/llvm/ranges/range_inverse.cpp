/* SPDX-License-Identifier: Apache-2.0 */
/* From what an expression may be to what a value may be that it is computed of. See value_ranges.h.
 */
#include "llvm/ranges/range_parts.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace sluice
{

namespace
{

/* Of the values that times `by` are within the set, without overflow. */
ValueSet quotients(const ValueSet &may, int64_t by)
{
    int64_t low = may.low(), high = may.high();
    if (low < INT64_MIN + by || low > INT64_MAX - by || high < INT64_MIN + by)
        return ValueSet::all(may.bits());
    int64_t from = low >= 0 ? (low + by - 1) / by : low / by;
    int64_t to = high >= 0 ? high / by : -((-high + by - 1) / by);
    return from > to ? ValueSet::none(may.bits()) : ValueSet::all(may.bits()).stretched(from, to);
}

/* Of the values that divided by it are within the set, which holds no negative ones. */
ValueSet products(const ValueSet &may, uint64_t by, bool withSign)
{
    __int128 most = APInt::getSignedMaxValue(may.bits()).getSExtValue();
    __int128 low = __int128(may.low()) * by, high = __int128(may.high()) * by + by - 1;
    if (!low && withSign)
        low = 1 - __int128(by);
    if (may.low() < 0 || high > most || low < -most)
        return ValueSet::all(may.bits());
    return ValueSet::all(may.bits()).stretched(int64_t(low), int64_t(high));
}

/* Of those that leave a remainder of the set. */
ValueSet withSameRemainder(const ValueSet &may, uint64_t modulus)
{
    return may.isSingle() && modulus > 1 && may.items()[0] < modulus && modulus < INT64_MAX
               ? ValueSet::withRemainder(may.bits(), modulus, may.items()[0])
               : ValueSet::all(may.bits());
}

} // namespace

/* The same, of an expression that is a number in another width. */
ValueSet ValueRanges::unfoldedCast(ValueSet set, const Value *value, const Value *expression,
                                   const ValueSet &may)
{
    const Value *a;
    unsigned bits = may.bits();
    if (match(expression, m_ZExtOrSExt(m_Value(a)))) {
        unsigned narrow = a->getType()->getIntegerBitWidth();
        ValueSet all = ValueSet::all(narrow);
        all = isa<ZExtInst>(expression) ? all.zext(bits) : all.sext(bits);
        return unfolded(set, value, a, may.meet(all).trunc(narrow));
    }
    if (match(expression, m_Trunc(m_Value(a)))) {
        unsigned broad = a->getType()->getIntegerBitWidth();
        if (a == value && set.range().getSignedMin().isSignedIntN(bits) &&
            set.range().getSignedMax().isSignedIntN(bits))
            return set.meet(may.sext(broad));
        if (a == value && set.range().getUnsignedMax().isIntN(bits))
            return set.meet(may.zext(broad));
        if (may.isSingle() && bits < 62 && broad <= 64)
            return unfolded(set, value, a,
                            ValueSet::withRemainder(broad, uint64_t(1) << bits, may.items()[0]));
        return set;
    }
    return set;
}

/* The expression is within `may`: what that tells of a value that it is computed of. */
ValueSet ValueRanges::unfolded(ValueSet set, const Value *value, const Value *expression,
                               const ValueSet &may)
{
    const Value *a;
    const APInt *c;
    if (may.isNone())
        return ValueSet::none(set.bits());
    if (expression == value)
        return set.meet(may);
    if (!mentions(expression, value))
        return set;
    unsigned bits = may.bits();
    if (isa<CastInst>(expression))
        return unfoldedCast(set, value, expression, may);
    if (match(expression, m_Freeze(m_Value(a))))
        return unfolded(set, value, a, may);
    if (match(expression, m_Add(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Sub, ValueSet::of(*c)));
    if (match(expression, m_Sub(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Add, ValueSet::of(*c)));
    if (match(expression, m_Sub(m_APInt(c), m_Value(a))))
        return unfolded(set, value, a, ValueSet::of(*c).binary(Instruction::Sub, may));
    if (match(expression, m_Xor(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Xor, ValueSet::of(*c)));
    if (match(expression, m_And(m_Value(a), m_LowBitMask(c))) && !c->isAllOnes())
        return unfolded(set, value, a, withSameRemainder(may, c->getZExtValue() + 1));
    if (match(expression, m_URem(m_Value(a), m_APInt(c))) &&
        (c->isPowerOf2() || (a == value && !set.range().getSignedMin().isNegative())))
        return unfolded(set, value, a, withSameRemainder(may, c->getZExtValue()));
    if (match(expression, m_SRem(m_Value(a), m_APInt(c))) && c->isStrictlyPositive()) {
        ValueSet remainder = withSameRemainder(may, c->getZExtValue());
        if (may.low() > 0)
            remainder = remainder.meet(
                ValueSet::all(bits).stretched(1, APInt::getSignedMaxValue(bits).getSExtValue()));
        return unfolded(set, value, a, remainder);
    }
    if (match(expression, m_NSWMul(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, quotients(may, c->getSExtValue()));
    if (match(expression, m_NSWShl(m_Value(a), m_APInt(c))) && c->ult(bits - 1) && c->ult(62))
        return unfolded(set, value, a, quotients(may, int64_t(1) << c->getZExtValue()));
    if (match(expression, m_UDiv(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, products(may, c->getZExtValue(), false));
    if (match(expression, m_SDiv(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, products(may, c->getZExtValue(), true));
    if (match(expression, m_Shr(m_Value(a), m_APInt(c))) && c->ult(bits - 1) && c->ult(62))
        return unfolded(set, value, a, products(may, uint64_t(1) << c->getZExtValue(), false));
    return set;
}

} // namespace sluice
