/* SPDX-License-Identifier: Apache-2.0 */
/* What LLVM's analyses of loops need of each other, made for one function. One thread's. */
#ifndef SL_KERNELS_LLVM_ANALYSES_H
#define SL_KERNELS_LLVM_ANALYSES_H

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

namespace sluice
{

struct Analyses {
    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;
    llvm::TargetLibraryInfoImpl names;
    llvm::TargetLibraryInfo library;
    llvm::AssumptionCache assumptions;
    llvm::ScalarEvolution evolution;

    explicit Analyses(llvm::Function &f)
        : dominators(f), loops(dominators), names(f.getParent()->getTargetTriple()),
          library(names, &f), assumptions(f), evolution(f, library, assumptions, dominators, loops)
    {
    }
};

} // namespace sluice

#endif
