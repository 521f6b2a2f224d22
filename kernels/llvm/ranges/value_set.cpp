/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/ranges/value_set.h"

#include "llvm/ranges/value_residue.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace sluice
{

namespace
{

ConstantRange fromTo(unsigned bits, uint64_t low, uint64_t high)
{
    return ConstantRange::getNonEmpty(APInt(bits, low), APInt(bits, high) + 1);
}

/* The set of what `values` hold, seen as numbers with or without a sign, whichever is smaller. They
 * are in order. */
ConstantRange hullOf(unsigned bits, ArrayRef<uint64_t> values)
{
    if (values.empty())
        return ConstantRange::getEmpty(bits);
    ConstantRange plain = fromTo(bits, values.front(), values.back());
    const uint64_t sign = uint64_t(1) << (bits - 1);
    if (values.front() >= sign || values.back() < sign)
        return plain;
    const uint64_t *negative = llvm::lower_bound(values, sign);
    ConstantRange withSign = fromTo(bits, *negative, negative[-1]);
    return withSign.isSizeStrictlySmallerThan(plain) ? withSign : plain;
}

uint64_t distance(int64_t a, int64_t b)
{
    return a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b);
}

} // namespace

/* ---- making ---------------------------------------------------------------------------------- */

int64_t ValueSet::asSigned(uint64_t value) const
{
    return SignExtend64(value, width);
}

/* A range's ends become members; what is small becomes few. */
ValueSet &ValueSet::tidy()
{
    if (few)
        return *this;
    if (modulus > 1 && !hull.isSignWrappedSet() && !hull.isEmptySet()) {
        wide low = hull.getSignedMin().getSExtValue(), high = hull.getSignedMax().getSExtValue();
        low += (wide(remainder) - wide(remainderOf(int64_t(low), modulus)) + wide(modulus)) %
               wide(modulus);
        high -= (wide(remainderOf(int64_t(high), modulus)) - wide(remainder) + wide(modulus)) %
                wide(modulus);
        hull = low > high
                   ? ConstantRange::getEmpty(width)
                   : ConstantRange::getNonEmpty(whole(uint64_t(low)), whole(uint64_t(high)) + 1);
    }
    if (hull.isEmptySet())
        return *this = none(width);
    SmallVector<uint64_t, FEW> all;
    return list(FEW, all) ? *this = of(width, all) : *this;
}

/* Of values that were computed one by one there may be too many. */
ValueSet &ValueSet::thin()
{
    if (!llvm::is_sorted(values)) /* nearly all are, and there are many sets */
        llvm::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    hull = hullOf(width, values);
    modulus = 0;
    for (size_t i = 1; i < values.size() && modulus != 1; i++)
        modulus = std::gcd(modulus, distance(asSigned(values[i]), asSigned(values[0])));
    remainder = values.empty() ? 0 : remainderOf(asSigned(values.front()), modulus);
    few = values.size() <= FEW;
    if (!few)
        values.clear();
    return *this;
}

ValueSet ValueSet::all(unsigned bits)
{
    return of(ConstantRange::getFull(bits));
}

ValueSet ValueSet::none(unsigned bits)
{
    return ValueSet(bits);
}

ValueSet ValueSet::of(const APInt &value)
{
    ValueSet set(value.getBitWidth());
    set.values.push_back(value.getZExtValue());
    set.hull = ConstantRange(value);
    return set;
}

ValueSet ValueSet::of(const ConstantRange &range)
{
    ValueSet set(range.getBitWidth());
    set.few = false;
    set.hull = range;
    set.modulus = 1;
    return set.tidy();
}

ValueSet ValueSet::of(unsigned bits, ArrayRef<uint64_t> values)
{
    ValueSet set(bits);
    set.values.assign(values.begin(), values.end());
    return set.thin();
}

ValueSet ValueSet::withRemainder(unsigned bits, uint64_t modulus, uint64_t remainder)
{
    ValueSet set = all(bits);
    if (set.few)
        return set;
    set.modulus = modulus;
    set.remainder = remainder;
    return set.tidy();
}

bool ValueSet::contains(uint64_t value) const
{
    if (few)
        return std::binary_search(values.begin(), values.end(), value);
    return hull.contains(whole(value)) && remainderOf(asSigned(value), modulus) == remainder;
}

bool ValueSet::operator==(const ValueSet &other) const
{
    return few == other.few && values == other.values && hull == other.hull &&
           modulus == other.modulus && remainder == other.remainder;
}

