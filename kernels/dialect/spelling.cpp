/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "dialect/spelling.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice
{

namespace
{

/* Letters that differ, are missing or too many; two neighbours in each other's place are one
 * mistake (optimal string alignment). */
unsigned mistakes(llvm::StringRef a, llvm::StringRef b)
{
    std::vector<std::vector<unsigned>> least(a.size() + 1, std::vector<unsigned>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); i++)
        for (size_t j = 0; j <= b.size(); j++) {
            unsigned &here = least[i][j];
            if (!i || !j) {
                here = static_cast<unsigned>(i + j);
                continue;
            }
            here = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1,
                             least[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                here = std::min(here, least[i - 2][j - 2] + 1);
        }
    return least[a.size()][b.size()];
}

} // namespace

llvm::StringRef nearestWord(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known,
                            unsigned most)
{
    constexpr size_t longest = 64;
    const std::string lower = word.take_front(longest + 1).lower();
    const unsigned letters = static_cast<unsigned>(word.size() / 3);
    unsigned least = std::min(std::max(1U, letters), most) + 1; /* too far */
    llvm::StringRef found;
    for (const llvm::StringRef candidate : known) {
        if (word.size() > longest || candidate.size() > longest)
            continue;
        const unsigned distance = mistakes(lower, candidate.lower());
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
