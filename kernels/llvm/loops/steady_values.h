/* SPDX-License-Identifier: Apache-2.0 */
/* What is the same in all rounds of a loop. Stateless; a function belongs to one thread. */
#ifndef SL_KERNELS_LLVM_STEADY_VALUES_H
#define SL_KERNELS_LLVM_STEADY_VALUES_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace sluice
{

/* The same in all rounds, and may be computed in front of the loop; `depth` instructions at most.
 */
inline bool isSteady(const llvm::Loop &loop, const llvm::Value *value, unsigned depth = 8)
{
    const auto *i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop.contains(i))
        return true;
    return depth && !llvm::isa<llvm::PHINode>(i) && !i->mayReadOrWriteMemory() &&
           llvm::isSafeToSpeculativelyExecute(i) &&
           llvm::all_of(i->operands(),
                        [&](const llvm::Use &use) { return isSteady(loop, use.get(), depth - 1); });
}

/* In front of the loop, which has a preheader. */
inline void moveOut(const llvm::Loop &loop, llvm::Value *steady)
{
    auto *i = llvm::dyn_cast<llvm::Instruction>(steady);
    if (!i || !loop.contains(i))
        return;
    for (llvm::Use &use : i->operands())
        moveOut(loop, use.get());
    i->moveBefore(loop.getLoopPreheader()->getTerminator()->getIterator());
    i->dropUBImplyingAttrsAndMetadata();
}

} // namespace sluice

#endif
