/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/long_addresses.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

constexpr uint64_t fewest = 500;             /* instructions: others are no work anyway */
constexpr uint64_t termsPerInstruction = 15; /* 17 and more where that happens, else up to 13 */

bool sl_llvm_has_long_addresses(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    const uint64_t count = f.getInstructionCount();
    if (count < fewest)
        return false;
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(f);
    TargetLibraryInfoImpl names(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(names, &f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    uint64_t terms = 0;
    for (Instruction &i : instructions(f)) {
        Value *address = getLoadStorePointerOperand(&i);
        if (address && loops.getLoopFor(i.getParent()))
            terms += evolution.getSCEV(address)->getExpressionSize();
        if (terms > termsPerInstruction * count)
            return true;
    }
    return false;
}
