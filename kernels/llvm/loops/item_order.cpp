/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/item_order.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TypeBasedAliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

constexpr char PARALLEL[] = "llvm.loop.parallel_accesses";
constexpr size_t MOST = 128;    /* accesses of a loop that are looked at */
constexpr unsigned DEEPEST = 6; /* instructions from what is loaded to an address */

struct AliasAnalyses : sluice::Analyses {
    BasicAAResult basic;
    TypeBasedAAResult types;
    AAResults aliases;

    explicit AliasAnalyses(Function &f)
        : Analyses(f), basic(f.getDataLayout(), f, library, assumptions, &dominators), types(false),
          aliases(library)
    {
        aliases.addAAResult(basic);
        aliases.addAAResult(types);
    }
};

struct Access {
    Instruction *i;
    const Value *object; /* that the pointer is into */
    uint64_t size;
    size_t number; /* in the loop's order */
    bool repeated; /* in a loop within the loop, which may come to be unrolled */
    bool steps;    /* others may lie beside it in each iteration */
};

/* Blocks of the loop that may follow in the same iteration. */
using Following = DenseMap<const BasicBlock *, SmallPtrSet<const BasicBlock *, 8>>;

class Order
{
  public:
    Order(AliasAnalyses &analyses, Loop &items) : of(analyses), loop(items)
    {
    }

    bool mayChange()
    {
        findAccesses();
        if (accesses.size() > MOST)
            return true;
        findFollowing();
        for (const Access &store : accesses)
            for (const Access &other : accesses)
                if (isa<StoreInst>(store.i) &&
                    (isBetweenLoads(store, other) || isBetweenStores(store, other)))
                    return true;
        return false;
    }

  private:
    AliasAnalyses &of;
    Loop &loop;
    SmallVector<Access, 32> accesses;
    Following following;

    /* Loaded in this iteration, or made of that; not what may as well be loaded in front of the
     * loop. */
    bool isData(const Value *value, unsigned depth)
    {
        const auto *i = dyn_cast<Instruction>(value);
        if (!i || !loop.contains(i) || isa<PHINode>(i))
            return false;
        if (const auto *load = dyn_cast<LoadInst>(i)) {
            auto *from = const_cast<Value *>(load->getPointerOperand());
            return !of.evolution.isLoopInvariant(of.evolution.getSCEV(from), &loop);
        }
        return depth && any_of(i->operands(),
                               [this, depth](const Use &use) { return isData(use, depth - 1); });
    }

    /* An address that data say has no step; nor is another access beside one of steps as long as it
     * is. Turns of inner loops differ in what is not known yet. */
    bool steps(Value *pointer, uint64_t size, bool repeated)
    {
        const SCEV *address = of.evolution.getSCEV(pointer);
        if (repeated)
            return true;
        if (of.evolution.isLoopInvariant(address, &loop))
            return false;
        if (const auto *counts = dyn_cast<SCEVAddRecExpr>(address)) {
            const auto *step = dyn_cast<SCEVConstant>(counts->getStepRecurrence(of.evolution));
            if (step && step->getAPInt().abs() == size)
                return false;
        }
        return !SCEVExprContains(address, [this](const SCEV *part) {
            const auto *unknown = dyn_cast<SCEVUnknown>(part);
            return unknown && isData(unknown->getValue(), DEEPEST);
        });
    }

    void findAccesses()
    {
        for (BasicBlock *block : loop.blocks())
            for (Instruction &i : *block) {
                Value *pointer = getLoadStorePointerOperand(&i);
                if (!pointer)
                    continue;
                const DataLayout &layout = i.getDataLayout();
                TypeSize size = layout.getTypeStoreSize(getLoadStoreType(&i));
                bool repeated = of.loops.getLoopFor(block) != &loop;
                accesses.push_back({&i, getUnderlyingObject(pointer, 0), size, accesses.size(),
                                    repeated, steps(pointer, size, repeated)});
            }
    }

    void findFollowing()
    {
        for (const BasicBlock *from : loop.blocks()) {
            SmallVector<const BasicBlock *, 16> left = {from};
            while (!left.empty())
                for (const BasicBlock *next : successors(left.pop_back_val()))
                    if (next != loop.getHeader() && loop.contains(next) &&
                        following[from].insert(next).second)
                        left.push_back(next);
        }
    }

    bool follows(const Access &a, const Access &b)
    {
        const BasicBlock *from = a.i->getParent(), *to = b.i->getParent();
        return (from == to && a.number < b.number) || following[from].contains(to);
    }

    /* In turns of an inner loop pointers are other ones. */
    MemoryLocation placeOf(const Access &a, bool any)
    {
        if (!any)
            return MemoryLocation::get(a.i);
        return MemoryLocation(a.object, LocationSize::beforeOrAfterPointer(), a.i->getAAMetadata());
    }

    bool mayMeet(const Access &a, const Access &b)
    {
        bool any = a.repeated || b.repeated;
        return !of.aliases.isNoAlias(placeOf(a, any), placeOf(b, any));
    }

    /* May LLVM make one access of both? */
    static bool goTogether(const Access &a, const Access &b)
    {
        return isa<StoreInst>(a.i) == isa<StoreInst>(b.i) && a.steps && b.steps &&
               a.size == b.size && a.object == b.object && (a.i != b.i || a.repeated);
    }

    bool isBetweenLoads(const Access &store, const Access &load)
    {
        return isa<LoadInst>(load.i) && load.steps && follows(store, load) &&
               any_of(accesses,
                      [&](const Access &first) {
                          return goTogether(first, load) && follows(first, store);
                      }) &&
               mayMeet(store, load);
    }

    bool isBetweenStores(const Access &store, const Access &other)
    {
        return store.steps && store.i != other.i && follows(store, other) &&
               any_of(accesses,
                      [&](const Access &last) {
                          return last.i != other.i && goTogether(store, last) &&
                                 follows(other, last);
                      }) &&
               mayMeet(store, other);
    }
};

} // namespace

bool sl_llvm_keep_item_order(LLVMValueRef handle)
{
    Function &f = *unwrap<Function>(handle);
    SmallVector<Instruction *, 4> promises;
    for (BasicBlock &block : f)
        if (const MDNode *id = block.getTerminator()->getMetadata(LLVMContext::MD_loop))
            if (findOptionMDForLoopID(const_cast<MDNode *>(id), PARALLEL))
                promises.push_back(block.getTerminator());
    if (promises.empty())
        return false;
    AliasAnalyses of(f);
    bool any = false;
    for (Instruction *branch : promises) {
        Loop *loop = of.loops.getLoopFor(branch->getParent());
        if (!loop || loop->getLoopLatch() != branch->getParent() || !Order(of, *loop).mayChange())
            continue;
        MDNode *id = branch->getMetadata(LLVMContext::MD_loop);
        branch->setMetadata(LLVMContext::MD_loop,
                            makePostTransformationMetadata(f.getContext(), id, {PARALLEL}, {}));
        any = true;
    }
    return any;
}
