/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/wide_integers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>

using namespace llvm;

namespace
{

constexpr unsigned word = 64;            /* bits that the machine computes with */
constexpr unsigned longestProduct = 512; /* in place: 36 products of words */

bool isWide(const Type *type)
{
    const Type *scalar = type->getScalarType();
    return scalar->isIntegerTy() && scalar->getIntegerBitWidth() > word;
}

bool isDivision(const Instruction &i)
{
    return i.isIntDivRem();
}

bool fromNumber(const Instruction &i) /* of floating point */
{
    return isa<FPToUIInst>(i) || isa<FPToSIInst>(i);
}

bool toNumber(const Instruction &i)
{
    return isa<UIToFPInst>(i) || isa<SIToFPInst>(i);
}

/* The code of a product grows with the square of its width. */
bool isLongProduct(const Instruction &i)
{
    return i.getOpcode() == Instruction::Mul && i.getType()->getScalarSizeInBits() > longestProduct;
}

bool needsFunction(const Instruction &i)
{
    return isLongProduct(i) || (isDivision(i) && isWide(i.getType())) ||
           (fromNumber(i) && isWide(i.getType())) ||
           (toNumber(i) && isWide(i.getOperand(0)->getType()));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Most numbers are small: those the machine divides. */
void writeDivision(Function &f, Instruction::BinaryOps code)
{
    LLVMContext &context = f.getContext();
    Value *a = f.getArg(0), *b = f.getArg(1);
    Type *type = a->getType(), *narrow = Type::getIntNTy(context, word);
    const bool hasSign = code == Instruction::SDiv || code == Instruction::SRem;
    BasicBlock *entry = BasicBlock::Create(context, "", &f);
    BasicBlock *small = BasicBlock::Create(context, "small", &f);
    BasicBlock *large = BasicBlock::Create(context, "large", &f);
    IRBuilder<> builder(entry);
    Value *either = builder.CreateOr(a, b);
    /* Below 2^63 both mean the same with a sign and without. */
    Value *fits = builder.CreateICmpULT(
        either, ConstantInt::get(type, APInt::getOneBitSet(type->getIntegerBitWidth(),
                                                           hasSign ? word - 1 : word)));
    builder.CreateCondBr(fits, small, large);
    builder.SetInsertPoint(small);
    const bool quotient = code == Instruction::UDiv || code == Instruction::SDiv;
    Value *result =
        builder.CreateBinOp(quotient ? Instruction::UDiv : Instruction::URem,
                            builder.CreateTrunc(a, narrow), builder.CreateTrunc(b, narrow));
    builder.CreateRet(builder.CreateZExt(result, type));
    builder.SetInsertPoint(large);
    auto *divided = BinaryOperator::Create(code, a, b, "", large);
    builder.CreateRet(divided);
    if (quotient)
        expandDivision(divided);
    else
        expandRemainder(divided);
}

void writeProduct(Function &f)
{
    IRBuilder<> builder(BasicBlock::Create(f.getContext(), "", &f));
    builder.CreateRet(builder.CreateMul(f.getArg(0), f.getArg(1)));
}

/* 2^power as a double, 0 <= power < 1024. */
Value *powerOfTwo(IRBuilder<> &builder, Value *power)
{
    Value *bits = builder.CreateShl(builder.CreateAdd(power, builder.getInt64(1023)), 52);
    return builder.CreateBitCast(bits, builder.getDoubleTy());
}

/* The most significant 64 bits, the last of them set if any of those behind is: rounded once more,
 * that gives what the whole number does. */
Value *roundedToOdd(IRBuilder<> &builder, Value *a, Value *zeros)
{
    Type *type = a->getType();
    const unsigned bits = type->getIntegerBitWidth();
    Value *all = builder.CreateShl(a, zeros);
    Value *top = builder.CreateTrunc(builder.CreateLShr(all, bits - word), builder.getInt64Ty());
    Value *rest = builder.CreateShl(all, word);
    Value *more = builder.CreateICmpNE(rest, Constant::getNullValue(type));
    return builder.CreateOr(top, builder.CreateZExt(more, builder.getInt64Ty()));
}

/* Without a sign; the result is a double, or a half or bfloat of what is cut to 64 bits before. */
Value *toFloating(IRBuilder<> &builder, Value *a, Type *result)
{
    Type *type = a->getType(), *narrow = builder.getInt64Ty();
    const unsigned bits = type->getIntegerBitWidth();
    Value *limit = ConstantInt::get(type, APInt::getLowBitsSet(bits, word));
    Value *fits = builder.CreateICmpULE(a, limit);
    if (result->isHalfTy()) /* from 65520 on all are infinite */
        return builder.CreateUIToFP(
            builder.CreateTrunc(builder.CreateSelect(fits, a, limit), narrow), result);
    Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, a, builder.getFalse());
    Value *top =
        roundedToOdd(builder, builder.CreateSelect(fits, limit, a),
                     builder.CreateSelect(fits, ConstantInt::get(type, bits - word), zeros));
    /* At least 1 and less than 2048. */
    Value *power = builder.CreateSub(ConstantInt::get(narrow, bits - word),
                                     builder.CreateTrunc(zeros, narrow));
    power = builder.CreateSelect(fits, builder.getInt64(0), power);
    Value *half = builder.CreateLShr(power, 1);
    Value *number = builder.CreateUIToFP(top, result);
    Type *wide = result->isDoubleTy() ? result : builder.getDoubleTy();
    number = result->isDoubleTy() ? number : builder.CreateFPExt(number, wide);
    number = builder.CreateFMul(number, powerOfTwo(builder, half));
    number = builder.CreateFMul(number, powerOfTwo(builder, builder.CreateSub(power, half)));
    if (!result->isDoubleTy())
        number = builder.CreateFPTrunc(number, result);
    return builder.CreateSelect(fits, builder.CreateUIToFP(builder.CreateTrunc(a, narrow), result),
                                number);
}

void writeToFloating(Function &f, bool hasSign)
{
    IRBuilder<> builder(BasicBlock::Create(f.getContext(), "", &f));
    Value *a = f.getArg(0);
    if (!hasSign) {
        builder.CreateRet(toFloating(builder, a, f.getReturnType()));
        return;
    }
    Value *below = builder.CreateICmpSLT(a, Constant::getNullValue(a->getType()));
    Value *size = builder.CreateSelect(below, builder.CreateNeg(a), a);
    Value *number = toFloating(builder, size, f.getReturnType());
    builder.CreateRet(builder.CreateSelect(below, builder.CreateFNeg(number), number));
}

/* Results that do not fit are open. */
void writeFromFloating(Function &f, bool hasSign)
{
    IRBuilder<> builder(BasicBlock::Create(f.getContext(), "", &f));
    Type *type = f.getReturnType(), *narrow = builder.getInt64Ty();
    Value *number = f.getArg(0);
    if (!number->getType()->isDoubleTy())
        number = builder.CreateFPExt(number, builder.getDoubleTy());
    Value *bits = builder.CreateBitCast(number, narrow);
    Value *power = builder.CreateAnd(builder.CreateLShr(bits, 52), 2047);
    Value *digits =
        builder.CreateOr(builder.CreateAnd(bits, (uint64_t(1) << 52) - 1), uint64_t(1) << 52);
    Value *left = builder.CreateSub(power, builder.getInt64(1023 + 52));
    Value *right = builder.CreateNeg(left);
    Value *small = builder.CreateICmpSLT(left, builder.getInt64(0));
    Value *none = builder.CreateICmpSGE(right, builder.getInt64(53));
    right = builder.CreateSelect(none, builder.getInt64(0), right);
    Value *low = builder.CreateSelect(none, builder.getInt64(0), builder.CreateLShr(digits, right));
    /* Also small ones are shifted: by 0. */
    left = builder.CreateSelect(small, builder.getInt64(0), left);
    left = builder.CreateAnd(left, uint64_t(PowerOf2Ceil(type->getIntegerBitWidth()) - 1));
    Value *high =
        builder.CreateShl(builder.CreateZExt(digits, type), builder.CreateZExt(left, type));
    Value *size = builder.CreateSelect(small, builder.CreateZExt(low, type), high);
    if (hasSign)
        size = builder.CreateSelect(builder.CreateICmpSLT(bits, builder.getInt64(0)),
                                    builder.CreateNeg(size), size);
    builder.CreateRet(size);
}

/* ---- calls ----------------------------------------------------------------------------------- */

std::string nameOf(const Instruction &i, Type *from, Type *to)
{
    std::string name;
    raw_string_ostream(name) << "sluice." << i.getOpcodeName() << '.' << *from << '.' << *to;
    return name;
}

Function *functionFor(const Instruction &i, Module &module)
{
    Type *from = i.getOperand(0)->getType()->getScalarType(), *to = i.getType()->getScalarType();
    const std::string name = nameOf(i, from, to);
    if (Function *made = module.getFunction(name))
        return made;
    SmallVector<Type *, 2> arguments(i.getNumOperands(), from);
    Function *f = Function::Create(FunctionType::get(to, arguments, false),
                                   GlobalValue::InternalLinkage, name, module);
    f->addFnAttr(Attribute::NoInline);
    f->addFnAttr(Attribute::NoUnwind);
    for (const char *kind : {"target-cpu", "target-features"})
        if (Attribute has = i.getFunction()->getFnAttribute(kind); has.isValid())
            f->addFnAttr(has);
    if (isDivision(i))
        writeDivision(*f, cast<BinaryOperator>(i).getOpcode());
    else if (isLongProduct(i))
        writeProduct(*f);
    else if (toNumber(i))
        writeToFloating(*f, isa<SIToFPInst>(i));
    else
        writeFromFloating(*f, isa<FPToSIInst>(i));
    return f;
}

void replace(Instruction &i, Module &module)
{
    Function *f = functionFor(i, module);
    IRBuilder<> builder(&i);
    auto call = [&](std::optional<unsigned> lane) {
        SmallVector<Value *, 2> arguments;
        for (Value *operand : i.operands())
            arguments.push_back(lane ? builder.CreateExtractElement(operand, *lane) : operand);
        return builder.CreateCall(f, arguments);
    };
    Value *result;
    if (auto *vector = dyn_cast<FixedVectorType>(i.getType())) {
        result = PoisonValue::get(vector);
        for (unsigned k = 0; k < vector->getNumElements(); k++)
            result = builder.CreateInsertElement(result, call(k), k);
    } else {
        result = call(std::nullopt);
    }
    i.replaceAllUsesWith(result);
    i.eraseFromParent();
}

} // namespace

void sl_llvm_expand_wide_integers(LLVMModuleRef handle)
{
    Module &module = *unwrap(handle);
    SmallVector<Instruction *, 16> found;
    for (Function &f : module)
        for (Instruction &i : instructions(f))
            if (needsFunction(i))
                found.push_back(&i);
    for (Instruction *i : found)
        replace(*i, module);
}
