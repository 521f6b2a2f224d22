/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of value_ranges.h share: which values are computed of others alone, and of which.
 * Pure functions; no shared state.
 */
#ifndef SL_KERNELS_LLVM_RANGE_PARTS_H
#define SL_KERNELS_LLVM_RANGE_PARTS_H

#include "llvm/ranges/value_ranges.h"

#include <llvm/ADT/MapVector.h>

namespace sluice
{

enum { MOST_RANGE_DEPTH = 400 /* of expressions and of branches around branches */ };

bool isNumber(const llvm::Value *);
/* What the address of a load is made of, NULL: nobody knows; and the offset's parts. */
const llvm::Value *addressOf(const llvm::LoadInst &, const llvm::DataLayout &,
                             llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> &scales,
                             llvm::APInt &fixed);
/* What the value is computed of; nothing: it is a leaf, or no number. A table of constants is like
 * an operation on its index. */
llvm::SmallVector<const llvm::Value *, 4> partsOf(const llvm::Value *, const llvm::DataLayout &);
unsigned flagsOf(const llvm::BinaryOperator &);

} // namespace sluice

#endif
