/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/unrolled_loops.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

constexpr const char *Mark = "sl.unrolled.round";
constexpr const char *Times = "sl.unrolled", *Rest = "sl.unrolled.rest", *Kept = "sl.unrolled.not";

FunctionCallee declareMark(Module &module)
{
    LLVMContext &context = module.getContext();
    FunctionCallee mark = module.getOrInsertFunction(
        Mark, FunctionType::get(Type::getVoidTy(context), {Type::getInt32Ty(context)}, false));
    auto *f = cast<Function>(mark.getCallee());
    f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    f->addFnAttr(Attribute::NoUnwind);
    f->addFnAttr(Attribute::WillReturn);
    return mark;
}

struct Copy {
    Loop *loop;
    unsigned marks;
};

/* The number in such a call; 0: it is none. */
uint64_t numberIn(const Instruction &i, const Function &mark)
{
    const auto *call = dyn_cast<CallInst>(&i);
    return call && call->getCalledFunction() == &mark
               ? cast<ConstantInt>(call->getArgOperand(0))->getZExtValue()
               : 0;
}

/* The loop's own stands first in its header, in front of those of loops that are gone. */
uint64_t numberOf(const Loop &loop, const Function &mark)
{
    for (const Instruction &i : *loop.getHeader())
        if (const uint64_t number = numberIn(i, mark))
            return number;
    return 0;
}

/* Calls of that number in the loop, and in no loop inside. */
unsigned countMarks(const Loop &loop, const LoopInfo &loops, const Function &mark, uint64_t number)
{
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block)
            count += loops.getLoopFor(block) == &loop && numberIn(i, mark) == number;
    return count;
}

void countIn(Function &f, const Function &mark)
{
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    DenseMap<uint64_t, SmallVector<Copy, 2>> copies;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (const uint64_t number = numberOf(*loop, mark))
            copies[number].push_back({loop, countMarks(*loop, loops, mark, number)});
    for (auto &[number, all] : copies) {
        unsigned most = 1;
        for (const Copy &copy : all)
            most = std::max(most, copy.marks);
        for (const Copy &copy : all)
            if (most > 1)
                addStringMetadataToLoop(copy.loop, copy.marks == most ? Times : Rest, most);
    }
}

} // namespace

void markUnrolledLoops(Module &module)
{
    unsigned number = 0;
    for (Function &f : module) {
        if (f.isDeclaration())
            continue;
        const DominatorTree dominators(f);
        const LoopInfo loops(dominators);
        for (Loop *loop : loops.getLoopsInPreorder()) {
            IRBuilder<> builder(loop->getHeader(), loop->getHeader()->getFirstInsertionPt());
            builder.CreateCall(declareMark(module), {builder.getInt32(++number)});
        }
    }
}

void countUnrolledLoops(Module &module)
{
    Function *mark = module.getFunction(Mark);
    if (!mark)
        return;
    for (Function &f : module)
        if (!f.isDeclaration())
            countIn(f, *mark);
    while (!mark->use_empty())
        cast<CallInst>(mark->user_back())->eraseFromParent();
    mark->eraseFromParent();
}

unsigned unrolledTimes(const Loop &loop)
{
    return unsigned(getOptionalIntLoopAttribute(&loop, Times).value_or(1));
}

void keepRolled(Loop &loop)
{
    loop.setLoopAlreadyUnrolled();
    addStringMetadataToLoop(&loop, Kept, 1);
}

bool isKeptRolled(const Loop &loop)
{
    return getOptionalIntLoopAttribute(&loop, Kept).has_value();
}

bool isRemainder(const Loop &loop)
{
    return getOptionalIntLoopAttribute(&loop, Rest).has_value();
}
