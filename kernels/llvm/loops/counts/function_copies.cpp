/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. There is no recursion: what a function calls is done before it. */
#include "llvm/loops/counts/function_copies.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "llvm/llvm_extra.h"

using namespace llvm;

namespace
{

enum { MostCopies = 512 }; /* more ways share functions, and their loops places */

using Functions = SmallPtrSet<const Function *, 4>;

/* That the program has written, and that is no kernel. */
Function *calledBy(const Instruction &i)
{
    const auto *call = dyn_cast<CallBase>(&i);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration() && !callee->hasFnAttribute(SL_KERNEL_ATTRIBUTE)
               ? callee
               : nullptr;
}

class Separation
{
  public:
    void add(Function &f)
    {
        if (!f.isDeclaration() && begun.insert(&f).second)
            parts[&f] = takeParts(f, {});
    }

  private:
    /* Functions with loops that are part of it, if it has any; `taken` are others' already. */
    Functions takeParts(Function &f, Functions taken)
    {
        const Functions before = taken;
        for (Instruction &i : instructions(f)) {
            Function *callee = calledBy(i);
            if (!callee)
                continue;
            add(*callee);
            Function *own = choose(*callee, taken);
            if (own != callee)
                cast<CallBase>(i).setCalledFunction(own);
            taken.insert(parts[own].begin(), parts[own].end());
        }
        const DominatorTree dominators(f);
        Functions own;
        for (const Function *part : taken)
            if (!before.contains(part))
                own.insert(part);
        if (!own.empty() || !LoopInfo(dominators).empty())
            own.insert(&f);
        return own;
    }

    bool isFree(const Function &f, const Functions &taken) const
    {
        const auto known = parts.find(&f);
        return known == parts.end() ||
               none_of(known->second, [&](const Function *part) { return taken.contains(part); });
    }

    Function *choose(Function &callee, const Functions &taken)
    {
        Function *original = originals.lookup(&callee);
        original = original ? original : &callee;
        if (isFree(*original, taken))
            return original;
        for (Function *copy : copies[original])
            if (isFree(*copy, taken))
                return copy;
        return count < MostCopies ? copyOf(*original, taken) : &callee;
    }

    Function *copyOf(Function &original, const Functions &taken)
    {
        ValueToValueMapTy values;
        Function *copy = CloneFunction(&original, values);
        copy->setLinkage(GlobalValue::InternalLinkage);
        copy->setVisibility(GlobalValue::DefaultVisibility);
        copy->setComdat(nullptr);
        count++;
        begun.insert(copy);
        originals[copy] = &original;
        parts[copy] = takeParts(*copy, taken);
        copies[&original].push_back(copy);
        return copy;
    }

    SmallPtrSet<const Function *, 16> begun;
    DenseMap<const Function *, Functions> parts;
    DenseMap<const Function *, Function *> originals;
    DenseMap<const Function *, SmallVector<Function *, 4>> copies;
    unsigned count = 0;
};

void addAll(const Function &f, Functions &all)
{
    if (!all.insert(&f).second)
        return;
    for (const Instruction &i : instructions(f))
        if (const Function *callee = calledBy(i))
            addAll(*callee, all);
}

} // namespace

void sluice::separateCopies(Module &module)
{
    Separation separation;
    SmallVector<Function *, 16> written;
    for (Function &f : module)
        written.push_back(&f);
    for (Function *f : written)
        separation.add(*f);
}

sluice::Kernels::Kernels(const Module &module)
{
    for (const Function &f : module)
        if (!f.isDeclaration() && f.hasFnAttribute(SL_KERNEL_ATTRIBUTE))
            addAll(f, parts.emplace_back());
}

bool sluice::Kernels::join(const Function &a, const Function &b) const
{
    return any_of(parts, [&](const Functions &of) { return of.contains(&a) && of.contains(&b); });
}
