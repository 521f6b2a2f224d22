/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "dialect/spelling.h"

#include <algorithm>
#include <string>

namespace sluice
{

llvm::StringRef nearestWord(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known)
{
    const std::string lower = word.lower();
    unsigned least = std::max(1U, static_cast<unsigned>(word.size() / 3)) + 1; /* too far */
    llvm::StringRef found;
    for (const llvm::StringRef candidate : known) {
        const unsigned distance = llvm::StringRef(lower).edit_distance(candidate.lower());
        const bool nearer =
            distance < least || (distance == least && !found.empty() && candidate < found);
        if (!nearer || distance >= candidate.size()) /* nothing in common: any word would do */
            continue;
        least = distance;
        found = candidate;
    }
    return found;
}

} // namespace sluice
