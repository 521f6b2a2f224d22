/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of values when they are divided by a number: the arithmetic of it, for value_set.h.
 */
#ifndef SL_KERNELS_LLVM_VALUE_RESIDUE_H
#define SL_KERNELS_LLVM_VALUE_RESIDUE_H

#include <cstdint>
#include <llvm/IR/ConstantRange.h>

namespace sluice
{

using wide = __int128;

/* What is known of values modulo a number; 0: the very value. */
struct Residue {
    uint64_t modulus;
    int64_t remainder;
};

constexpr Residue unknown = {1, 0};

/* The largest power of two that divides it: what is left of it when values wrap around. */
uint64_t evenPart(uint64_t modulus, unsigned bits);
/* From 0 up, whatever the sign; of modulus 0: 0. */
uint64_t remainderOf(int64_t value, uint64_t modulus);
Residue reduced(uint64_t modulus, wide remainder);
/* Of the same bits as numbers without a sign. */
Residue withoutSign(const llvm::ConstantRange &hull, uint64_t modulus, wide remainder);

} // namespace sluice

#endif
