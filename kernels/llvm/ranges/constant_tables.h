/* SPDX-License-Identifier: Apache-2.0 */
/* What a load from a table of constants may give. Stateless. */
#ifndef SL_KERNELS_LLVM_CONSTANT_TABLES_H
#define SL_KERNELS_LLVM_CONSTANT_TABLES_H

#include "llvm/ranges/value_set.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace sluice
{

/* `base`: a constant of the program, or a variable of the function that holds nothing but
 * constants; of anything else a load may give all. `offsets`: of the load, in bytes, 64 bits. */
ValueSet loadedFrom(const llvm::Value *base, const llvm::LoadInst &, const ValueSet &offsets,
                    const llvm::DataLayout &);

} // namespace sluice

#endif
