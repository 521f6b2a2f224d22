/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/neighbour_sums.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include <deque>
#include <map>

using namespace llvm;

namespace
{

constexpr unsigned leastBytes = 16; /* what machines move as a whole */
constexpr size_t mostStores = 256;  /* of a block: each is compared with each */

using Elements = SmallVector<Value *, 8>;

/* One element of a vector each. */
struct Bundle {
    Elements of;
    Instruction *vector = nullptr;

    Instruction *first() const
    {
        return cast<Instruction>(of[0]);
    }
    BasicBlock *block() const
    {
        return first()->getParent();
    }
    Instruction *last() const
    {
        Instruction *last = first();
        for (Value *v : of)
            last = last->comesBefore(cast<Instruction>(v)) ? cast<Instruction>(v) : last;
        return last;
    }
};

bool areSame(const Elements &values)
{
    return all_of(values, [&](const Value *v) { return v == values[0]; });
}

bool areConstant(const Elements &values)
{
    return all_of(values, [](const Value *v) { return isa<ConstantFP>(v); });
}

/* In one block, of one kind. */
bool areAlike(const Elements &values)
{
    const auto *first = dyn_cast<Instruction>(values[0]);
    return first && all_of(values, [&](const Value *v) {
               const auto *i = dyn_cast<Instruction>(v);
               return i && i->getParent() == first->getParent() && i->isSameOperationAs(first);
           });
}

bool isSumOrProduct(const Instruction &i)
{
    const auto *call = dyn_cast<IntrinsicInst>(&i);
    if (call)
        return call->getIntrinsicID() == Intrinsic::fmuladd ||
               call->getIntrinsicID() == Intrinsic::fma;
    return i.getOpcode() == Instruction::FAdd || i.getOpcode() == Instruction::FSub ||
           i.getOpcode() == Instruction::FMul;
}

unsigned operandCount(const Instruction &i)
{
    const auto *call = dyn_cast<CallBase>(&i);
    return call ? call->arg_size() : i.getNumOperands();
}

Elements operandsOf(const Bundle &bundle, unsigned k)
{
    Elements operands;
    for (Value *v : bundle.of) {
        const auto *phi = dyn_cast<PHINode>(v);
        const auto *first = dyn_cast<PHINode>(bundle.of[0]);
        operands.push_back(phi ? phi->getIncomingValueForBlock(first->getIncomingBlock(k))
                               : cast<Instruction>(v)->getOperand(k));
    }
    return operands;
}

Value *pointerOf(Value *access)
{
    return const_cast<Value *>(getLoadStorePointerOperand(access));
}

class Joiner
{
  public:
    Joiner(Function &f, unsigned most, bool (*isItem)(LLVMValueRef))
        : function(f), layout(f.getDataLayout()), with(f), bytes(most), is_item(isItem)
    {
    }

    unsigned run();

  private:
    std::optional<int64_t> distance(Value *from, Value *to);
    bool areNeighbours(const Bundle &accesses);
    bool isQuiet(const Bundle &accesses);
    void findStores(BasicBlock &block);
    void cutRun(std::map<int64_t, StoreInst *> &at);
    bool follow(const Elements &values);
    bool followBundle(Bundle &bundle);
    bool isWhole();
    bool isWorthIt();
    bool followsFromItem(Value *value);
    Value *vectorOf(const Elements &values, Instruction *before);
    void make(Bundle &bundle);
    void fillPhi(Bundle &bundle);
    void makeStore(const Bundle &stores);
    void dropOld();

