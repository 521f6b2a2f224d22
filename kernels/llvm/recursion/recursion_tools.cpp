/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/recursion/recursion_tools.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>

#include "llvm/llvm_extra.h"
#include "llvm/recursion/recursion.h"
#include "llvm/recursion/tail_position.h"

using namespace llvm;
using namespace sluice;

bool sluice::isLeftOver(const Function &f)
{
    return f.hasFnAttribute(SL_LEFT_OVER_ATTRIBUTE);
}

bool sluice::isKernel(const Function &f)
{
    return f.getCallingConv() == CallingConv::SPIR_KERNEL ||
           f.hasFnAttribute(SL_KERNEL_ATTRIBUTE) || f.getName().starts_with(SL_KERNEL_TWIN_PREFIX);
}

Calls sluice::callsOf(Function &callee)
{
    Calls calls;
    for (User *user : callee.users()) {
        auto *call = dyn_cast<CallInst>(user);
        if (call && call->getCalledFunction() == &callee && !isLeftOver(*call->getFunction()))
            calls.push_back(call);
    }
    return calls;
}

bool sluice::callsItself(Function &f)
{
    return any_of(callsOf(f), [&](CallInst *call) { return call->getFunction() == &f; });
}

std::vector<Circle> sluice::findCircles(Module &module)
{
    std::vector<Circle> circles;
    CallGraph graph(module);
    for (scc_iterator<CallGraph *> at = scc_begin(&graph); !at.isAtEnd(); ++at) {
        Circle circle;
        for (CallGraphNode *node : *at)
            if (Function *f = node->getFunction(); f && !f->isDeclaration() && !isLeftOver(*f))
                circle.push_back(f);
        if (circle.size() > 1 || (circle.size() == 1 && callsItself(*circle[0])))
            circles.push_back(std::move(circle));
    }
    return circles;
}

size_t sluice::codeSize(const Module &module)
{
    size_t count = 0;
    for (const Function &f : module)
        count += f.getInstructionCount();
    return count;
}

/* ---- LLVM's passes --------------------------------------------------------------------------- */

RecursionPasses::RecursionPasses()
{
    TargetLibraryInfoImpl none{Triple()};
    none.disableAllFunctions();
    functions.registerPass([&] { return TargetLibraryAnalysis(std::move(none)); });
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(circles);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, circles, modules);
    simplifier.addPass(SROAPass(SROAOptions::ModifyCFG));
    simplifier.addPass(EarlyCSEPass());
    simplifier.addPass(SCCPPass());
    /* Returns from inside of a scope with variables: clang has one end for all ways out of it. */
    simplifier.addPass(JumpThreadingPass());
    simplifier.addPass(SimplifyCFGPass());
    simplifier.addPass(InstCombinePass());
    simplifier.addPass(SimplifyCFGPass());
}

/* With -cl-opt-disable clang asks for functions to be left alone. */
void RecursionPasses::simplify(Function &f)
{
    f.removeFnAttr(Attribute::OptimizeNone);
    f.removeFnAttr("disable-tail-calls");
    simplifier.run(f, functions);
    forget(f);
}

void RecursionPasses::endTailCalls(Function &f)
{
    moveCallsDown(f);
    forget(f);
    /* Of the values of a sum that of a late call is added last. */
    ReassociatePass().run(f, functions);
    giveReturns(f);
    forget(f);
    TailCallElimPass().run(f, functions);
    forget(f);
    /* What it found out about other calls need not stay true. */
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i); call && !call->isMustTailCall())
            call->setTailCallKind(CallInst::TCK_None);
}

void RecursionPasses::leave(Function &f)
{
    functions.clear(f, f.getName());
}

void RecursionPasses::forget(Function &f)
{
    functions.invalidate(f, PreservedAnalyses::none());
}

/* ---- addresses ------------------------------------------------------------------------------- */

namespace
{

/* to_private and its like give back what they get. */
void promiseOf(CallInst &call, bool (*isBuiltin)(const char *))
{
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
        callee->getReturnType()->isPointerTy() || !isBuiltin(callee->getName().data()))
        return;
    for (unsigned i = 0; i < call.arg_size(); i++)
        if (call.getArgOperand(i)->getType()->isPointerTy())
            call.addParamAttr(
                i, Attribute::getWithCaptureInfo(call.getContext(), CaptureInfo::none()));
}

} // namespace

void sluice::promiseNotKept(Function &f, bool (*isBuiltin)(const char *))
{
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i))
            promiseOf(*call, isBuiltin);
    for (Argument &argument : f.args())
        if (argument.getType()->isPointerTy() && !argument.hasByValAttr() &&
            !PointerMayBeCaptured(&argument, true))
            argument.addAttr(Attribute::getWithCaptureInfo(f.getContext(), CaptureInfo::none()));
}
