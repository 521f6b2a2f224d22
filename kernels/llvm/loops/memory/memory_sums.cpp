/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Nobody else may look at the place while a loop without barriers, fences and
 * atomics runs, nor write to it: items that do have no order (a data race). */
#include "llvm/loops/memory/memory_sums.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "llvm/loops/memory/component_places.h"
#include "llvm/loops/steady_values.h"

using namespace llvm;

namespace
{

constexpr unsigned mostArguments = 32; /* bits of a mask */

/* One place, in all rounds. */
struct Place {
    SmallVector<Instruction *, 4> accesses;
    const Value *object = nullptr; /* that it is in */
    Type *type = nullptr;
    Align align;
    bool isSurelyLoaded = false, isSurelyStored = false; /* in each round */
    bool isStored = false;
    bool isPlain = true;    /* all accesses are of one type */
    bool asks = false;      /* another object that is accessed may be the same memory */
    bool isCarried = false; /* what is loaded is known from the round before; stores stay */
};

using Places = MapVector<Value *, Place>; /* by the pointer */
using IsLocal = bool (*)(LLVMValueRef);

/* A loop that is left at the end of a round only: it has one at least. */
bool isSimple(const Loop &loop)
{
    const BasicBlock *latch = loop.getLoopLatch();
    return loop.isInnermost() && latch && loop.getLoopPreheader() && loop.getExitBlock() &&
           loop.getExitingBlock() == latch;
}

/* Whether memory is only accessed in ways that can be followed. */
bool collect(const Loop &loop, const DominatorTree &dominators, Places &out)
{
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block) {
            Value *pointer = getLoadStorePointerOperand(&i);
            if (!pointer) {
                if (i.mayReadOrWriteMemory() && !isa<AssumeInst>(i))
                    return false;
                continue;
            }
            auto *store = dyn_cast<StoreInst>(&i);
            if (store ? !store->isSimple() : !cast<LoadInst>(i).isSimple())
                return false;
            Place &place = out[pointer];
            const Align align = getLoadStoreAlignment(&i);
            place.object = getUnderlyingObject(pointer, 0);
            place.isPlain &= !place.type || place.type == getLoadStoreType(&i);
            place.align = place.type ? std::min(place.align, align) : align;
            place.type = getLoadStoreType(&i);
            if (dominators.dominates(block, loop.getLoopLatch()))
                (store ? place.isSurelyStored : place.isSurelyLoaded) = true;
            place.isStored |= store != nullptr;
            place.accesses.push_back(&i);
        }
    return true;
}

bool isApart(const Value *object)
{
    const auto *argument = dyn_cast<Argument>(object);
    const auto *variable = dyn_cast<GlobalVariable>(object);
    return isa<AllocaInst>(object) || (variable && variable->isConstant()) ||
           (argument && argument->hasNoAliasAttr());
}

/* Two places of one object that share no byte in any round: fields of a structure, neighbours. */
bool areBeside(const DataLayout &layout, const Value *a, const Place &at, const Value *b,
               const Place &to)
{
    APInt first(layout.getIndexTypeSizeInBits(a->getType()), 0);
    APInt second = first;
    if (a->stripAndAccumulateConstantOffsets(layout, first, true) !=
            b->stripAndAccumulateConstantOffsets(layout, second, true) ||
        !at.isPlain || !to.isPlain)
        return false;
    const int64_t distance = (second - first).getSExtValue();
    return distance >= int64_t(layout.getTypeStoreSize(at.type)) ||
           -distance >= int64_t(layout.getTypeStoreSize(to.type));
}

/* Whether it can be in a register for the length of the loop, which gains something; `asks`: if
 * arguments are apart. */
bool mayBeKept(const Loop &loop, const Places &places, IsLocal is_local, Value *pointer,
               Place &place)
{
    const auto *own = dyn_cast<Argument>(place.object);
    const DataLayout &layout = loop.getHeader()->getDataLayout();
    bool stores = false;
    if (!own || own->getArgNo() >= mostArguments ||
        !(place.isStored ? place.isSurelyStored : place.isSurelyLoaded) || !place.isPlain ||
        !place.type->isSingleValueType() || !sluice::isSteady(loop, pointer))
        return false;
    for (const auto &[other, at] : places) {
        stores |= at.isStored;
        if (other == pointer || (!at.isStored && !place.isStored))
            continue;
        if (at.object == own) {
            if (!areBeside(layout, pointer, place, other, at))
                return false;
            continue;
        }
        if (isApart(at.object) || isApart(own) || is_local(wrap(at.object)))
            continue;
        if (!isa<Argument>(at.object)) /* such as a pointer that was loaded */
            return false;
        place.asks = true;
    }
    return stores; /* or LLVM moves it */
}

bool isLoaded(const Place &place)
{
    return any_of(place.accesses, [](const Instruction *i) { return isa<LoadInst>(i); });
}

/* Whether nothing else is stored there, however loads look at it: `a[i][k] -= a[i][j] * a[j][k]`.
 */
