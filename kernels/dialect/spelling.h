/* SPDX-License-Identifier: Apache-2.0 */
/* What a misspelt word may have been meant to be. No state. */
#ifndef SL_KERNELS_DIALECT_SPELLING_H
#define SL_KERNELS_DIALECT_SPELLING_H

#include <climits>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace sluice
{

/* The nearest of these words, if it is so near that nobody would call two things like that: one
 * letter in three differs, and no more than `most`, upper and lower case apart; empty: there is
 * none. Of several the first in the alphabet. */
llvm::StringRef nearestWord(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known,
                            unsigned most = UINT_MAX);

} // namespace sluice

#endif
