/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests of loops become one loop: all of them come back to one block, which goes on in the body of
 * the loop that came back. What they hand on goes through memory meanwhile, which LLVM makes values
 * of again. Whatever the body of an outer loop has happens in some iterations, as under a
 * condition.
 */
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "llvm/loops/counts/loop_graph.h"
#include "llvm/loops/counts/loop_names.h"
#include "llvm/run_passes.h"

using namespace llvm;

namespace
{

using Nest = SmallVector<Loop *, 4>; /* from the outermost one */

bool canBeKept(const Instruction &i)
{
    return i.getType()->isVoidTy() || (i.getType()->isSized() && !i.getType()->isTokenTy());
}

/* Of which one may be made: each has but one loop inside, down to the innermost. */
bool isNest(const Nest &nest)
{
    if (nest.size() < 2 || !nest.back()->isInnermost())
        return false;
    for (const Loop *loop : nest)
        if (!loop->isLoopSimplifyForm())
            return false;
    for (const BasicBlock *block : nest.front()->blocks())
        for (const Instruction &i : *block)
            if (!canBeKept(i) || isa<AllocaInst>(i))
                return false;
    return true;
}

Nest nestOf(Loop *loop, uint32_t levels)
{
    Nest nest{loop};
    while (nest.size() < levels && nest.back()->getSubLoops().size() == 1)
        nest.push_back(nest.back()->getSubLoops().front());
    return nest;
}

bool leavesBlock(const Instruction &i)
{
    return any_of(i.users(), [&](const User *user) {
        return cast<Instruction>(user)->getParent() != i.getParent() || isa<PHINode>(user);
    });
}

/* Everything that is used in another block, or another iteration, goes through memory. */
void keepInMemory(const Loop &loop)
{
    SmallVector<PHINode *, 16> choices;
    SmallVector<Instruction *, 32> values;
    for (BasicBlock *block : loop.blocks())
        for (PHINode &phi : block->phis())
            choices.push_back(&phi);
    for (PHINode *phi : choices)
        DemotePHIToStack(phi);
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block)
            if (!i.getType()->isVoidTy() && leavesBlock(i))
                values.push_back(&i);
    for (Instruction *value : values)
        DemoteRegToStack(*value);
}

void makeOne(Function &f, const Nest &nest)
{
    BasicBlock *preheader = nest.front()->getLoopPreheader();
    MDNode *name = nest.front()->getLoopID();
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> rounds; /* header, latch */
    for (const Loop *loop : nest)
        rounds.push_back({loop->getHeader(), loop->getLoopLatch()});
    keepInMemory(*nest.front());
    IRBuilder<> builder(&f.getEntryBlock(), f.getEntryBlock().begin());
    AllocaInst *level = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "level");
    builder.SetInsertPoint(preheader->getTerminator());
    builder.CreateStore(builder.getInt32(0), level);
    BasicBlock *begin = BasicBlock::Create(f.getContext(), "coalesced", &f, rounds[0].first);
    builder.SetInsertPoint(begin);
    SwitchInst *way = builder.CreateSwitch(builder.CreateLoad(builder.getInt32Ty(), level),
                                           rounds[0].first, unsigned(rounds.size()));
    BasicBlock *again = BasicBlock::Create(f.getContext(), "again", &f); /* or LLVM sees a nest */
    builder.SetInsertPoint(again);
    builder.CreateBr(begin)->setMetadata(LLVMContext::MD_loop, name);
    for (uint32_t n = 0; n < rounds.size(); n++) {
        auto [header, latch] = rounds[n];
        Instruction *back = latch->getTerminator();
        builder.SetInsertPoint(back);
        builder.CreateStore(builder.getInt32(n), level);
        back->replaceSuccessorWith(header, again);
        back->setMetadata(LLVMContext::MD_loop, nullptr);
        if (n)
            way->addCase(builder.getInt32(n), header);
    }
    preheader->getTerminator()->replaceSuccessorWith(rounds[0].first, begin);
}

uint64_t placeOf(const Loop &loop, const LoopInfo &loops)
{
    const DILocation *place = sluice::placeOfLoop(loop, loops);
    return place ? uint64_t(place->getLine()) << 32 | place->getColumn() : 0;
}

/* False: there is no nest any more that is to be one. */
bool makeFirst(Function &f, const sl_loop_coalescing &wishes)
{
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        const uint64_t outer = placeOf(*loop, loops);
        const Nest nest = nestOf(loop, outer ? wishes.levels(wishes.data, outer) : 0);
        if (!isNest(nest))
            continue;
        for (const Loop *inner : drop_begin(nest))
            wishes.merged(wishes.data, outer, placeOf(*inner, loops));
        makeOne(f, nest);
        return true;
    }
    return false;
}

} // namespace

char *sl_llvm_coalesce_loops(LLVMModuleRef handle, LLVMTargetMachineRef machine,
                             const struct sl_loop_coalescing *wishes)
{
    bool any = false;
    for (Function &f : *unwrap(handle))
        while (!f.isDeclaration() && makeFirst(f, *wishes))
            any = true;
    if (!any)
        return nullptr;
    /* Nothing that takes loops apart again. */
    static const char passes[] = "function(mem2reg,instcombine<no-verify-fixpoint>,loop-simplify)";
    return sl_llvm_run_on_module(handle, machine, passes);
}