bool ValueSet::list(uint64_t most, SmallVectorImpl<uint64_t> &out) const
{
    if (few) {
        out.assign(values.begin(), values.end());
        return values.size() <= most;
    }
    uint64_t step = hull.isSignWrappedSet() ? 1 : modulus;
    wide size = wide((hull.getUpper() - hull.getLower()).getZExtValue());
    if (hull.isFullSet())
        size = wide(1) << width;
    if (size / wide(step) > wide(most))
        return false;
    APInt at = hull.getLower();
    for (wide n = size; n > 0; n -= wide(step)) {
        if (remainderOf(at.getSExtValue(), modulus) == remainder)
            out.push_back(at.getZExtValue());
        at += APInt(width, step, false, true);
    }
    return out.size() <= most;
}

/* ---- sets of values -------------------------------------------------------------------------- */

ValueSet ValueSet::join(const ValueSet &other) const
{
    if (isNone() || other.isNone())
        return isNone() ? other : *this;
    ValueSet set(width);
    if (few && other.few) {
        set.values.reserve(values.size() + other.values.size());
        std::set_union(values.begin(), values.end(), other.values.begin(), other.values.end(),
                       std::back_inserter(set.values));
        return set.thin();
    }
    wide apart = wide(remainder) - wide(other.remainder);
    if (few && values.size() == 1)
        apart = wide(asSigned(values[0])) - wide(other.remainder);
    else if (other.isSingle())
        apart = wide(remainder) - wide(other.asSigned(other.values[0]));
    set.few = false;
    set.hull = hull.unionWith(other.hull);
    set.modulus = std::gcd(std::gcd(modulus, other.modulus), uint64_t(apart < 0 ? -apart : apart));
    set.remainder = modulus ? remainder % set.modulus : other.remainder % set.modulus;
    return set.tidy();
}

ValueSet ValueSet::meet(const ValueSet &other) const
{
    if (few || other.few) {
        const ValueSet &from = few ? *this : other, &by = few ? other : *this;
        SmallVector<uint64_t, FEW> kept;
        for (uint64_t value : from.values)
            if (by.contains(value))
                kept.push_back(value);
        return of(width, kept);
    }
    ValueSet set = *this;
    set.hull = hull.intersectWith(other.hull);
    uint64_t common = std::gcd(modulus, other.modulus);
    if (remainder % common != other.remainder % common)
        return none(width);
    if (modulus < other.modulus) {
        set.modulus = other.modulus;
        set.remainder = other.remainder;
    }
    const ValueSet &less = modulus < other.modulus ? *this : other;
    enum { MOST = 1 << 12 };
    uint64_t times = less.modulus / common; /* the Chinese remainder, one by one */
    if (times > 1 && times < MOST && set.modulus < UINT32_MAX) {
        while (set.remainder % less.modulus != less.remainder)
            set.remainder += set.modulus;
        set.modulus *= times;
        set.remainder %= set.modulus;
    }
    return set.tidy();
}

ValueSet ValueSet::without(uint64_t value) const
{
    if (few) {
        SmallVector<uint64_t, FEW> kept;
        for (uint64_t item : values)
            if (item != value)
                kept.push_back(item);
        return of(width, kept);
    }
    ValueSet set = *this;
    set.hull = hull.difference(ConstantRange(whole(value)));
    return set.tidy();
}

ValueSet ValueSet::stretched(int64_t low, int64_t high) const
{
    ValueSet set = *this;
    set.values.clear();
    set.few = false;
    set.modulus = modulus ? modulus : 1;
    set.remainder = modulus ? remainder : 0;
    set.hull = ConstantRange::getNonEmpty(whole(uint64_t(low)), whole(uint64_t(high)) + 1);
    return set.tidy();
}

/* ---- widths ---------------------------------------------------------------------------------- */

ValueSet ValueSet::sext(unsigned to) const
{
    ValueSet set(to);
    for (uint64_t value : values)
        set.values.push_back(whole(value).sext(to).getZExtValue());
    if (few)
        return set.thin();
    set.few = false;
    set.hull = hull.signExtend(to);
    set.modulus = modulus;
    set.remainder = remainder;
    return set.tidy();
}

ValueSet ValueSet::zext(unsigned to) const
{
    ValueSet set(to);
    set.values = values;
    if (few)
        return set.thin();
    Residue known = withoutSign(hull, modulus, remainder);
    set.few = false;
    set.hull = hull.zeroExtend(to);
    set.modulus = known.modulus;
    set.remainder = uint64_t(known.remainder);
    return set.tidy();
}

ValueSet ValueSet::trunc(unsigned to) const
{
    ValueSet set(to);
    for (uint64_t value : values)
        set.values.push_back(whole(value).trunc(to).getZExtValue());
    if (few)
        return set.thin();
    bool same = hull.getSignedMin().isSignedIntN(to) && hull.getSignedMax().isSignedIntN(to);
    set.few = false;
    set.hull = hull.truncate(to);
    set.modulus = same ? modulus : evenPart(modulus, to);
    set.remainder = remainder % set.modulus;
    return set.tidy();
}

} // namespace sluice
