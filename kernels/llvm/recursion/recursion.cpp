/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. All of this runs for programs with recursion only, which OpenCL C forbids and
 * other compilers take. Each round loosens the circles it finds; a round that changes nothing is
 * the last. No locks.
 */
#include "llvm/recursion/recursion.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <map>

#include "llvm/recursion/recursion_tools.h"

using namespace llvm;
using namespace sluice;

namespace
{

constexpr unsigned mostVersions = 256; /* of one function, for constants */
constexpr size_t mostCode = 30000;     /* instructions more than there were */
constexpr unsigned mostRounds = 256;

void addCallees(Function &f, SmallSetVector<Function *, 16> &all)
{
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i))
            if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
                all.insert(callee);
}

class Untangler
{
  public:
    Untangler(Module &code, bool (*builtins)(const char *))
        : module(code), isBuiltin(builtins), codeLimit(codeSize(code) + mostCode)
    {
    }

    void run()
    {
        bool changed = true;
        for (unsigned round = 0; changed && round < mostRounds; round++) {
            changed = false;
            const std::vector<Circle> circles = findCircles(module);
            inCircles.clear();
            for (const Circle &circle : circles)
                inCircles.insert(circle.begin(), circle.end());
            for (const Circle &circle : circles)
                if (none_of(circle, [](Function *f) { return isKernel(*f); }))
                    changed |= loosen(circle);
        }
    }

  private:
    bool loosen(const Circle &circle)
    {
        for (Function *f : circle) {
            forgetLives(*f);
            passes.simplify(*f);
        }
        findKept(circle);
        if (circle.size() > 1 && mergeOne(circle)) /* a loop that calls others is none to merge */
            return true;
        bool changed = false;
        for (Function *f : circle)
            if (callsItself(*f) && becomesLoop(*f)) {
                passes.endTailCalls(*f);
                passes.simplify(*f);
                changed = true;
            }
        return changed || (circle.size() == 1 && specialize(*circle[0]));
    }

    /* A call cannot be a jump while somebody may know where this turn's variables are. */
    void findKept(const Circle &circle)
    {
        SmallSetVector<Function *, 16> reached;
        for (Function *f : circle)
            addCallees(*f, reached);
        for (size_t i = 0; i < reached.size(); i++)
            addCallees(*reached[i], reached);
        for (Function *f : reverse(reached)) {
            if (!is_contained(circle, f))
                passes.simplify(*f);
            promiseNotKept(*f, isBuiltin);
        }
        for (Function *f : circle)
            promiseNotKept(*f, isBuiltin);
    }

    /* Where variables end would stand between calls and returns. */
    static void forgetLives(Function &f)
    {
        for (Instruction &i : make_early_inc_range(instructions(f)))
            if (i.isLifetimeStartOrEnd())
                i.eraseFromParent();
    }

    /* Of all its calls of itself or of none: what half a loop does ends with no constant. */
    bool becomesLoop(Function &f)
    {
        ValueToValueMapTy map;
        Function *trial = CloneFunction(&f, map);
        for (CallInst *call : callsIn(f, *trial))
            call->setCalledFunction(trial);
        passes.endTailCalls(*trial);
        const bool done = !callsItself(*trial);
        passes.leave(*trial);
        trial->eraseFromParent();
        return done;
    }

    /* All calls of one that does not call itself become its code: of one that nobody else calls, if
     * there is such a one. */
    bool mergeOne(const Circle &circle)
    {
        Circle order = circle;
        stable_sort(order, [&](Function *a, Function *b) {
            return isOnlyCalledFrom(circle, *a) && !isOnlyCalledFrom(circle, *b);
        });
        for (Function *f : order)
            if (!callsItself(*f) && putInto(*f, callsFrom(*f, circle)))
                return true;
        return false;
    }

    static bool isOnlyCalledFrom(const Circle &circle, Function &f)
    {
        return callsFrom(f, circle).size() == callsOf(f).size();
    }

    static Calls callsFrom(Function &callee, const Circle &circle)
    {
        Calls calls = callsOf(callee);
        erase_if(calls, [&](CallInst *call) { return !is_contained(circle, call->getFunction()); });
        return calls;
    }

    bool putInto(Function &f, const Calls &calls)
    {
        if (codeSize(module) + calls.size() * f.getInstructionCount() > codeLimit)
            return false;
        for (CallInst *call : calls) {
            InlineFunctionInfo info;
            if (!InlineFunction(*call, info).isSuccess())
                return false;
        }
        leaveIfUnused(f);
        return true;
    }

