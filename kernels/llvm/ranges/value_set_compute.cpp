/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation makes of sets of values, see value_set.h: value by value where they are few,
 * else by ranges and by what is left of values. */
#include "llvm/ranges/value_residue.h"
#include "llvm/ranges/value_set.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <numeric>

using namespace llvm;

namespace sluice
{

namespace
{

bool divides(Instruction::BinaryOps op)
{
    return op == Instruction::UDiv || op == Instruction::SDiv || op == Instruction::URem ||
           op == Instruction::SRem;
}

bool shifts(Instruction::BinaryOps op)
{
    return op == Instruction::Shl || op == Instruction::LShr || op == Instruction::AShr;
}

/* False: that does not happen. */
bool computeOne(Instruction::BinaryOps op, const APInt &a, const APInt &b, unsigned flags,
                APInt &out)
{
    bool wrapped = false, wrappedPlain = false;
    if ((divides(op) && b.isZero()) || (shifts(op) && b.uge(b.getBitWidth())))
        return false;
    switch (op) {
    case Instruction::Add:
        out = a.sadd_ov(b, wrapped);
        (void)a.uadd_ov(b, wrappedPlain);
        break;
    case Instruction::Sub:
        out = a.ssub_ov(b, wrapped);
        (void)a.usub_ov(b, wrappedPlain);
        break;
    case Instruction::Mul:
        out = a.smul_ov(b, wrapped);
        (void)a.umul_ov(b, wrappedPlain);
        break;
    case Instruction::Shl:
        out = a.shl(b);
        wrapped = out.ashr(b) != a;
        wrappedPlain = out.lshr(b) != a;
        break;
    case Instruction::UDiv:
        out = a.udiv(b);
        break;
    case Instruction::SDiv:
        out = a.sdiv_ov(b, wrapped);
        if (wrapped)
            return false;
        break;
    case Instruction::URem:
        out = a.urem(b);
        break;
    case Instruction::SRem:
        out = a.srem(b);
        break;
    case Instruction::LShr:
        out = a.lshr(b);
        break;
    case Instruction::AShr:
        out = a.ashr(b);
        break;
    case Instruction::And:
        out = a & b;
        break;
    case Instruction::Or:
        out = a | b;
        break;
    case Instruction::Xor:
        out = a ^ b;
        break;
    default:
        return false;
    }
    return !(wrapped && flags & OverflowingBinaryOperator::NoSignedWrap) &&
           !(wrappedPlain && flags & OverflowingBinaryOperator::NoUnsignedWrap);
}

uint64_t magnitude(wide value)
{
    wide positive = value < 0 ? -value : value;
    return positive > UINT64_MAX ? 1 : uint64_t(positive);
}

Residue multiplied(const Residue &a, const Residue &b)
{
    uint64_t modulus = magnitude(wide(a.modulus) * wide(b.modulus));
    if (!a.modulus || !b.modulus)
        modulus = 0;
    modulus = std::gcd(modulus, magnitude(wide(a.modulus) * b.remainder));
    modulus = std::gcd(modulus, magnitude(wide(b.modulus) * a.remainder));
    return reduced(modulus, wide(a.remainder) * b.remainder);
}

/* Values of a signed range, times or plus one of another: do they stay within their width? */
bool staysInside(Instruction::BinaryOps op, const ConstantRange &a, const ConstantRange &b)
{
    unsigned bits = a.getBitWidth();
    wide most = (wide(1) << (bits - 1)) - 1, least = -most - 1;
    wide ends[2][2] = {{a.getSignedMin().getSExtValue(), a.getSignedMax().getSExtValue()},
                       {b.getSignedMin().getSExtValue(), b.getSignedMax().getSExtValue()}};
    bool inside = true;
    for (wide x : ends[0])
        for (wide y : ends[1]) {
            wide result = op == Instruction::Add ? x + y : op == Instruction::Sub ? x - y : x * y;
            inside &= result >= least && result <= most;
        }
    return inside;
}

Residue divided(const Residue &a, uint64_t by)
{
    bool whole = a.modulus && a.modulus % by == 0;
    return whole ? reduced(a.modulus / by, a.remainder / int64_t(by)) : unknown;
}

/* A computation on sets of which one at least has many values. */
struct Computation {
    Instruction::BinaryOps op;
    const ConstantRange &left, &right;
    Residue a, b; /* of the left and the right one */
    bool fixed;   /* the right one is this value: */
    uint64_t by;
    bool plain;  /* the left one is the same with and without a sign */
    bool inside; /* the result is known not to wrap around */

    unsigned bits() const
    {
        return left.getBitWidth();
    }
    bool isCount() const /* a number to divide by, as a signed one as well */
    {
        return fixed && by && by < INT64_MAX && APInt(64, by).isSignedIntN(bits());
    }
};

Residue residueOfSum(Computation &c)
{
    c.inside |= staysInside(c.op, c.left, c.right);
    if (c.op == Instruction::Mul)
        return multiplied(c.a, c.b);
    wide sum = wide(c.a.remainder) + (c.op == Instruction::Add ? 1 : -1) * wide(c.b.remainder);
    return reduced(std::gcd(c.a.modulus, c.b.modulus), sum);
}

Residue residueOfMask(Computation &c)
{
    if (!c.fixed || ((c.by + 1) & c.by) || c.by >= INT64_MAX)
        return unknown;
    c.inside = true;
    return reduced(std::gcd(evenPart(c.a.modulus, c.bits()), c.by + 1), c.a.remainder);
}

Residue residueOfRemainder(Computation &c)
{
    if (!c.isCount())
        return unknown;
    c.inside = true;
    Residue a = c.op == Instruction::URem ? withoutSign(c.left, c.a.modulus, c.a.remainder) : c.a;
    return reduced(std::gcd(a.modulus, c.by), a.remainder);
}

Residue residueOfQuotient(Computation &c)
{
    c.inside = true;
    return c.fixed && c.plain && c.by && c.by < INT64_MAX ? divided(c.a, c.by) : unknown;
}

Residue residueOfShift(Computation &c)
{
    bool known = c.fixed && c.by < 62;
    if (c.op == Instruction::Shl)
        return known ? multiplied(c.a, {0, int64_t(1) << c.by}) : unknown;
    c.inside = true;
    Residue a = c.plain ? c.a : reduced(evenPart(c.a.modulus, c.bits()), c.a.remainder);
    return known ? divided(a, uint64_t(1) << c.by) : unknown;
}

Residue residueOf(Computation &c)
{
    switch (c.op) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
        return residueOfSum(c);
    case Instruction::And:
        return residueOfMask(c);
    case Instruction::SRem:
    case Instruction::URem:
        return residueOfRemainder(c);
    case Instruction::SDiv:
    case Instruction::UDiv:
        return residueOfQuotient(c);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return residueOfShift(c);
    default:
        return unknown;
    }
}

} // namespace

