/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers of any width as Intel's FPGA compilers write them: "__attribute__((__ap_int(N)))" makes
 * clang's _BitInt(N) of an integer type, on every device. The attribute is registered with clang
 * for the whole process. No locks and no state.
 */
#ifndef SL_KERNELS_CLANG_ARBITRARY_INTEGER_H
#define SL_KERNELS_CLANG_ARBITRARY_INTEGER_H

#include <llvm/IR/Module.h>
#include <string>

namespace sluice
{

constexpr unsigned widestInteger = 2048; /* bits */
constexpr unsigned widestNamed = 64;     /* the same */

/* What a program finds as "ihc_apint.h" unless it has one of its own: intN_t and uintN_t up to
 * widestNamed. */
std::string arbitraryIntegerHeader();

/* Integers that are none of C's wrap around, with a sign too, as they do in hardware. After code
 * generation. */
void wrapArbitraryIntegers(llvm::Module &);

} // namespace sluice

#endif