    /* Functions that nobody called before are nobody's business here. */
    static void leaveIfUnused(Function &f)
    {
        if (none_of(callsOf(f), [&](CallInst *call) { return call->getFunction() != &f; }))
            f.addFnAttr(SL_LEFT_OVER_ATTRIBUTE);
    }

    /* ---- versions for constants ---- */

    using Key = std::vector<Constant *>; /* one for each argument; nullptr: not constant */

    bool specialize(Function &f)
    {
        if (versionsMade.contains(&f) || !bringToRoots(f))
            return false;
        std::map<Key, Function *> versions;
        Calls calls = callsFromOutside(f);
        if (calls.empty() || !allHaveConstants(calls))
            return false;
        while (!calls.empty()) {
            CallInst *call = calls.pop_back_val();
            Function *&version = versions[keyOf(*call)];
            if (!version) {
                if (versions.size() > mostVersions || codeSize(module) > codeLimit)
                    return false;
                version = makeVersion(f, *call);
                Calls more = callsIn(f, *version);
                if (!allHaveConstants(more))
                    return false;
                calls.append(more);
            }
            call->setCalledFunction(version);
        }
        leaveIfUnused(f);
        return true;
    }

    static Calls callsFromOutside(Function &f)
    {
        Calls calls = callsOf(f);
        erase_if(calls, [&](CallInst *call) { return call->getFunction() == &f; });
        return calls;
    }

    static Calls callsIn(Function &callee, Function &caller)
    {
        Calls calls = callsOf(callee);
        erase_if(calls, [&](CallInst *call) { return call->getFunction() != &caller; });
        return calls;
    }

    static Key keyOf(const CallInst &call)
    {
        Key key;
        for (const Use &argument : call.args())
            key.push_back(dyn_cast<Constant>(argument.get()));
        return key;
    }

    static bool allHaveConstants(const Calls &calls)
    {
        return all_of(calls, [](CallInst *call) {
            return any_of(keyOf(*call), [](Constant *value) { return value; });
        });
    }

    Function *makeVersion(Function &f, CallInst &call)
    {
        ValueToValueMapTy map;
        Function *version = CloneFunction(&f, map);
        version->setLinkage(GlobalValue::InternalLinkage);
        version->setVisibility(GlobalValue::DefaultVisibility);
        version->setComdat(nullptr);
        for (auto [argument, value] : zip(version->args(), call.args()))
            if (isa<Constant>(value) && !argument.hasByValAttr())
                argument.replaceAllUsesWith(value);
        versionsMade.insert(version);
        passes.simplify(*version);
        return version;
    }

    /* The constants are where kernels are: functions on the way there are put into their callers.
     */
    bool bringToRoots(Function &f)
    {
        for (unsigned round = 0; round < mostRounds; round++) {
            SmallPtrSet<Function *, 8> between;
            for (CallInst *call : callsFromOutside(f)) {
                Function *caller = call->getFunction();
                if (inCircles.contains(caller)) /* its turn comes, in this round or the next */
                    return false;
                if (!isKernel(*caller) && !callsOf(*caller).empty())
                    between.insert(caller);
            }
            if (between.empty())
                break;
            for (Function *caller : between)
                if (!putInto(*caller, callsOf(*caller)))
                    return false;
        }
        SmallPtrSet<Function *, 8> roots;
        for (CallInst *call : callsFromOutside(f))
            roots.insert(call->getFunction());
        for (Function *root : roots)
            passes.simplify(*root);
        return true;
    }

    Module &module;
    bool (*isBuiltin)(const char *);
    const size_t codeLimit;
    RecursionPasses passes;
    SmallPtrSet<Function *, 8> inCircles; /* of this round */
    SmallPtrSet<Function *, 32> versionsMade;
};

} // namespace

void sl_untangle_recursion(LLVMModuleRef module, bool (*is_builtin)(const char *name))
{
    Untangler(*unwrap(module), is_builtin).run();
}

/* ---- what nobody needs any longer ------------------------------------------------------------ */

void sl_drop_left_over(LLVMModuleRef handle)
{
    Module &module = *unwrap(handle);
    for (bool changed = true; changed;) {
        changed = false;
        for (Function &f : module)
            if (isLeftOver(f) && !callsOf(f).empty()) {
                f.removeFnAttr(SL_LEFT_OVER_ATTRIBUTE); /* another object has a call */
                changed = true;
            }
    }
    SmallVector<Function *, 8> unused;
    for (Function &f : module)
        if (isLeftOver(f))
            unused.push_back(&f);
    for (Function *f : unused)
        f->dropAllReferences();
    for (Function *f : unused)
        if (f->use_empty())
            f->eraseFromParent();
}
