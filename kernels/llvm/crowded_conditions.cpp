/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/crowded_conditions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

constexpr size_t mostBranches = 100; /* on one value; they cost little until then */
constexpr StringLiteral mark = "sl-hidden-condition"; /* programs may have functions of any name */

Function *find(Module &module)
{
    for (Function &f : module)
        if (f.hasFnAttribute(mark))
            return &f;
    return nullptr;
}

/* Calls may be made twice, moved and dropped like any other operation on a bit. */
Function *make(Module &module)
{
    Type *bit = Type::getInt1Ty(module.getContext());
    Function *f = Function::Create(FunctionType::get(bit, {bit}, false),
                                   GlobalValue::ExternalLinkage, "sl.hidden.condition", module);
    f->addFnAttr(mark);
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    f->setWillReturn();
    f->addFnAttr(Attribute::Speculatable);
    f->addFnAttr(Attribute::NoSync);
    f->addFnAttr(Attribute::NoFree);
    f->addFnAttr(Attribute::NoCallback);
    return f;
}

/* Those that LLVM registers (DomConditionCache.h). */
SmallVector<BranchInst *> branchesOf(Function &f)
{
    SmallVector<BranchInst *> all;
    for (BasicBlock &block : f)
        if (auto *branch = dyn_cast<BranchInst>(block.getTerminator()))
            if (branch->isConditional() && !isa<Constant>(branch->getCondition()))
                all.push_back(branch);
    return all;
}

/* How many branches tell something of each value. */
DenseMap<Value *, size_t> countFor(ArrayRef<BranchInst *> branches)
{
    DenseMap<Value *, size_t> counts;
    for (BranchInst *branch : branches)
        findValuesAffectedByCondition(branch->getCondition(), false,
                                      [&](Value *value) { counts[value]++; });
    return counts;
}

} // namespace

LLVMBool sl_llvm_hide_conditions(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    const SmallVector<BranchInst *> branches = branchesOf(f);
    if (branches.size() <= mostBranches)
        return false;
    const DenseMap<Value *, size_t> counts = countFor(branches);
    Module &module = *f.getParent();
    Function *hidden = nullptr;
    for (BranchInst *branch : branches) {
        bool crowded = false;
        findValuesAffectedByCondition(branch->getCondition(), false, [&](Value *value) {
            crowded |= counts.lookup(value) > mostBranches;
        });
        if (!crowded)
            continue;
        if (!hidden && !(hidden = find(module)))
            hidden = make(module);
        branch->setCondition(IRBuilder<>(branch).CreateCall(hidden, {branch->getCondition()}));
    }
    return hidden != nullptr;
}

void sl_llvm_show_conditions(LLVMModuleRef handle)
{
    Function *hidden = find(*unwrap(handle));
    if (!hidden)
        return;
    while (!hidden->use_empty()) {
        auto *call = cast<CallInst>(hidden->user_back());
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
    }
    hidden->eraseFromParent();
}
