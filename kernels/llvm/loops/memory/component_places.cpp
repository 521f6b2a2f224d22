/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/component_places.h"

#include <map>
#include <set>
#include <tuple>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>

#include "llvm/loops/steady_values.h"

using namespace llvm;

namespace
{

/* So many bytes behind a pointer that is the same in all rounds; nullptr: it is none. */
struct Place {
    Value *base;
    int64_t offset;
    bool operator<(const Place &other) const
    {
        return std::tie(base, offset) < std::tie(other.base, other.offset);
    }
};

/* The components that a loop stores, and what loads them. */
class Components
{
  public:
    explicit Components(Loop &l) : loop(l), layout(l.getHeader()->getDataLayout())
    {
    }
    bool separate();

  private:
    Place placeOf(Value *pointer) const;
    bool isStored(Place vector, const FixedVectorType &type) const;
    SmallVector<LoadInst *, 8> vectors() const;
    Value *pointerTo(Place place);
    void loadParts(LoadInst &load);

    Loop &loop;
    const DataLayout &layout;
    std::set<std::pair<Place, Type *>> stored;
    std::map<Place, Value *> pointers;
};

Place Components::placeOf(Value *pointer) const
{
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    return {sluice::isSteady(loop, base) ? base : nullptr, offset.getSExtValue()};
}

bool Components::isStored(Place vector, const FixedVectorType &type) const
{
    Type *element = type.getElementType();
    const auto size = static_cast<int64_t>(layout.getTypeAllocSize(element));
    if (layout.getTypeSizeInBits(element) != 8 * layout.getTypeAllocSize(element))
        return false;
    for (unsigned k = 0; k < type.getNumElements(); k++)
        if (stored.count({{vector.base, vector.offset + k * size}, element}))
            return true;
    return false;
}

/* Of which only known components are used. */
bool isOfParts(const Instruction &access)
{
    const auto *load = dyn_cast<LoadInst>(&access);
    return load && load->isSimple() && all_of(load->users(), [&](const User *user) {
               const auto *part = dyn_cast<ExtractElementInst>(user);
               const auto *at = part ? dyn_cast<ConstantInt>(part->getIndexOperand()) : nullptr;
               return at &&
                      at->getValue().ult(cast<FixedVectorType>(load->getType())->getNumElements());
           });
}

/* Loads of vectors of which the loop stores components. Empty if one is used as a whole: then no
 * component can be in a register. */
SmallVector<LoadInst *, 8> Components::vectors() const
{
    SmallVector<LoadInst *, 8> all;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block) {
            Value *pointer = getLoadStorePointerOperand(&i);
            const auto *type = pointer ? dyn_cast<FixedVectorType>(getLoadStoreType(&i)) : nullptr;
            const Place place = type ? placeOf(pointer) : Place{nullptr, 0};
            if (!place.base || !isStored(place, *type))
                continue;
            if (!isOfParts(i))
                return {};
            all.push_back(cast<LoadInst>(&i));
        }
    return all;
}

Value *Components::pointerTo(Place place)
{
    Value *&pointer = pointers[place];
    if (!pointer) {
        sluice::moveOut(loop, place.base);
        IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
        pointer = place.offset ? builder.CreateGEP(builder.getInt8Ty(), place.base,
                                                   builder.getInt64(uint64_t(place.offset)))
                               : place.base;
    }
    return pointer;
}

void Components::loadParts(LoadInst &load)
{
    Type *element = load.getType()->getScalarType();
    const uint64_t size = layout.getTypeAllocSize(element);
    const Place vector = placeOf(load.getPointerOperand());
    IRBuilder<> builder(&load);
    for (User *user : make_early_inc_range(load.users())) {
        auto *part = cast<ExtractElementInst>(user);
        const uint64_t at = size * cast<ConstantInt>(part->getIndexOperand())->getZExtValue();
        LoadInst *one = builder.CreateAlignedLoad(
            element, pointerTo({vector.base, vector.offset + int64_t(at)}),
            commonAlignment(load.getAlign(), at));
        one->copyMetadata(load, {LLVMContext::MD_access_group, LLVMContext::MD_alias_scope,
                                 LLVMContext::MD_noalias});
        part->replaceAllUsesWith(one);
        part->eraseFromParent();
    }
    load.eraseFromParent();
}

bool Components::separate()
{
    SmallVector<Instruction *, 16> numbers; /* accesses of one number */
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block) {
            Value *pointer = getLoadStorePointerOperand(&i);
            if (!pointer || isa<VectorType>(getLoadStoreType(&i)) || !placeOf(pointer).base)
                continue;
            numbers.push_back(&i);
            if (isa<StoreInst>(i))
                stored.insert({placeOf(pointer), getLoadStoreType(&i)});
        }
    const SmallVector<LoadInst *, 8> loads = vectors();
    if (loads.empty())
        return false;
    for (Instruction *i : numbers)
        i->setOperand(isa<StoreInst>(i) ? 1 : 0, pointerTo(placeOf(getLoadStorePointerOperand(i))));
    for (LoadInst *load : loads)
        loadParts(*load);
    return true;
}

} // namespace

bool sluice::separateComponents(Loop &loop)
{
    return Components(loop).separate();
}
