/* SPDX-License-Identifier: Apache-2.0 */
/* What recursion.cpp works with: the graph of calls, and a few of LLVM's passes. */
#ifndef SL_KERNELS_RECURSION_TOOLS_H
#define SL_KERNELS_RECURSION_TOOLS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <vector>

namespace sluice
{

using Circle = llvm::SmallVector<llvm::Function *, 4>; /* functions that call each other */
using Calls = llvm::SmallVector<llvm::CallInst *, 16>;

bool isLeftOver(const llvm::Function &); /* recursion.h */
bool isKernel(const llvm::Function &);   /* or the copy of one that functions call */

/* Of `callee`, by anybody whose calls count: all but functions that are left over. */
Calls callsOf(llvm::Function &callee);
bool callsItself(llvm::Function &);
std::vector<Circle> findCircles(llvm::Module &);
size_t codeSize(const llvm::Module &); /* in instructions */

/* Promises of `f`, and of what it calls, that no address given to them is kept. */
void promiseNotKept(llvm::Function &f, bool (*isBuiltin)(const char *));

/* Passes on one function. printf and others of OpenCL's names are nobody's library here. */
class RecursionPasses
{
  public:
    RecursionPasses();
    void simplify(llvm::Function &);
    void endTailCalls(llvm::Function &);
    void leave(llvm::Function &); /* before the function is deleted */

  private:
    void forget(llvm::Function &);

    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager circles;
    llvm::ModuleAnalysisManager modules;
    llvm::FunctionPassManager simplifier;
};

} // namespace sluice

#endif
