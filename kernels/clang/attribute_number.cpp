/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "clang/attribute_number.h"

#include <clang/AST/Expr.h>
#include <clang/Sema/DeclSpec.h>

using namespace clang;

namespace sluice
{

namespace
{

/* A name that stands alone is to the parser no expression yet. */
Expr *argumentOf(Sema &sema, const ParsedAttr &parsed, unsigned index)
{
    if (parsed.isArgExpr(index))
        return parsed.getArgAsExpr(index);
    const IdentifierLoc *word = parsed.isArgIdent(index) ? parsed.getArgAsIdent(index) : nullptr;
    if (!word)
        return nullptr;
    UnqualifiedId name;
    CXXScopeSpec scope;
    name.setIdentifier(word->getIdentifierInfo(), word->getLoc());
    return sema
        .ActOnIdExpression(sema.getCurScope(), scope, SourceLocation(), name,
                           /*HasTrailingLParen=*/false, /*IsAddressOfOperand=*/false)
        .get();
}

} // namespace

std::optional<int64_t> attributeNumber(Sema &sema, const ParsedAttr &parsed, unsigned index,
                                       const std::string &name)
{
    Expr *expression = argumentOf(sema, parsed, index);
    if (!expression && parsed.isArgIdent(index))
        return std::nullopt; /* an unknown name: said already */
    auto value = expression && !expression->isValueDependent()
                     ? expression->getIntegerConstantExpr(sema.Context)
                     : std::nullopt;
    if (value && value->isRepresentableByInt64())
        return value->getExtValue();
    attributeError(sema, expression ? expression->getBeginLoc() : parsed.getLoc(),
                   "the argument of '" + name + "' must be an integer constant");
    return std::nullopt;
}

void attributeError(Sema &sema, SourceLocation place, const std::string &text)
{
    DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << text;
}

} // namespace sluice
