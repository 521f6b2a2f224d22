/* SPDX-License-Identifier: Apache-2.0 */
/* All that a source declares, for what is done before and after code generation. */
#ifndef SL_KERNELS_DIALECT_DECLARED_H
#define SL_KERNELS_DIALECT_DECLARED_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include "dialect/dataflow.h"

namespace sluice
{

inline bool isPipeVariable(const DataflowState &flow, const clang::VarDecl *variable)
{
    return flow.attributes.findAny(variable, Word::Channel) ||
           flow.attributes.findAny(variable, Word::Pipe);
}

template <class Variable, class Function>
void forEachDeclared(const DataflowState &flow, const clang::DeclContext *scope, Variable variable,
                     Function function)
{
    for (clang::Decl *decl : scope->decls()) {
        if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
            forEachDeclared(flow, llvm::cast<clang::DeclContext>(decl), variable, function);
        if (!decl->isCanonicalDecl() || decl->isInvalidDecl())
            continue;
        if (auto *object = llvm::dyn_cast<clang::VarDecl>(decl)) {
            if (isPipeVariable(flow, object))
                variable(object->getMostRecentDecl());
        } else if (auto *code = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
            function(code);
        }
    }
}

/* Every channel or pipe and every function of the file once, by its last declaration. */
template <class Variable, class Function>
void forEachDeclared(const DataflowState &flow, Variable variable, Function function)
{
    forEachDeclared(flow, flow.compiler.getASTContext().getTranslationUnitDecl(), variable,
                    function);
}

} // namespace sluice

#endif
