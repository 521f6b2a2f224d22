/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/steady_stores.h"

#include "llvm/loops/analyses.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;
using sluice::Analyses;

namespace
{

/* The step of an address that counts up in the loop; false: it does not. */
bool counts(ScalarEvolution &evolution, const Loop &loop, const SCEV *pointer, int64_t &out)
{
    const auto *address = dyn_cast<SCEVAddRecExpr>(pointer);
    if (!address || address->getLoop() != &loop || !address->isAffine())
        return false;
    const auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
    if (!step || step->getAPInt().getSignificantBits() > 64)
        return false;
    out = step->getAPInt().getSExtValue();
    return true;
}

/* The base and the step. */
bool walks(ScalarEvolution &evolution, const Loop &loop, StoreInst &store, sl_steady_store &out)
{
    const SCEV *address = evolution.getSCEV(store.getPointerOperand());
    const auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
    if (!base || !counts(evolution, loop, address, out.step))
        return false;
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
    Analyses of(f);
    size_t count = 0;
    for (Loop *loop : of.loops.getLoopsInPreorder()) {
        const BasicBlock *latch = loop->getLoopLatch();
        if (!latch || !loop->isInnermost())
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &i : *block) {
                auto *store = dyn_cast<StoreInst>(&i);
                if (count < room && store && store->isSimple() &&
                    layout.getTypeStoreSize(store->getValueOperand()->getType()) >= least &&
                    of.dominators.dominates(block, latch) &&
                    walks(of.evolution, *loop, *store, out[count]))
                    count++;
            }
    }
    return count;
}

size_t sl_llvm_steady_loads(LLVMValueRef handle, sl_steady_load *out, size_t room)
{
    Analyses of(*unwrap<Function>(handle));
    size_t count = 0;
    for (Loop *loop : of.loops.getLoopsInPreorder()) {
        if (loop->getNumBlocks() != 1)
            continue;
        for (Instruction &i : *loop->getHeader()) {
            auto *load = dyn_cast<LoadInst>(&i);
            if (count == room || !load || !load->isSimple() ||
                !counts(of.evolution, *loop, of.evolution.getSCEV(load->getPointerOperand()),
                        out[count].step))
                continue;
            out[count].load = wrap(load);
            out[count++].trips = of.evolution.getSmallConstantTripCount(loop);
        }
    }
    return count;
}
