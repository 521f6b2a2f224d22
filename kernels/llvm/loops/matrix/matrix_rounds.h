/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of loops in which matrices are multiplied. Used by matrix_tiles.cpp only. Stateless. */
#ifndef SL_KERNELS_LLVM_MATRIX_ROUNDS_H
#define SL_KERNELS_LLVM_MATRIX_ROUNDS_H

#include <llvm/IR/Function.h>

namespace sluice::matrix
{

/* A loop whose products go on, from round to round, with what lies behind their rows of a does two
 * rounds in one, so that both products can be one (joinChains); an odd one is behind it. */
void pairRounds(llvm::Function &);

} // namespace sluice::matrix

#endif
