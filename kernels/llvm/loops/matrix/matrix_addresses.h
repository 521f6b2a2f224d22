/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the rows of matrices, in a form in which their distances can be seen. Used by
 * matrix_tiles.cpp only. Stateless. */
#ifndef SL_KERNELS_LLVM_MATRIX_ADDRESSES_H
#define SL_KERNELS_LLVM_MATRIX_ADDRESSES_H

#include <llvm/IR/Function.h>

namespace sluice::matrix
{

/* Of the loads whose rows postponed products multiply. `(m + 3) * width`, in 32 bits without
 * overflow or in 64, becomes `m * width + 3 * width`, in 64: so rows are multiples of the width
 * apart. The values of addresses stay what they are. */
void spreadAddresses(llvm::Function &);

} // namespace sluice::matrix

#endif
