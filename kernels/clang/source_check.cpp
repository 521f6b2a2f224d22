/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes, builtins and types that the code generator or the machine would stumble over: each is
 * refused by name with line and column. No locks and no state outside the objects.
 */
#include "clang/source_check.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/Builtins.h>

using namespace clang;

namespace
{

constexpr uint64_t largestObject = uint64_t(1) << 30;
constexpr unsigned mostElements = 256;

/* They place code or data where a kernel has no say, or change how code is called. */
bool isRefused(const Attr &attribute)
{
    switch (attribute.getKind()) {
    case attr::Alias:
    case attr::IFunc:
    case attr::WeakRef:
    case attr::Naked:
    case attr::Constructor:
    case attr::Destructor:
    case attr::Section:
    case attr::PragmaClangBSSSection:
    case attr::PragmaClangDataSection:
    case attr::PragmaClangRelroSection:
    case attr::PragmaClangRodataSection:
    case attr::PragmaClangTextSection:
    case attr::AsmLabel:
    case attr::Target:
    case attr::TargetClones:
    case attr::TargetVersion:
    case attr::CPUDispatch:
    case attr::CPUSpecific:
    case attr::TLSModel:
    case attr::PatchableFunctionEntry:
        return true;
    default:
        return false;
    }
}

/* They look at or leave frames of a stack that is not the kernel's. */
bool isRefused(unsigned builtin)
{
    switch (builtin) {
    case Builtin::BI__builtin_return_address:
    case Builtin::BI__builtin_frame_address:
    case Builtin::BI__builtin_extract_return_addr:
    case Builtin::BI__builtin_frob_return_addr:
    case Builtin::BI__builtin_eh_return:
    case Builtin::BI__builtin_eh_return_data_regno:
    case Builtin::BI__builtin_unwind_init:
    case Builtin::BI__builtin_dwarf_cfa:
    case Builtin::BI__builtin_dwarf_sp_column:
    case Builtin::BI__builtin_init_dwarf_reg_size_table:
    case Builtin::BI__builtin_setjmp:
    case Builtin::BI__builtin_longjmp:
    case Builtin::BI__builtin_call_with_static_chain:
        return true;
    default:
        return false;
    }
}

class Check : public ASTConsumer, public DynamicRecursiveASTVisitor
{
  public:
    explicit Check(CompilerInstance &compiler)
        : diagnostics(compiler.getDiagnostics()), context(compiler.getASTContext())
    {
    }

    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        for (Decl *decl : group)
            TraverseDecl(decl);
        return true;
    }

    bool VisitNamedDecl(NamedDecl *decl) override
    {
        for (const Attr *attribute : decl->attrs())
            if (isRefused(*attribute))
                refuse(attribute->getLocation(), "attribute '%0' is not supported in kernels")
                    << (attribute->getKind() == attr::AsmLabel ? "asm" : attribute->getSpelling());
        return true;
    }

    bool VisitFunctionDecl(FunctionDecl *decl) override
    {
        CallingConv convention = decl->getType()->castAs<FunctionType>()->getCallConv();
        bool usual = convention == CC_C || convention == CC_SpirFunction;
        /* clang trips over a kernel that lost its own to one that it then ignored. */
        if (decl->hasAttr<DeviceKernelAttr>() ? convention != CC_DeviceKernel : !usual)
            refuse(decl->getLocation(), "the calling convention of '%0' is not supported")
                << decl->getNameAsString();
        return true;
    }

    bool VisitVarDecl(VarDecl *decl) override
    {
        QualType type = decl->getType();
        if (!decl->isInvalidDecl() && !decl->getDeclContext()->isDependentContext())
            checkLife(decl);
        if (type->isIncompleteType() || type->isDependentType() || type->isUndeducedType() ||
            type->isFunctionType())
            return true;
        uint64_t bytes = context.getTypeSizeInChars(type).getQuantity();
        if (bytes > largestObject)
            refuse(decl->getLocation(), "variable '%0' takes %1 bytes; the limit is %2")
                << decl->getNameAsString() << std::to_string(bytes)
                << std::to_string(largestObject);
        return true;
    }

    bool VisitVectorTypeLoc(VectorTypeLoc place) override
    {
        if (place.getTypePtr()->getElementType()->isBitIntType())
            refuse(place.getBeginLoc(), "vectors of '%0' are not supported")
                << place.getTypePtr()->getElementType().getAsString();
        if (place.getTypePtr()->getNumElements() > mostElements)
            refuse(place.getBeginLoc(), "a vector of %0 elements is not supported")
                << place.getTypePtr()->getNumElements();
        return true;
    }

    bool VisitCallExpr(CallExpr *call) override
    {
        checkVariadic(call);
        if (isRefused(call->getBuiltinCallee()))
            refuse(call->getBeginLoc(), "'%0' is not supported in kernels")
                << call->getDirectCallee()->getNameAsString();
        return true;
    }

    /* clang has no code for a number that is to be a queue or an event. */
    bool VisitBinaryOperator(BinaryOperator *operation) override
    {
        if ((operation->isEqualityOp() || operation->isAssignmentOp()) &&
            isOfDevice(operation->getLHS()) != isOfDevice(operation->getRHS()))
            refuse(operation->getOperatorLoc(), "'%0' of a queue or event and a number")
                << operation->getOpcodeStr();
        return true;
    }

    bool VisitAsTypeExpr(AsTypeExpr *cast) override
    {
        if (isOfDevice(cast))
            refuse(cast->getBeginLoc(), "a number cannot become a queue or event");
        return true;
    }

  private:
    /* Items would have to agree on who makes the value. */
    void checkLife(const VarDecl *decl)
    {
        if (!context.getLangOpts().OpenCLCPlusPlus || !decl->hasGlobalStorage())
            return;
        if (decl->isStaticLocal() && decl->hasInit() && !decl->hasConstantInitialization())
            refuse(decl->getLocation(), "static variable '%0' of a function needs an initializer "
                                        "that is known when the program is built")
                << decl->getNameAsString();
        const CXXRecordDecl *record =
            decl->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
        if (decl->isThisDeclarationADefinition() && record && record->hasDefinition() &&
            !record->hasTrivialDestructor())
            diagnostics.Report(decl->getLocation(),
                               diagnostics.getCustomDiagID(
                                   DiagnosticsEngine::Warning,
                                   "the destructor of '%0' never runs: it lives as long as the "
                                   "program"))
                << decl->getNameAsString();
    }

    /* No conversion of printf() says how wide these are, and C does not promote them. */
    void checkVariadic(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        if (!callee || !callee->isVariadic())
            return;
        for (unsigned i = callee->getNumParams(); i < call->getNumArgs(); i++)
            if (call->getArg(i)->getType()->isBitIntType())
                refuse(call->getArg(i)->getBeginLoc(),
                       "an argument of type '%0' has to be converted for '%1'")
                    << call->getArg(i)->getType().getAsString() << callee->getNameAsString();
    }

    static bool isOfDevice(const Expr *value)
    {
        QualType type = value->IgnoreParenImpCasts()->getType();
        return type->isQueueT() || type->isClkEventT();
    }

    template <unsigned length>
    DiagnosticBuilder refuse(SourceLocation place, const char (&text)[length])
    {
        return diagnostics.Report(place,
                                  diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text));
    }

    DiagnosticsEngine &diagnostics;
    ASTContext &context;
};

} // namespace

std::unique_ptr<ASTConsumer> sl_make_source_check(CompilerInstance &compiler)
{
    return std::make_unique<Check>(compiler);
}
