/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/blend_chains.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;
using sluice::Analyses;

namespace
{

constexpr uint64_t mostWays = 1 << 18; /* a few ms for each question */
constexpr size_t fewBlends = 9;        /* 4 ways from each to the next: not too many */

/* Those of one loop, from the last to the first: a way through the loop's body goes forwards. */
uint64_t waysBetween(ArrayRef<PHINode *> blends)
{
    DenseMap<const PHINode *, uint64_t> ways; /* that begin there */
    uint64_t all = 0;
    for (const PHINode *blend : reverse(blends)) {
        uint64_t from = 1;
        for (const User *user : blend->users()) {
            const auto *next = dyn_cast<PHINode>(user);
            from = SaturatingAdd(from, next ? ways.lookup(next) : 0);
        }
        ways[blend] = from;
        all = SaturatingAdd(all, from);
    }
    return all;
}

uint64_t waysIn(Loop &loop, LoopInfo &loops)
{
    SmallVector<PHINode *, 64> blends;
    LoopBlocksDFS order(&loop);
    order.perform(&loops);
    for (BasicBlock *block : make_range(order.beginRPO(), order.endRPO()))
        if (block != loop.getHeader())
            for (PHINode &phi : block->phis())
                blends.push_back(&phi);
    return blends.size() > fewBlends ? waysBetween(blends) : 0;
}

} // namespace

void sl_llvm_leave_blend_chains(LLVMModuleRef handle)
{
    for (Function &f : *unwrap(handle)) {
        if (f.isDeclaration() || f.hasOptNone() || f.size() <= fewBlends)
            continue;
        Analyses of(f);
        for (Loop *loop : of.loops.getLoopsInPreorder())
            if (loop->isInnermost() && waysIn(*loop, of.loops) > mostWays)
                addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    }
}
