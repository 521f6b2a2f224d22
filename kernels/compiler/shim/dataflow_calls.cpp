/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels handed to functions. To clang a channel is an array, which decays to a pointer that any
 * function with a pointer to constant memory would take. No locks.
 */
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "dataflow.h"

using namespace clang;

namespace sluice
{

namespace
{

class Calls
{
  public:
    explicit Calls(DataflowState &state) : flow(state)
    {
    }

    /* A list of what is left, not recursion: expressions may be as deep as they are long. */
    void check(const Stmt *body)
    {
        llvm::SmallVector<const Stmt *, 64> left = {body};
        while (!left.empty()) {
            const Stmt *now = left.pop_back_val();
            if (const auto *call = llvm::dyn_cast_or_null<CallExpr>(now))
                checkCall(call);
            if (now)
                left.append(now->child_begin(), now->child_end());
        }
    }

  private:
    void checkCall(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        if (!callee || (callee->getIdentifier() && callee->getName().starts_with("__sl_")))
            return;
        for (unsigned i = 0; i < call->getNumArgs(); i++)
            if (const ValueDecl *object = objectOf(call->getArg(i)))
                if (!flow.attributes.findAny(callee, i, Word::Channel))
                    flow.error(call->getArg(i)->getBeginLoc(),
                               "'" + object->getName().str() +
                                   "' is a channel, the parameter is not");
    }

    /* The variable or parameter that names the channel; nullptr: none does. */
    const ValueDecl *objectOf(const Expr *argument) const
    {
        argument = argument->IgnoreParenCasts();
        while (const auto *element = llvm::dyn_cast<ArraySubscriptExpr>(argument))
            argument = element->getBase()->IgnoreParenCasts();
        const auto *name = llvm::dyn_cast<DeclRefExpr>(argument);
        return name && flow.attributes.findAny(name->getDecl(), Word::Channel) ? name->getDecl()
                                                                               : nullptr;
    }

    DataflowState &flow;
};

} // namespace

void checkCalls(DataflowState &flow)
{
    Calls calls(flow);
    for (const Decl *decl : flow.compiler.getASTContext().getTranslationUnitDecl()->decls())
        if (const auto *function = llvm::dyn_cast<FunctionDecl>(decl))
            if (function->doesThisDeclarationHaveABody())
                calls.check(function->getBody());
}

} // namespace sluice
