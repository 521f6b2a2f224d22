/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. What is left of the work LLVM's pass does, for the loops that are chosen here. */
#include "llvm/loops/rounds/unswitch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>

using namespace llvm;

namespace
{

constexpr unsigned mostBeside = 8; /* instructions in each round whatever way it takes */

/* No calls, and no memory that others may look at meanwhile. */
bool isSimple(const Instruction &i)
{
    if (const auto *load = dyn_cast<LoadInst>(&i))
        return load->isSimple();
    if (const auto *store = dyn_cast<StoreInst>(&i))
        return store->isSimple();
    if (isa<CallBase>(i) && !isa<IntrinsicInst>(i))
        return false;
    return !i.mayReadOrWriteMemory() || isa<AssumeInst>(i) || isa<DbgInfoIntrinsic>(i);
}

bool isSimple(const Loop &loop)
{
    for (const BasicBlock *block : loop.blocks())
        if (!all_of(*block, [](const Instruction &i) { return isSimple(i); }))
            return false;
    return true;
}

bool decidesOnce(const Loop &loop, const BasicBlock &block)
{
    const Instruction *end = block.getTerminator();
    if (const auto *jump = dyn_cast<SwitchInst>(end))
        return jump->getNumCases() && loop.isLoopInvariant(jump->getCondition());
    const auto *branch = dyn_cast<BranchInst>(end);
    return branch && branch->isConditional() &&
           branch->getSuccessor(0) != branch->getSuccessor(1) &&
           loop.isLoopInvariant(branch->getCondition()) && !isa<Constant>(branch->getCondition());
}

/* On one of the ways that begin at the block, and on no other. */
bool isOnOneWay(const DominatorTree &dominators, const BasicBlock &from, const BasicBlock &block)
{
    for (const BasicBlock *way : successors(&from))
        if (dominators.dominates(BasicBlockEdge(&from, way), &block))
            return true;
    return false;
}

bool costsNothing(const Instruction &i)
{
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
    return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(i));
}

unsigned sizeBeside(const Loop &loop, const DominatorTree &dominators, const BasicBlock &decision)
{
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        if (!isOnOneWay(dominators, decision, *block))
            for (const Instruction &i : *block)
                count += !isa<PHINode>(i) && !i.isTerminator() && !costsNothing(i);
    return count;
}

bool isChosen(const Loop &loop, const DominatorTree &dominators)
{
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || !isSimple(loop))
        return false;
    for (const BasicBlock *block : loop.blocks())
        if (decidesOnce(loop, *block) && sizeBeside(loop, dominators, *block) <= mostBeside)
            return true;
    return false;
}

/* What a decision is made by, written in the loop, goes in front of it where nothing depends on the
 * round; moving it is harmless if the loop is not chosen. */
void moveDecisionsOut(Function &f)
{
    DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    bool moved = false;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !loop->isLoopSimplifyForm() || !isSimple(*loop))
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Value *operand : block->getTerminator()->operands())
                if (auto *condition = dyn_cast<Instruction>(operand))
                    loop->makeLoopInvariant(condition, moved);
    }
}

struct ChosenOnly : PassInfoMixin<ChosenOnly> {
    PreservedAnalyses run(Loop &loop, LoopAnalysisManager &manager,
                          LoopStandardAnalysisResults &results, LPMUpdater &updater)
    {
        if (!isChosen(loop, results.DT))
            return PreservedAnalyses::all();
        return SimpleLoopUnswitchPass(true, true).run(loop, manager, results, updater);
    }
};

bool hasChosen(Function &f)
{
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    for (const Loop *loop : loops.getLoopsInPreorder())
        if (isChosen(*loop, dominators))
            return true;
    return false;
}

} // namespace

bool sl_llvm_unswitch_loops(LLVMValueRef function, LLVMTargetMachineRef machine)
{
    auto &f = *unwrap<Function>(function);
    moveDecisionsOut(f);
    if (!hasChosen(f))
        return false;
    LoopAnalysisManager loopManager;
    FunctionAnalysisManager functionManager;
    CGSCCAnalysisManager graphManager;
    ModuleAnalysisManager moduleManager;
    PassBuilder builder(reinterpret_cast<TargetMachine *>(machine));
    builder.registerModuleAnalyses(moduleManager);
    builder.registerCGSCCAnalyses(graphManager);
    builder.registerFunctionAnalyses(functionManager);
    builder.registerLoopAnalyses(loopManager);
    builder.crossRegisterProxies(loopManager, functionManager, graphManager, moduleManager);
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(ChosenOnly(), true));
    passes.run(f, functionManager);
    return true;
}
