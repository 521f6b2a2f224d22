/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: all belongs to one build. */
#include "clang/packet_types.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTDiagnostic.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>

#include "dialect/operations.h"

using namespace clang;

namespace
{

/* As the pipe was declared with, and the qualifiers of what is a packet; any other type as it is.
 */
intptr_t nameOf(intptr_t handle, const ASTContext &context)
{
    const QualType type = QualType::getFromOpaquePtr(reinterpret_cast<void *>(handle));
    const auto *name = type.isNull() ? nullptr : dyn_cast<TypedefType>(type.split().Ty);
    if (!name || name->getDecl()->getName() != sluice::packetType)
        return handle;
    QualType is = name->getDecl()->getUnderlyingType();
    if (const auto *of = dyn_cast<TypeOfExprType>(is.getTypePtr()))
        is = of->getUnderlyingExpr()->getType();
    is = context.getQualifiedType(is, type.split().Quals);
    return reinterpret_cast<intptr_t>(is.getAsOpaquePtr());
}

void write(DiagnosticsEngine::ArgumentKind kind, intptr_t value, StringRef modifier,
           StringRef argument, ArrayRef<DiagnosticsEngine::ArgumentValue> before,
           SmallVectorImpl<char> &out, void *cookie, ArrayRef<intptr_t> types)
{
    const auto &context = *static_cast<const ASTContext *>(cookie);
    if (kind == DiagnosticsEngine::ak_qualtype) {
        value = nameOf(value, context);
    } else if (kind == DiagnosticsEngine::ak_qualtype_pair) { /* this call's own */
        auto &both = *reinterpret_cast<TemplateDiffTypes *>(value);
        both.FromType = nameOf(both.FromType, context);
        both.ToType = nameOf(both.ToType, context);
    }
    FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, before, out, cookie, types);
}

class Names : public SemaConsumer
{
  public:
    /* Behind what it has set itself. */
    void InitializeSema(Sema &sema) override
    {
        sema.getDiagnostics().SetArgToStringFn(write, &sema.getASTContext());
    }
};

} // namespace

std::unique_ptr<ASTConsumer> sl_name_packet_types()
{
    return std::make_unique<Names>();
}
