/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/unroll_limit.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

uint64_t sizeOf(const Loop &loop)
{
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += block->size();
    return size;
}

/* Fully: a number of copies that was asked for is the program's own limit. */
bool wantsAll(const Loop &loop)
{
    return findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
           findOptionMDForLoop(&loop, "llvm.loop.unroll.enable");
}

} // namespace

void sl_llvm_limit_unrolling(LLVMValueRef handle, uint32_t most, uint32_t most_rounds,
                             sl_long_loop_fn tell, void *data)
{
    auto &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(f);
    TargetLibraryInfoImpl names(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(names, &f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->getLoopLatch() || !wantsAll(*loop))
            continue;
        const unsigned rounds = evolution.getSmallConstantTripCount(loop);
        if (rounds <= most_rounds || rounds * sizeOf(*loop) <= most)
            continue;
        loop->setLoopAlreadyUnrolled();
        tell(data, wrap(loop->getLoopLatch()->getTerminator()), rounds);
    }
}
