/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/ranges/value_residue.h"

using namespace llvm;

namespace sluice
{

uint64_t evenPart(uint64_t modulus, unsigned bits)
{
    uint64_t power = modulus & -modulus;
    return bits < 64 && (!power || power >> bits) ? uint64_t(1) << bits : power;
}

uint64_t remainderOf(int64_t value, uint64_t modulus)
{
    if (!modulus)
        return 0;
    wide left = wide(value) % wide(modulus);
    return uint64_t(left < 0 ? left + wide(modulus) : left);
}

Residue reduced(uint64_t modulus, wide remainder)
{
    if (!modulus || remainder > INT64_MAX || remainder < INT64_MIN)
        return modulus
                   ? Residue{modulus,
                             int64_t(((remainder % wide(modulus)) + wide(modulus)) % wide(modulus))}
                   : unknown;
    return {modulus, int64_t(remainderOf(int64_t(remainder), modulus))};
}

Residue withoutSign(const ConstantRange &hull, uint64_t modulus, wide remainder)
{
    unsigned bits = hull.getBitWidth();
    if (!hull.getSignedMin().isNegative() || !modulus)
        return {modulus, int64_t(remainder)};
    if (hull.getSignedMax().isNegative())
        return reduced(modulus, (remainder + (wide(1) << bits)) % wide(modulus));
    return reduced(evenPart(modulus, bits), remainder);
}

} // namespace sluice
