/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/component_stores.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace
{

constexpr unsigned deepest = 8;    // operations between two addresses and what they are made of
constexpr unsigned mostLanes = 16; // OpenCL has no longer vectors

/* What a store puts into one component. */
struct Component {
    enum { Kept, Nobodys, Written } kind; // Kept: what is there
    Value *number;                        // Written: itself, or the vector that it is in
    int at;                               // where in the vector; -1: itself
};

/* A store of one component, and the vector that it is of. */
struct Part {
    StoreInst *store;
    Value *vector; // its address
    FixedVectorType *type;
    unsigned lane, used; // of `used` components; three have memory for four
};
using Parts = MapVector<StoreInst *, Part>;

const unsigned promises[] = {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                             LLVMContext::MD_access_group, LLVMContext::MD_nontemporal};

/* ---- what a store of a whole vector writes --------------------------------------------------- */

class WholeStore
{
  public:
    explicit WholeStore(StoreInst &s) : store(s)
    {
    }
    Component component(Value *vector, unsigned lane);
    void find(Value *vector, SmallVectorImpl<Component> &all);
    SmallVector<WeakTrackingVH, 2> loads; // those that only give back

  private:
    bool isUnchanged(const LoadInst &load) const;
    StoreInst &store;
};

bool WholeStore::isUnchanged(const LoadInst &load) const
{
    if (load.getPointerOperand() != store.getPointerOperand() ||
        load.getParent() != store.getParent() ||
        load.getType() != store.getValueOperand()->getType())
        return false;
    for (const Instruction *i = load.getNextNode(); i; i = i->getNextNode()) {
        if (i == &store)
            return true;
        if (i->mayWriteToMemory() && !isa<AssumeInst>(i))
            return false;
    }
    return false;
}

Component WholeStore::component(Value *v, unsigned lane)
{
    for (;;) {
        if (auto *insert = dyn_cast<InsertElementInst>(v)) {
            auto *at = dyn_cast<ConstantInt>(insert->getOperand(2));
            if (!at)
                break;
            if (at->equalsInt(lane))
                return {Component::Written, insert->getOperand(1), -1};
            v = insert->getOperand(0);
        } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(v)) {
            int from = shuffle->getMaskValue(lane);
            int count =
                (int)cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
            if (from < 0)
                return {Component::Nobodys, nullptr, -1};
            v = shuffle->getOperand(from < count ? 0 : 1);
            lane = (unsigned)(from < count ? from : from - count);
        } else
            break;
    }
    if (isa<UndefValue>(v))
        return {Component::Nobodys, nullptr, -1};
    return {Component::Written, v, (int)lane};
}

void WholeStore::find(Value *vector, SmallVectorImpl<Component> &all)
{
    auto count = cast<FixedVectorType>(vector->getType())->getNumElements();
    for (unsigned lane = 0; lane < count; lane++) {
        Component c = component(vector, lane);
        auto *load = dyn_cast_or_null<LoadInst>(c.number);
        if (load && c.at == (int)lane && isUnchanged(*load)) {
            c = {Component::Kept, nullptr, -1};
            if (!is_contained(loads, load))
                loads.push_back(load);
        }
        all.push_back(c);
    }
}

bool has(ArrayRef<Component> all, int kind)
{
    return any_of(all, [&](const Component &c) { return c.kind == kind; });
}

/* ---- stores of components -------------------------------------------------------------------- */

/* Components lie side by side, and others can see them. */
bool isOfInterest(const StoreInst &store)
{
    auto *type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
    if (!type || type->getNumElements() > mostLanes || store.isAtomic() ||
        isa<AllocaInst>(getUnderlyingObject(store.getPointerOperand())))
        return false;
    const DataLayout &layout = store.getModule()->getDataLayout();
    return layout.getTypeSizeInBits(type->getElementType()) ==
           8 * layout.getTypeAllocSize(type->getElementType());
}

uint64_t sizeOf(const Instruction &i, Type *element)
{
    return i.getModule()->getDataLayout().getTypeAllocSize(element);
}