/* Its values have bits only where all of the other set have none. */
bool ValueSet::fitsBelow(const ValueSet &values, const ValueSet &above)
{
    uint64_t room = evenPart(above.modulus, values.width);
    return above.modulus > 1 && above.remainder % room == 0 &&
           values.hull.getUnsignedMax().ult(APInt(64, room).zextOrTrunc(values.width)) &&
           room >> (values.width - 1) == 0;
}

ValueSet ValueSet::binaryOfFew(Instruction::BinaryOps op, const ValueSet &other,
                               unsigned flags) const
{
    ValueSet set(width);
    APInt result;
    for (uint64_t a : values)
        for (uint64_t b : other.values)
            if (computeOne(op, whole(a), whole(b), flags, result))
                set.values.push_back(result.getZExtValue());
    return set.thin();
}

ValueSet ValueSet::binary(Instruction::BinaryOps op, const ValueSet &other, unsigned flags) const
{
    if (isNone() || other.isNone())
        return none(width);
    if (few && other.few)
        return binaryOfFew(op, other, flags);
    bool joins = op == Instruction::Or || op == Instruction::Xor;
    if (joins && (fitsBelow(other, *this) || fitsBelow(*this, other)))
        return binary(Instruction::Add, other, flags); /* what shares no bit is a sum */
    auto residueOfSet = [](const ValueSet &s) {
        return Residue{s.modulus, s.isSingle() ? s.asSigned(s.values[0]) : int64_t(s.remainder)};
    };
    Computation c = {op, hull,  other.hull, residueOfSet(*this), residueOfSet(other), false,
                     0,  false, false};
    c.fixed = other.isSingle() && !hull.isEmptySet();
    c.by = c.fixed ? other.values[0] : 0;
    c.plain = !hull.getSignedMin().isNegative();
    c.inside = flags & OverflowingBinaryOperator::NoSignedWrap;
    if (op == Instruction::And && c.fixed && c.by < evenPart(c.a.modulus, width))
        return of(
            APInt(width, c.by & uint64_t(c.a.remainder), false, true)); /* bits that are known */
    Residue result = residueOf(c);
    if (!c.inside)
        result = reduced(evenPart(result.modulus, width), result.remainder);
    ValueSet set(width);
    set.few = false;
    set.hull = hull.overflowingBinaryOp(op, other.hull, flags);
    set.modulus = result.modulus;
    set.remainder = uint64_t(result.remainder);
    return set.tidy();
}

ValueSet ValueSet::intrinsic(Intrinsic::ID id, ArrayRef<ValueSet> operands)
{
    unsigned bits = operands[0].width;
    if (std::any_of(operands.begin(), operands.end(), [](const ValueSet &s) { return s.isNone(); }))
        return none(bits);
    bool few =
        std::all_of(operands.begin(), operands.end(), [](const ValueSet &s) { return s.few; });
    SmallVector<ConstantRange, 2> ranges;
    if (!few || operands.size() > 2) {
        for (const ValueSet &set : operands)
            ranges.push_back(set.hull);
        return of(ConstantRange::intrinsic(id, ranges));
    }
    SmallVector<uint64_t, FEW> results;
    for (uint64_t a : operands[0].values)
        for (uint64_t b : operands.back().values) {
            ranges = {ConstantRange(operands[0].whole(a))};
            if (operands.size() == 2)
                ranges.push_back(ConstantRange(operands[1].whole(b)));
            const ConstantRange result = ConstantRange::intrinsic(id, ranges);
            if (const APInt *single = result.getSingleElement())
                results.push_back(single->getZExtValue());
            else
                return of(ConstantRange::getFull(bits));
        }
    return of(bits, results);
}

ValueSet ValueSet::compare(CmpInst::Predicate predicate, const ValueSet &other) const
{
    if (isNone() || other.isNone())
        return none(1);
    bool always = hull.icmp(predicate, other.hull);
    bool never = hull.icmp(CmpInst::getInversePredicate(predicate), other.hull);
    if (!always && !never && few && other.few) {
        always = never = true;
        for (uint64_t a : values)
            for (size_t i = 0; i < other.values.size() && (always || never); i++) {
                bool holds = ICmpInst::compare(whole(a), whole(other.values[i]), predicate);
                always &= holds;
                never &= !holds;
            }
    }
    if (!always && !never && CmpInst::isEquality(predicate) && meet(other).isNone()) {
        always = predicate == CmpInst::ICMP_NE;
        never = !always;
    }
    if (always || never)
        return of(APInt(1, always));
    return all(1);
}

} // namespace sluice
