/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/matrix/matrix_addresses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "llvm/loops/matrix/matrix_joining.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace sluice::matrix
{
namespace
{

/* An index of 64 bits: one that varies and a number; no `varying` is 0. */
struct Sum {
    Value *varying = nullptr;
    APInt number = APInt(64, 0);
};

class Spreading
{
  public:
    explicit Spreading(Function &function) : f(function)
    {
    }

    /* Of a GEP that an address is made with. */
    void spread(Use &index)
    {
        auto *i = dyn_cast<Instruction>(index.get());
        if (!i || !i->getType()->isIntegerTy(64))
            return;
        Sum sum = of(i);
        IRBuilder<> builder(cast<Instruction>(index.getUser()));
        index.set(whole(sum, builder));
        left.push_back(i);
    }

    void finish()
    {
        for (WeakTrackingVH &value : left)
            if (value)
                RecursivelyDeleteTriviallyDeadInstructions(value);
    }

  private:
    Function &f;
    DenseMap<Value *, Sum> known;
    SmallVector<WeakTrackingVH, 32> left; /* may be asked for by nobody any more */

    static Value *whole(const Sum &sum, IRBuilder<> &builder)
    {
        Value *number = builder.getInt(sum.number);
        return !sum.varying          ? number
               : sum.number.isZero() ? sum.varying
                                     : builder.CreateAdd(sum.varying, number);
    }

    /* Where the parts of a value can be put together: behind it. */
    static IRBuilder<> behind(Instruction *i)
    {
        BasicBlock *block = i->getParent();
        return IRBuilder<>(block, isa<PHINode>(i) ? block->getFirstInsertionPt()
                                                  : std::next(i->getIterator()));
    }

    static Value *plus(Value *a, Value *b, IRBuilder<> &builder)
    {
        return !a ? b : !b ? a : builder.CreateAdd(a, b);
    }

    static Value *times(Value *a, const APInt &number, IRBuilder<> &builder)
    {
        if (!a || number.isZero())
            return nullptr;
        return number.isOne() ? a : builder.CreateMul(a, builder.getInt(number));
    }

    static Sum product(const Sum &a, const Sum &b, IRBuilder<> &builder)
    {
        Sum all = {nullptr, a.number * b.number};
        if (a.varying && b.varying)
            all.varying = builder.CreateMul(a.varying, b.varying);
        all.varying = plus(all.varying, times(a.varying, b.number, builder), builder);
        all.varying = plus(all.varying, times(b.varying, a.number, builder), builder);
        return all;
    }

    /* Of a smaller type as a signed number. */
    Sum leaf(Value *value)
    {
        if (value->getType()->isIntegerTy(64))
            return {value, APInt(64, 0)};
        auto *i = dyn_cast<Instruction>(value);
        IRBuilder<> builder =
            i ? behind(i)
              : IRBuilder<>(&f.getEntryBlock(), f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        return {builder.CreateSExt(value, builder.getInt64Ty()), APInt(64, 0)};
    }

    /* In 64 bits everything wraps as it does; what is smaller may do so only as a whole. */
    static bool mayOpen(const Instruction &i)
    {
        if (i.getType()->isIntegerTy(64))
            return true;
        auto *operation = dyn_cast<OverflowingBinaryOperator>(&i);
        return operation && operation->hasNoSignedWrap();
    }

    Sum opened(Instruction *i)
    {
        Value *a, *b;
        const APInt *number;
        IRBuilder<> builder = behind(i);
        if (match(i, m_SExt(m_Value(a))) || match(i, m_NNegZExt(m_Value(a))))
            return of(a);
        if (match(i, m_DisjointOr(m_Value(a), m_Value(b))) ||
            (mayOpen(*i) && match(i, m_Add(m_Value(a), m_Value(b))))) {
            Sum x = of(a), y = of(b);
            return {plus(x.varying, y.varying, builder), x.number + y.number};
        }
        if (mayOpen(*i) && match(i, m_Mul(m_Value(a), m_Value(b))))
            return product(of(a), of(b), builder);
        if (mayOpen(*i) && match(i, m_Shl(m_Value(a), m_APInt(number))) &&
            number->ult(i->getType()->getIntegerBitWidth() - 1))
            return product(of(a),
                           {nullptr, APInt::getOneBitSet(64, (unsigned)number->getZExtValue())},
                           builder);
        return leaf(i);
    }

    Sum of(Value *value)
    {
        if (auto *constant = dyn_cast<ConstantInt>(value))
            return {nullptr, constant->getValue().sext(64)};
        auto at = known.find(value);
        if (at != known.end())
            return at->second;
        auto *i = dyn_cast<Instruction>(value);
        Sum sum = i && isa<BinaryOperator, CastInst>(i) ? opened(i) : leaf(value);
        return known[value] = sum;
    }
};

} // namespace

void spreadAddresses(Function &f)
{
    sl_matrix_product kind;
    Spreading spreading(f);
    SmallVector<Value *, 64> addresses;
    for (Instruction &i : instructions(f)) {
        if (!isPostponed(i, kind))
            continue;
        auto *call = cast<CallInst>(&i);
        for (unsigned m = 0; m < kind.rows + SL_MATRIX_WORDS; m++) {
            Load load = loadOf(call->getArgOperand(m), m < kind.rows ? halfRow : rowBytes);
            if (load)
                addresses.push_back(load.address);
        }
    }
    SmallPtrSet<Value *, 32> done;
    for (Value *address : addresses)
        while (auto *gep = dyn_cast<GetElementPtrInst>(address)) {
            if (!done.insert(gep).second)
                break;
            for (Use &index : gep->indices())
                spreading.spread(index);
            address = gep->getPointerOperand();
        }
    spreading.finish();
}

} // namespace sluice::matrix