    Function &function;
    const DataLayout &layout;
    sluice::Analyses with;
    const unsigned bytes;
    bool (*const is_item)(LLVMValueRef);
    SmallVector<Bundle, 8> stores;
    std::deque<Bundle> bundles; /* in the order in which they were met */
    std::map<Elements, Bundle *> bundleOf;
    SmallPtrSet<Value *, 32> owned;   /* what is of a bundle */
    SmallVector<Value *, 8> repeated; /* in all elements of a vector */
};

/* In elements. */
std::optional<int64_t> Joiner::distance(Value *from, Value *to)
{
    return getPointersDiff(getLoadStoreType(from), pointerOf(from), getLoadStoreType(to),
                           pointerOf(to), layout, with.evolution, true);
}

bool Joiner::areNeighbours(const Bundle &accesses)
{
    for (size_t k = 1; k < accesses.of.size(); k++) {
        const auto apart = distance(accesses.of[0], accesses.of[k]);
        if (!apart || *apart != (int64_t)k)
            return false;
    }
    return true;
}

/* Nothing is written between loads, and nothing read or written between stores, but these. */
bool Joiner::isQuiet(const Bundle &accesses)
{
    const bool stored = isa<StoreInst>(accesses.of[0]);
    size_t met = 0;
    for (Instruction &i : *accesses.block()) {
        const bool one = is_contained(accesses.of, &i);
        met += one;
        if (met && met < accesses.of.size() && !one &&
            (i.mayHaveSideEffects() || (stored && i.mayReadFromMemory())))
            return false;
    }
    return true;
}

/* Neighbours from the lowest place on, as many as fill the largest vectors. */
void Joiner::cutRun(std::map<int64_t, StoreInst *> &at)
{
    while (!at.empty()) {
        Elements run;
        const int64_t from = at.begin()->first;
        for (auto next = at.begin(); next != at.end() && next->first == from + (int64_t)run.size();
             next = at.erase(next))
            run.push_back(next->second);
        const auto size = layout.getTypeStoreSize(getLoadStoreType(run[0])).getFixedValue();
        const size_t least = leastBytes / size;
        size_t count = bytes / size;
        while (count > least && run.size() % count)
            count /= 2;
        if (run.size() % count)
            continue;
        for (size_t k = 0; k < run.size(); k += count) {
            Bundle one;
            one.of.append(run.begin() + k, run.begin() + k + count);
            if (isQuiet(one))
                stores.push_back(one);
        }
    }
}

void Joiner::findStores(BasicBlock &block)
{
    SmallVector<StoreInst *, 32> found;
    for (Instruction &i : block) {
        auto *store = dyn_cast<StoreInst>(&i);
        if (store && store->isSimple() && isa<Instruction>(store->getValueOperand()) &&
            (store->getValueOperand()->getType()->isFloatTy() ||
             store->getValueOperand()->getType()->isDoubleTy()))
            found.push_back(store);
    }
    while (!found.empty() && found.size() <= mostStores) {
        std::map<int64_t, StoreInst *> at;
        SmallVector<StoreInst *, 32> others;
        for (StoreInst *store : found) {
            const auto apart = distance(found[0], store);
            if (!apart || !at.insert({*apart, store}).second)
                others.push_back(store);
        }
        cutRun(at);
        found = others;
    }
}

bool Joiner::followBundle(Bundle &bundle)
{
    if (auto *load = dyn_cast<LoadInst>(bundle.first()))
        return load->isSimple() && areNeighbours(bundle) && isQuiet(bundle);
    if (!isa<PHINode>(bundle.first()) && !isSumOrProduct(*bundle.first()))
        return false;
    for (unsigned k = 0; k < operandCount(*bundle.first()); k++)
        if (!follow(operandsOf(bundle, k)))
            return false;
    return true;
}

/* Loads may be elements of several vectors, nothing else. */
bool Joiner::follow(const Elements &values)
{
    if (areConstant(values) || bundleOf.count(values))
        return true;
    if (areSame(values)) {
        repeated.push_back(values[0]);
        return true;
    }
    if (!areAlike(values))
        return false;
    const bool loads = isa<LoadInst>(values[0]);
    if (!loads && any_of(values, [&](Value *v) { return owned.contains(v); }))
        return false;
    owned.insert(values.begin(), values.end());
    bundles.emplace_back();
    Bundle &bundle = bundles.back();
    bundle.of = values;
    bundleOf[values] = &bundle;
    return followBundle(bundle);
}

/* Nobody else asks for an element, by itself or repeated. */
bool Joiner::isWhole()
{
    if (any_of(repeated, [&](Value *v) { return owned.contains(v); }))
        return false;
    SmallPtrSet<const User *, 32> stored;
    for (const Bundle &bundle : stores)
        for (Value *v : bundle.of)
            stored.insert(cast<User>(v));
    return all_of(owned, [&](Value *v) {
        return all_of(v->users(),
                      [&](User *user) { return owned.contains(user) || stored.contains(user); });
    });
}

bool Joiner::followsFromItem(Value *value)
{
    SmallPtrSet<Value *, 32> met;
    SmallVector<Value *, 32> open{value};
    while (!open.empty()) {
        auto *i = dyn_cast<Instruction>(open.pop_back_val());
        if (!i || !met.insert(i).second)
            continue;
        if (is_item(wrap(i)))
            return true;
        open.append(i->op_begin(), i->op_end());
    }
    return false;
}

/* There are sums of loops, and what they are made of is another item's elsewhere. */
bool Joiner::isWorthIt()
{
    bool sums = false, loads = false;
    for (const Bundle &bundle : bundles) {
        const Loop *loop = with.loops.getLoopFor(bundle.block());
        sums |= isa<PHINode>(bundle.first()) && loop && loop->getHeader() == bundle.block();
        if (!isa<LoadInst>(bundle.first()))
            continue;
        if (!followsFromItem(pointerOf(bundle.first())))
            return false;
        loads |= loop != nullptr;
    }
    return sums && loads;
}

Value *Joiner::vectorOf(const Elements &values, Instruction *before)
{
    const auto found = bundleOf.find(values);
    if (found != bundleOf.end()) {
        make(*found->second);
        return found->second->vector;
    }
    if (areConstant(values)) {
        SmallVector<Constant *, 8> constants;
        for (Value *v : values)
            constants.push_back(cast<Constant>(v));
        return ConstantVector::get(constants);
    }
    IRBuilder<> b(before);
    return b.CreateVectorSplat((unsigned)values.size(), values[0]);
}

void Joiner::make(Bundle &bundle)
{
    if (bundle.vector)
        return;
    Instruction *last = bundle.last(), *first = bundle.first();
    auto *type = FixedVectorType::get(first->getType(), (unsigned)bundle.of.size());
    if (const auto *phi = dyn_cast<PHINode>(first)) {
        bundle.vector =
            PHINode::Create(type, phi->getNumIncomingValues(), "", first->getIterator());
        return;
    }
    IRBuilder<> b(last);
    if (isa<LoadInst>(first)) {
        bundle.vector =
            b.CreateAlignedLoad(type, pointerOf(first), cast<LoadInst>(first)->getAlign());
    } else {
        SmallVector<Value *, 3> operands;
        for (unsigned k = 0; k < operandCount(*first); k++)
            operands.push_back(vectorOf(operandsOf(bundle, k), last));
        const auto *call = dyn_cast<IntrinsicInst>(first);
        Value *made = call ? b.CreateIntrinsic(call->getIntrinsicID(), {type}, operands)
                           : b.CreateBinOp((Instruction::BinaryOps)first->getOpcode(), operands[0],
                                           operands[1]);
        bundle.vector = cast<Instruction>(made);
        bundle.vector->copyIRFlags(first);
        for (Value *v : bundle.of)
            bundle.vector->andIRFlags(v);
    }
    propagateMetadata(bundle.vector, bundle.of);
}

void Joiner::fillPhi(Bundle &bundle)
{
    const auto *old = dyn_cast<PHINode>(bundle.first());
    for (unsigned k = 0; old && k < old->getNumIncomingValues(); k++) {
        BasicBlock *from = old->getIncomingBlock(k);
        cast<PHINode>(bundle.vector)
            ->addIncoming(vectorOf(operandsOf(bundle, k), from->getTerminator()), from);
    }
}

void Joiner::makeStore(const Bundle &bundle)
{
    Instruction *last = bundle.last();
    auto *first = cast<StoreInst>(bundle.first());
    Value *vector = vectorOf(operandsOf(bundle, 0), last);
    IRBuilder<> b(last);
    StoreInst *store = b.CreateAlignedStore(vector, first->getPointerOperand(), first->getAlign());
    propagateMetadata(store, bundle.of);
}

void Joiner::dropOld()
{
    for (const Bundle &bundle : stores)
        for (Value *v : bundle.of)
            cast<Instruction>(v)->eraseFromParent();
    for (Value *v : owned)
        v->replaceAllUsesWith(PoisonValue::get(v->getType()));
    for (Value *v : owned)
        cast<Instruction>(v)->eraseFromParent();
}

unsigned Joiner::run()
{
    for (BasicBlock &block : function)
        findStores(block);
    for (const Bundle &bundle : stores)
        if (!follow(operandsOf(bundle, 0)))
            return 0;
    if (stores.empty() || !isWhole() || !isWorthIt())
        return 0;
    for (Bundle &bundle : bundles)
        make(bundle);
    for (Bundle &bundle : bundles)
        fillPhi(bundle);
    for (const Bundle &bundle : stores)
        makeStore(bundle);
    dropOld();
    return (unsigned)stores.size();
}

} // namespace

uint32_t sl_llvm_join_neighbour_sums(LLVMValueRef handle, uint32_t bytes,
                                     bool (*is_item)(LLVMValueRef))
{
    return Joiner(*unwrap<Function>(handle), bytes, is_item).run();
}