bool mayBeCarried(const Loop &loop, const Places &places, IsLocal is_local, Value *pointer,
                  const Place &place)
{
    const DataLayout &layout = loop.getHeader()->getDataLayout();
    const bool local = is_local(wrap(place.object));
    if ((!local && !isa<Argument>(place.object)) || !place.isSurelyStored || !isLoaded(place) ||
        !place.isPlain || !place.type->isSingleValueType() || !sluice::isSteady(loop, pointer))
        return false;
    return all_of(places, [&](const auto &other) {
        const auto &[where, at] = other;
        if (where == pointer || !at.isStored)
            return true;
        if (at.object == place.object)
            return areBeside(layout, pointer, place, where, at);
        return isApart(at.object) || (is_local(wrap(at.object)) && !local) ||
               (local && isa<Argument>(at.object));
    });
}

/* False: there are none. */
bool find(Loop &loop, const DominatorTree &dominators, uint32_t most, IsLocal is_local, Places &out)
{
    size_t size = 0;
    Places all;
    if (!isSimple(loop))
        return false;
    for (const BasicBlock *block : loop.blocks())
        size += block->size();
    if (size > most || !collect(loop, dominators, all))
        return false;
    if (sluice::separateComponents(loop)) {
        all.clear();
        collect(loop, dominators, all);
    }
    for (auto &[pointer, place] : all) {
        place.isCarried = !mayBeKept(loop, all, is_local, pointer, place);
        if (!place.isCarried || mayBeCarried(loop, all, is_local, pointer, place))
            out[pointer] = place;
    }
    return !out.empty();
}

/* A new block behind the loop that only those come to who have run it. */
BasicBlock *addExit(Loop &loop, DominatorTree &dominators, LoopInfo &loops)
{
    return SplitEdge(loop.getExitingBlock(), loop.getExitBlock(), &dominators, &loops);
}

constexpr unsigned kept[] = {LLVMContext::MD_tbaa, LLVMContext::MD_access_group};

void keep(Loop &loop, const Places &places, DominatorTree &dominators, LoopInfo &loops)
{
    SmallVector<AllocaInst *, 4> slots;
    BasicBlock *exit = addExit(loop, dominators, loops);
    BasicBlock &entry = loop.getHeader()->getParent()->getEntryBlock();
    for (const auto &[pointer, place] : places) {
        sluice::moveOut(loop, pointer);
        IRBuilder<> builder(&entry, entry.begin());
        slots.push_back(builder.CreateAlloca(place.type));
        builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
        LoadInst *first = builder.CreateAlignedLoad(place.type, pointer, place.align);
        builder.CreateStore(first, slots.back());
        first->copyMetadata(*place.accesses.front(), kept);
        if (place.isStored && !place.isCarried) {
            builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
            builder
                .CreateAlignedStore(builder.CreateLoad(place.type, slots.back()), pointer,
                                    place.align)
                ->copyMetadata(*place.accesses.front(), kept);
        }
        for (Instruction *access : place.accesses) {
            auto *store = dyn_cast<StoreInst>(access);
            if (store && place.isCarried)
                new StoreInst(store->getValueOperand(), slots.back(), store->getIterator());
            else
                access->setOperand(store ? 1 : 0, slots.back());
        }
    }
    PromoteMemToReg(slots, dominators);
}

/* Nobody has put the loop behind a block of its own where it comes behind a branch. */
void addPreheaders(DominatorTree &dominators, LoopInfo &loops)
{
    for (Loop *loop : loops.getLoopsInPreorder())
        if (loop->isInnermost() && !loop->getLoopPreheader())
            InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false);
}

} // namespace

bool sl_llvm_find_memory_sums(LLVMValueRef handle, uint32_t most, IsLocal is_local,
                              uint32_t *arguments)
{
    auto &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    addPreheaders(dominators, loops);
    bool anyStored = false, any = false;
    *arguments = 0;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        Places places;
        find(*loop, dominators, most, is_local, places);
        for (const auto &[pointer, place] : places) {
            any |= !place.asks || place.isCarried;
            if (!place.asks || place.isCarried)
                continue;
            *arguments |= 1U << cast<Argument>(place.object)->getArgNo();
            anyStored |= place.isStored;
        }
    }
    if (!anyStored)
        *arguments = 0;
    return any || *arguments;
}

/* Keeping a place changes the loops around, and of others it may turn out only now that they are
 * simple: nobody has asked for their arguments. */
bool sl_llvm_keep_memory_sums(LLVMValueRef handle, uint32_t most, IsLocal is_local, uint32_t apart)
{
    auto &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    addPreheaders(dominators, loops);
    bool any = false;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        Places places;
        find(*loop, dominators, most, is_local, places);
        places.remove_if([apart](const auto &place) {
            return place.second.asks && !place.second.isCarried &&
                   !(apart >> cast<Argument>(place.second.object)->getArgNo() & 1U);
        });
        if (places.empty())
            continue;
        keep(*loop, places, dominators, loops);
        any = true;
    }
    return any;
}
