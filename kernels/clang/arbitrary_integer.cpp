/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "clang/arbitrary_integer.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/ParsedAttrInfo.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include "clang/attribute_number.h"

using namespace clang;

namespace sluice
{

namespace
{

/* The type with its integers replaced; null: there are none. */
QualType replaced(ASTContext &context, QualType type, unsigned bits)
{
    const Qualifiers qualifiers = type.getQualifiers();
    const Type *plain = type.getTypePtr();
    QualType made;
    if (const ConstantArrayType *array = context.getAsConstantArrayType(type)) {
        made = replaced(context, array->getElementType(), bits);
        return made.isNull() ? made
                             : context.getConstantArrayType(made, array->getSize(), nullptr,
                                                            array->getSizeModifier(), 0);
    }
    if (const auto *pointer = plain->getAs<PointerType>()) {
        made = replaced(context, pointer->getPointeeType(), bits);
        made = made.isNull() ? made : context.getPointerType(made);
    } else if (plain->isBitIntType() ||
               (plain->isBuiltinType() && plain->isIntegerType() && !plain->isBooleanType())) {
        made = context.getBitIntType(plain->isUnsignedIntegerType(), bits);
    }
    return made.isNull() ? made : context.getQualifiedType(made, qualifiers);
}

bool isSigned(const ASTContext &context, QualType type)
{
    while (type->isPointerType() || type->isArrayType())
        type = type->isPointerType() ? type->getPointeeType() : context.getBaseElementType(type);
    return type->isSignedIntegerType();
}

QualType typeOf(const Decl *decl)
{
    if (const auto *name = llvm::dyn_cast<TypedefNameDecl>(decl))
        return name->getUnderlyingType();
    if (llvm::isa<VarDecl>(decl) ||
        (llvm::isa<FieldDecl>(decl) && !llvm::cast<FieldDecl>(decl)->isBitField()))
        return llvm::cast<ValueDecl>(decl)->getType();
    return QualType();
}

void setType(ASTContext &context, Decl *decl, QualType type)
{
    TypeSourceInfo *source = context.getTrivialTypeSourceInfo(type, decl->getLocation());
    if (auto *name = llvm::dyn_cast<TypedefNameDecl>(decl)) {
        name->setTypeSourceInfo(source);
        return;
    }
    llvm::cast<DeclaratorDecl>(decl)->setTypeSourceInfo(source);
    llvm::cast<ValueDecl>(decl)->setType(type);
}

/* "" if the attribute can be had; else why not. */
std::string fault(const ASTContext &context, QualType type, int64_t bits)
{
    const std::string text = "'__ap_int(" + std::to_string(bits) + ")'";
    if (type.isNull())
        return "'__ap_int' is for typedefs, variables and members";
    if (bits > static_cast<int64_t>(widestInteger))
        return text + ": integers of more than " + std::to_string(widestInteger) +
               " bits are not supported";
    if (bits < 1 || (bits < 2 && isSigned(context, type)))
        return text + ": an integer has at least 1 bit, one with a sign at least 2";
    return "";
}

class ArbitraryInteger : public ParsedAttrInfo
{
  public:
    ArbitraryInteger()
    {
        NumArgs = 1;
        static constexpr Spelling spelling[] = {{ParsedAttr::AS_GNU, "__ap_int"}};
        Spellings = spelling;
    }

    AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                     const ParsedAttr &parsed) const override
    {
        const QualType type = typeOf(decl);
        const std::optional<int64_t> bits = attributeNumber(sema, parsed, 0, "__ap_int");
        if (!bits)
            return AttributeNotApplied;
        std::string why = fault(sema.Context, type, *bits);
        QualType made;
        if (why.empty()) {
            made = replaced(sema.Context, type, static_cast<unsigned>(*bits));
            if (made.isNull())
                why = "'__ap_int' is for integers, not for '" +
                      type.getAsString(sema.getPrintingPolicy()) + "'";
        }
        if (!why.empty()) {
            attributeError(sema, parsed.getLoc(), why);
            return AttributeNotApplied;
        }
        setType(sema.Context, decl, made);
        return AttributeApplied;
    }
};

const ParsedAttrInfoRegistry::Add<ArbitraryInteger> registered("sluice-ap-int", "");

} // namespace

/* Scalars of C are promoted: it computes with 32 and 64 bits only. */
void wrapArbitraryIntegers(llvm::Module &module)
{
    for (llvm::Function &function : module)
        for (llvm::Instruction &i : llvm::instructions(function)) {
            const llvm::Type *type = i.getType();
            if (!llvm::isa<llvm::OverflowingBinaryOperator>(i) || type->isVectorTy() ||
                type->isIntegerTy(32) || type->isIntegerTy(64))
                continue;
            i.setHasNoSignedWrap(false);
            i.setHasNoUnsignedWrap(false);
        }
}

std::string arbitraryIntegerHeader()
{
    std::string text = "#ifndef SL_IHC_APINT_H\n#define SL_IHC_APINT_H\n";
    for (unsigned bits = 1; bits <= widestNamed; bits++) {
        const std::string n = std::to_string(bits);
        if (bits > 1)
            text += "typedef _BitInt(" + n + ") int" + n + "_t;\n";
        text += "typedef unsigned _BitInt(" + n + ") uint" + n + "_t;\n";
    }
    return text + "#endif\n";
}

} // namespace sluice
