/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/counted_products.h"

#include "llvm/loops/analyses.h"
#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace
{

constexpr unsigned mostProducts = 2; /* of a loop: each is a register */
constexpr unsigned deepest = 4;      /* operations between a product and an address */

struct Product {
    BinaryOperator *is;
    Value *factor;
    const SCEVAddRecExpr *counter;
};

bool leadsToAddress(const Value &value, unsigned depth)
{
    return any_of(value.users(), [&](const User *user) {
        if (isa<BinaryOperator>(user) || isa<CastInst>(user))
            return depth == 0 || leadsToAddress(*user, depth - 1);
        return isa<GetElementPtrInst>(user);
    });
}

/* `counter * factor`, either way round. */
bool isProduct(sluice::Analyses &in, const Loop &loop, Instruction &i, Product &found)
{
    auto *product = dyn_cast<BinaryOperator>(&i);
    if (!product || product->getOpcode() != Instruction::Mul || product->getType()->isVectorTy())
        return false;
    for (unsigned k = 0; k < 2; k++) {
        auto *factor = dyn_cast<LoadInst>(product->getOperand(k));
        const auto *counter =
            dyn_cast<SCEVAddRecExpr>(in.evolution.getSCEV(product->getOperand(1 - k)));
        if (!factor || loop.contains(factor) || !counter || counter->getLoop() != &loop ||
            !counter->isAffine() || !isa<SCEVConstant>(counter->getStart()) ||
            !isa<SCEVConstant>(counter->getOperand(1)))
            continue;
        found = {product, factor, counter};
        return true;
    }
    return false;
}

/* The constant in `product + (others + constant)`, taken out of it; NULL: there is none. */
Value *takeConstant(BinaryOperator &product)
{
    auto *sum = product.hasOneUse() ? dyn_cast<BinaryOperator>(product.user_back()) : nullptr;
    if (!sum || sum->getOpcode() != Instruction::Add)
        return nullptr;
    const unsigned at = sum->getOperand(0) == &product ? 1 : 0;
    auto *others = dyn_cast<BinaryOperator>(sum->getOperand(at));
    if (!others || others->getOpcode() != Instruction::Add || !others->hasOneUse() ||
        !isa<ConstantInt>(others->getOperand(1)))
        return nullptr;
    sum->dropPoisonGeneratingFlags();
    sum->setOperand(at, others->getOperand(0));
    Value *constant = others->getOperand(1);
    others->eraseFromParent();
    return constant;
}

Value *times(IRBuilder<> &build, Value *factor, const SCEV *number)
{
    ConstantInt *by = cast<SCEVConstant>(number)->getValue();
    return by->isOne() ? factor : build.CreateMul(factor, by);
}

void addUp(const Loop &loop, const Product &p)
{
    BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
    IRBuilder<> build(before->getTerminator());
    Value *start = times(build, p.factor, p.counter->getStart());
    Value *by = times(build, p.factor, p.counter->getOperand(1));
    if (Value *constant = takeConstant(*p.is))
        start = build.CreateAdd(start, constant);
    build.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
    PHINode *sum = build.CreatePHI(p.is->getType(), 2, "product");
    build.SetInsertPoint(latch->getTerminator());
    sum->addIncoming(start, before);
    sum->addIncoming(build.CreateAdd(sum, by), latch);
    p.is->replaceAllUsesWith(sum);
    RecursivelyDeleteTriviallyDeadInstructions(p.is);
}

} // namespace

void sl_llvm_add_up_products(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    sluice::Analyses in(f);
    for (Loop *loop : in.loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !loop->getLoopPreheader() || !loop->getLoopLatch() ||
            sluice::anyOf(*loop, sluice::isCommon))
            continue;
        SmallVector<Product, mostProducts> products;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &i : *block) {
                Product found;
                if (products.size() < mostProducts && isProduct(in, *loop, i, found) &&
                    !leadsToAddress(i, deepest))
                    products.push_back(found);
            }
        for (const Product &p : products)
            addUp(*loop, p);
    }
}
