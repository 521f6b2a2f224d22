/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: each object belongs to one build. */
#include "clang/diagnostic_printer.h"
#include "clang/builtin_names.h"

#include <clang/AST/Type.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

#include "dialect/operations.h"
#include "dialect/spelling.h"

using namespace clang;

namespace
{
constexpr size_t mostMessages = 200, mostBytes = 1 << 20;

/* `blocking` of Intel's pipes, where it is not known: a pipe that does not wait loses packets. */
bool changesPipe(const Diagnostic &info)
{
    return info.getID() == diag::warn_type_attribute_wrong_type && info.getNumArgs() > 2 &&
           info.getArgKind(2) == DiagnosticsEngine::ak_qualtype &&
           QualType::getFromOpaquePtr(reinterpret_cast<void *>(info.getRawArg(2)))->isPipeType();
}

/* An assertion of ours, in what the dialect puts in the place of an operation. */
bool isOurAssertion(const Diagnostic &info)
{
    if (info.getID() != diag::err_static_assert_requirement_failed)
        return false;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    for (size_t i = 0; i < sluice::assertionEndCount; i++)
        if (text.str().ends_with(sluice::assertionEnds[i]))
            return true;
    return false;
}
} // namespace

/* What clang adds to an assertion that says all there is to say. */
bool sl::Printer::isExplained(const Diagnostic &info) const
{
    return explained.isValid() && info.getLocation() == explained &&
           (info.getID() == diag::note_expr_evaluates_to ||
            info.getID() == diag::err_typecheck_indirection_requires_pointer);
}

/* Its own words without the expression that nobody wrote. */
void sl::Printer::explain(const Diagnostic &info)
{
    static const char from[] = "static assertion failed", to[] = "': ";
    explained = info.getLocation();
    const size_t begin = text.find(from), end = text.find(to, begin);
    if (end != std::string::npos)
        text.erase(begin, end + sizeof to - 1 - begin);
}

/* Of an option that builds do not have. */
static bool isOfNoUse(const Diagnostic &info)
{
    return info.getID() == diag::note_bracket_depth;
}

void sl::Printer::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info)
{
    if (changesPipe(info))
        level = DiagnosticsEngine::Error;
    /* Errors are few, since clang gives up after some; a build must not fail without them. */
    const bool isError = level >= DiagnosticsEngine::Error && bytes < 2 * mostBytes;
    if (isExplained(info) || isOfNoUse(info)) {
        DiagnosticConsumer::HandleDiagnostic(level, info); /* counts it */
        return;
    }
    if (isError || (shown < mostMessages && bytes < mostBytes)) {
        TextDiagnosticPrinter::HandleDiagnostic(level, info);
        suggest(info);
        if (isOurAssertion(info))
            explain(info);
        shown++;
        bytes += text.size();
        sink(text);
        text.clear();
        return;
    }
    DiagnosticConsumer::HandleDiagnostic(level, info); /* counts it */
    hidden += level >= DiagnosticsEngine::Warning;
}

llvm::ArrayRef<llvm::StringRef> sl::Printer::meantBy(unsigned id) const
{
    switch (id) {
    case diag::warn_unknown_attribute_ignored:
        return known.attributes;
    case diag::warn_pragma_unknown_extension:
        return known.extensions;
    case diag::err_undeclared_var_use: /* clang has no list of these */
        return known.functions;
    default:
        return {};
    }
}

static llvm::SmallVector<llvm::StringRef, 0> builtinNames()
{
    return {sl_builtin_names, sl_builtin_names + sl_builtin_name_count};
}

/* Behind "unknown attribute 'dpeth' ignored", in front of the option that it goes by, if any. */
void sl::Printer::suggest(const Diagnostic &info)
{
    const llvm::ArrayRef<llvm::StringRef> names = meantBy(info.getID());
    const bool isUndeclared = info.getID() == diag::err_undeclared_var_use;
    if (names.empty() && !isUndeclared)
        return;
    const size_t begin = text.find('\'') + 1, end = text.find('\'', begin);
    const size_t line = text.find('\n', end), option = text.find(" [-W", end);
    const size_t place = std::min(line, option);
    if (!begin || place == std::string::npos)
        return;
    llvm::StringRef word = llvm::StringRef(text).slice(begin, end);
    llvm::StringRef near = sluice::nearestWord(word, names);
    /* Of so many names many are near. */
    if (near.empty() && isUndeclared)
        near = sluice::nearestWord(word, builtinNames(), 1);
    if (!near.empty() && near != word)
        text.insert(place, "; did you mean '" + near.str() + "'?");
}

sl::Printer::~Printer()
{
    if (hidden)
        sink("note: " + std::to_string(hidden) + " more warnings and errors are not shown\n");
}
