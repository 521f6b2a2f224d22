/* SPDX-License-Identifier: Apache-2.0 */
/* All that a source declares, for what is done before and after code generation. */
#ifndef SL_KERNELS_SHIM_DATAFLOW_DECLARED_H
#define SL_KERNELS_SHIM_DATAFLOW_DECLARED_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include "dataflow.h"

namespace sluice
{

inline bool isPipeVariable(const DataflowState &flow, const clang::VarDecl *variable)
{
    return flow.attributes.findAny(variable, Word::Channel) ||
           flow.attributes.findAny(variable, Word::Pipe);
}

/* Every channel or pipe and every function of the file once, by its last declaration. */
template <class Variable, class Function>
void forEachDeclared(const DataflowState &flow, Variable variable, Function function)
{
    for (clang::Decl *decl : flow.compiler.getASTContext().getTranslationUnitDecl()->decls()) {
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

} // namespace sluice

#endif