StoreInst *storePart(IRBuilder<> &at, const StoreInst &like, Value *number, Value *vector,
                     unsigned lane, Align align)
{
    Type *element = number->getType()->getScalarType();
    Value *address = lane ? at.CreateConstInBoundsGEP1_64(element, vector, lane) : vector;
    StoreInst *now = at.CreateAlignedStore(
        number, address, commonAlignment(align, lane * sizeOf(like, element)), like.isVolatile());
    now->copyMetadata(like, promises);
    return now;
}

void eraseWhole(StoreInst &store, ArrayRef<WeakTrackingVH> loads)
{
    Value *value = store.getValueOperand();
    store.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(value);
    for (const WeakTrackingVH &load : loads) // what is volatile is not asked for by the program
        if (load && cast<Instruction>(load)->use_empty())
            cast<Instruction>(load)->eraseFromParent();
}

/* The component with a number that is not known; of none that is not there. */
void storeOneOf(StoreInst &store, InsertElementInst &insert)
{
    IRBuilder<> at(&store);
    auto count = cast<FixedVectorType>(store.getValueOperand()->getType())->getNumElements();
    Value *index = at.CreateZExtOrTrunc(insert.getOperand(2), at.getInt64Ty());
    Value *number = insert.getOperand(1);
    index = at.CreateAnd(index, PowerOf2Ceil(count) - 1);
    Value *address = at.CreateInBoundsGEP(number->getType(), store.getPointerOperand(), index);
    StoreInst *now = at.CreateAlignedStore(
        number, address, commonAlignment(store.getAlign(), sizeOf(store, number->getType())),
        store.isVolatile());
    now->copyMetadata(store, promises);
}

/* An insertion whose place is not known, perhaps of three components into memory of four. */
InsertElementInst *insertionSomewhere(Value *v)
{
    auto *shuffle = dyn_cast<ShuffleVectorInst>(v);
    if (shuffle && shuffle->isIdentityWithPadding())
        v = shuffle->getOperand(0);
    auto *insert = dyn_cast<InsertElementInst>(v);
    return insert && !isa<ConstantInt>(insert->getOperand(2)) ? insert : nullptr;
}

void store(StoreInst &whole, Parts &parts)
{
    WholeStore s(whole);
    SmallVector<Component, 16> all;
    InsertElementInst *insert = insertionSomewhere(whole.getValueOperand());
    s.find(insert ? insert->getOperand(0) : whole.getValueOperand(), all);
    if (!has(all, Component::Kept) || has(all, Component::Written) == (insert != nullptr))
        return;
    if (insert)
        return storeOneOf(whole, *insert), eraseWhole(whole, s.loads);
    IRBuilder<> at(&whole);
    auto *type = cast<FixedVectorType>(whole.getValueOperand()->getType());
    unsigned used = type->getNumElements();
    while (all[used - 1].kind == Component::Nobodys)
        used--;
    for (unsigned lane = 0; lane < used; lane++) {
        const Component &c = all[lane];
        if (c.kind != Component::Written)
            continue;
        Value *number = c.at < 0 ? c.number : at.CreateExtractElement(c.number, (uint64_t)c.at);
        StoreInst *now =
            storePart(at, whole, number, whole.getPointerOperand(), lane, whole.getAlign());
        parts.insert({now, {now, whole.getPointerOperand(), type, lane, used}});
    }
    eraseWhole(whole, s.loads);
}

/* ---- stores of neighbours -------------------------------------------------------------------- */

/* Before common expressions are one: computed alike, of the same. Variables are one only if they
 * are. */
bool areSame(const Value *a, const Value *b, unsigned depth)
{
    if (a == b)
        return true;
    auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
    if (!depth || !x || !y || isa<PHINode>(x) || isa<AllocaInst>(x) || x->mayReadOrWriteMemory() ||
        x->mayHaveSideEffects() || !x->isSameOperationAs(y))
        return false;
    for (unsigned k = 0; k < x->getNumOperands(); k++)
        if (!areSame(x->getOperand(k), y->getOperand(k), depth - 1))
            return false;
    return true;
}

