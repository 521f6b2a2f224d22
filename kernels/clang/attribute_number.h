/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as arguments of attributes that clang does not know. No locks and no state. */
#ifndef SL_KERNELS_CLANG_ATTRIBUTE_NUMBER_H
#define SL_KERNELS_CLANG_ATTRIBUTE_NUMBER_H

#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <cstdint>
#include <optional>
#include <string>

namespace sluice
{

/* Argument `index` of the attribute that the program calls `name`; none: it is no integer constant,
 * and that has been said. */
std::optional<int64_t> attributeNumber(clang::Sema &, const clang::ParsedAttr &, unsigned index,
                                       const std::string &name);
void attributeError(clang::Sema &, clang::SourceLocation, const std::string &text);

} // namespace sluice

#endif
