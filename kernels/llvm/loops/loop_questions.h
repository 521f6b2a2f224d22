/* SPDX-License-Identifier: Apache-2.0 */
/* What passes for loops ask of a loop. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_LOOP_QUESTIONS_H
#define SL_KERNELS_LLVM_LOOP_QUESTIONS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace sluice
{

/* A call that items come to together. */
inline bool isCommon(const llvm::Instruction &i)
{
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call && call->isConvergent();
}

/* Such as a barrier: others' memory is another one behind it. */
inline bool itemsMeet(const llvm::Instruction &i)
{
    return isCommon(i) && i.mayWriteToMemory();
}

inline bool anyOf(const llvm::Loop &loop, bool (*is)(const llvm::Instruction &))
{
    return llvm::any_of(loop.blocks(),
                        [is](const llvm::BasicBlock *block) { return llvm::any_of(*block, is); });
}

/* Has the program said whether it is to be unrolled? */
inline bool hasUnrollWish(const llvm::Loop &loop)
{
    return llvm::any_of(llvm::ArrayRef<const char *>{"full", "enable", "disable", "count"},
                        [&](const char *name) {
                            return llvm::findOptionMDForLoop(
                                &loop, ("llvm.loop.unroll." + llvm::Twine(name)).str());
                        });
}

} // namespace sluice

#endif
