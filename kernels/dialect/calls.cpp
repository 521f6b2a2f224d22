/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels handed to functions. To clang a channel is an array, which decays to a pointer that any
 * function with a pointer to constant memory would take, and whose outermost dimension is lost. No
 * locks.
 */
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "dialect/dataflow.h"

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

    /* A list of what is left, not recursion: expressions may be as deep as they are long. In the
     * order of the text, so that messages are. */
    void check(const Stmt *body)
    {
        llvm::SmallVector<const Stmt *, 64> left = {body};
        while (!left.empty()) {
            const Stmt *now = left.pop_back_val();
            if (const auto *call = llvm::dyn_cast_or_null<CallExpr>(now))
                checkCall(call);
            if (!now)
                continue;
            llvm::SmallVector<const Stmt *, 8> parts(now->child_begin(), now->child_end());
            left.append(parts.rbegin(), parts.rend());
        }
    }

  private:
    struct Object {
        const ValueDecl *decl = nullptr; /* that names the channel; nullptr: none does */
        QualType type;                   /* as declared, less the dimensions that are indexed */
    };

    void checkCall(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        if (!callee || (callee->getIdentifier() && callee->getName().starts_with("__sl_")))
            return;
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const std::string why = fault(objectOf(call->getArg(i)), callee, i);
            if (!why.empty())
                flow.error(call->getArg(i)->getBeginLoc(), why);
        }
    }

    std::string fault(const Object &object, const FunctionDecl *callee, unsigned index)
    {
        const bool wanted = flow.attributes.findAny(callee, index, Word::Channel);
        if (!wanted)
            return object.decl ? quoted(object) + " is a channel, the parameter is not" : "";
        const ParmVarDecl *parameter = callee->getParamDecl(index);
        if (!object.decl)
            return "'" + parameter->getName().str() + "' is a channel, the argument is not";
        const QualType type = parameter->getOriginalType();
        if (isSame(object.type, type))
            return "";
        return quoted(object) + " is of an incompatible type: " + describe(object.type) +
               ", the parameter '" + parameter->getName().str() + "' is " + describe(type);
    }

    static std::string quoted(const Object &object)
    {
        return "'" + object.decl->getName().str() + "'";
    }

    /* Dimension by dimension; a parameter may leave its first one open. */
    bool isSame(QualType argument, QualType parameter) const
    {
        const ASTContext &ast = flow.compiler.getASTContext();
        const ArrayType *a = ast.getAsArrayType(argument), *p = ast.getAsArrayType(parameter);
        for (; a && p; a = ast.getAsArrayType(argument), p = ast.getAsArrayType(parameter)) {
            const auto *has = llvm::dyn_cast<ConstantArrayType>(a);
            const auto *wants = llvm::dyn_cast<ConstantArrayType>(p);
            if (has && wants && has->getSize() != wants->getSize())
                return false;
            argument = a->getElementType();
            parameter = p->getElementType();
        }
        return !a && !p &&
               flow.compiler.getASTContext().typesAreCompatible(argument.getUnqualifiedType(),
                                                                parameter.getUnqualifiedType());
    }

    /* "a channel of int", "an array [4][2] of channels of int". */
    std::string describe(QualType type) const
    {
        const ASTContext &ast = flow.compiler.getASTContext();
        std::string dimensions;
        unsigned rank = 0;
        for (const ArrayType *array; (array = ast.getAsArrayType(type)); rank++) {
            const ArrayType *inner = ast.getAsArrayType(array->getElementType());
            type = array->getElementType();
            if (!inner) /* the rewriting's own */
                break;
            const auto *sized = llvm::dyn_cast<ConstantArrayType>(array);
            dimensions +=
                "[" + (sized ? std::to_string(sized->getSize().getZExtValue()) : "") + "]";
        }
        return (rank ? "an array " + dimensions + " of channels of " : "a channel of ") + "'" +
               type.getUnqualifiedType().getAsString(ast.getPrintingPolicy()) + "'";
    }

    static QualType declaredType(const ValueDecl *decl)
    {
        const auto *parameter = llvm::dyn_cast<ParmVarDecl>(decl);
        return parameter ? parameter->getOriginalType() : decl->getType();
    }

    Object objectOf(const Expr *argument) const
    {
        unsigned indices = 0;
        argument = argument->IgnoreParenCasts();
        for (; const auto *element = llvm::dyn_cast<ArraySubscriptExpr>(argument); indices++)
            argument = element->getBase()->IgnoreParenCasts();
        const auto *name = llvm::dyn_cast<DeclRefExpr>(argument);
        if (!name || !flow.attributes.findAny(name->getDecl(), Word::Channel))
            return {};
        const ASTContext &ast = flow.compiler.getASTContext();
        Object object = {name->getDecl(), declaredType(name->getDecl())};
        for (; indices && ast.getAsArrayType(object.type); indices--)
            object.type = ast.getAsArrayType(object.type)->getElementType();
        return object;
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
