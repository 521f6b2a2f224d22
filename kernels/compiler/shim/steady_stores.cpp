/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "steady_stores.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

/* The base and the step of an address that counts up in the loop; false: it does not. */
bool walks(ScalarEvolution &evolution, const Loop &loop, StoreInst &store, sl_steady_store &out)
{
    const auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(store.getPointerOperand()));
    if (!address || address->getLoop() != &loop || !address->isAffine())
        return false;
    const auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
    const auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
    if (!step || !base || step->getAPInt().getSignificantBits() > 64)
        return false;
    out.step = step->getAPInt().getSExtValue();
    out.base = wrap(base->getValue());
    out.store = wrap(&store);
    out.header = wrap(loop.getHeader());
    return true;
}

} // namespace

size_t sl_llvm_steady_stores(LLVMValueRef handle, uint64_t least, sl_steady_store *out, size_t room)
{
    Function &f = *unwrap<Function>(handle);
    const DataLayout &layout = f.getParent()->getDataLayout();
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    TargetLibraryInfoImpl names(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(names, &f);
    AssumptionCache assumptions(f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    size_t count = 0;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        const BasicBlock *latch = loop->getLoopLatch();
        if (!latch || !loop->isInnermost())
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &i : *block) {
                auto *store = dyn_cast<StoreInst>(&i);
                if (count < room && store && store->isSimple() &&
                    layout.getTypeStoreSize(store->getValueOperand()->getType()) >= least &&
                    dominators.dominates(block, latch) &&
                    walks(evolution, *loop, *store, out[count]))
                    count++;
            }
    }
    return count;
}