bool haveSamePromises(const StoreInst &a, const StoreInst &b)
{
    return all_of(promises,
                  [&](unsigned kind) { return a.getMetadata(kind) == b.getMetadata(kind); });
}

/* Nothing lies between two stores but what another one's memory is read for. */
bool mayStayBetween(const Instruction &i, const StoreInst &store)
{
    if (!i.mayReadOrWriteMemory() || isa<AssumeInst>(i) || isa<NoAliasScopeDeclInst>(i))
        return true;
    auto *load = dyn_cast<LoadInst>(&i);
    if (!load || !load->isUnordered() || load->isAtomic())
        return false;
    const Value *from = getUnderlyingObject(load->getPointerOperand()),
                *to = getUnderlyingObject(store.getPointerOperand());
    return from != to && isa<Argument>(from) && isa<Argument>(to) &&
           (cast<Argument>(from)->hasNoAliasAttr() || cast<Argument>(to)->hasNoAliasAttr());
}

/* Stores to one vector with nothing in between; the last one of a component counts. */
class Group
{
  public:
    bool takes(const Part &part) const;
    void add(const Part &part);
    bool staysBehind(const Instruction &i) const
    {
        return last && !mayStayBetween(i, *last->store);
    }
    void finish();

  private:
    void join(unsigned first, unsigned count, FixedVectorType *type);
    const Part *of[mostLanes] = {};
    const Part *last = nullptr;
    SmallVector<StoreInst *, 16> joined;
    unsigned written = 0;
};

bool Group::takes(const Part &part) const
{
    return !last || (part.type == last->type && part.used == last->used &&
                     areSame(part.vector, last->vector, deepest) &&
                     haveSamePromises(*part.store, *last->store));
}

void Group::add(const Part &part)
{
    written += !of[part.lane];
    of[part.lane] = last = &part;
}

void Group::join(unsigned first, unsigned count, FixedVectorType *type)
{
    IRBuilder<> at(last->store);
    StoreInst &lowest = *of[first]->store;
    Value *all = PoisonValue::get(type);
    for (unsigned k = 0; k < count; k++)
        all = at.CreateInsertElement(all, of[first + k]->store->getValueOperand(), (uint64_t)k);
    StoreInst *now = at.CreateAlignedStore(all, lowest.getPointerOperand(), lowest.getAlign());
    now->copyMetadata(lowest, promises);
    for (unsigned k = 0; k < count; k++)
        joined.push_back(of[first + k]->store);
}

/* All of the vector, or eight, four, two components that begin at a multiple of that. */
void Group::finish()
{
    if (written > 1 && written == last->used)
        join(0, written, last->type);
    for (unsigned count = 8; count > 1 && joined.size() < written; count /= 2)
        for (unsigned first = 0; first + count <= last->used; first += count)
            if (all_of(seq(first, first + count),
                       [&](unsigned k) { return of[k] && !is_contained(joined, of[k]->store); }))
                join(first, count, FixedVectorType::get(last->type->getElementType(), count));
    for (StoreInst *store : joined)
        store->eraseFromParent();
    *this = Group();
}

void joinNeighbours(BasicBlock &block, const Parts &parts)
{
    Group group;
    for (Instruction &i : make_early_inc_range(block)) {
        auto *store = dyn_cast<StoreInst>(&i);
        auto part = store && !store->isVolatile() ? parts.find(store) : parts.end();
        if (part == parts.end() ? group.staysBehind(i) : !group.takes(part->second))
            group.finish();
        if (part != parts.end())
            group.add(part->second);
    }
    group.finish();
}

} // namespace

void sl_llvm_store_components(LLVMValueRef handle)
{
    for (BasicBlock &block : *unwrap<Function>(handle)) {
        Parts parts;
        SmallVector<StoreInst *, 16> stores;
        for (Instruction &i : block)
            if (auto *s = dyn_cast<StoreInst>(&i); s && isOfInterest(*s))
                stores.push_back(s);
        for (StoreInst *s : stores)
            store(*s, parts);
        if (parts.size() > 1)
            joinNeighbours(block, parts);
    }
}
