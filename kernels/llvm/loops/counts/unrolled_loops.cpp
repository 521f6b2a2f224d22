/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/unrolled_loops.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "llvm/loops/counts/loop_names.h"

using namespace llvm;

namespace
{

constexpr const char *Mark = "sl.unrolled.round";
constexpr const char *Times = "sl.unrolled", *Rest = "sl.unrolled.rest", *Kept = "sl.unrolled.not";
constexpr const char *Copies = "sl.unrolled.copies"; /* how many; 1: in turn; of each loop around:
                                                        line, column, number, of */
enum MarkOperand { Number, Around, Line, Column, OperandCount }; /* around: that loop's number */

FunctionCallee declareMark(Module &module)
{
    LLVMContext &context = module.getContext();
    const SmallVector<Type *, OperandCount> numbers(OperandCount, Type::getInt32Ty(context));
    FunctionCallee mark = module.getOrInsertFunction(
        Mark, FunctionType::get(Type::getVoidTy(context), numbers, false));
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

unsigned operandOf(const CallInst &call, MarkOperand operand)
{
    return unsigned(cast<ConstantInt>(call.getArgOperand(operand))->getZExtValue());
}

/* nullptr: it is no such call. */
const CallInst *markIn(const Instruction &i, const Function &mark)
{
    const auto *call = dyn_cast<CallInst>(&i);
    return call && call->getCalledFunction() == &mark ? call : nullptr;
}

/* The number in such a call; 0: it is none. */
unsigned numberIn(const Instruction &i, const Function &mark)
{
    const CallInst *call = markIn(i, mark);
    return call ? operandOf(*call, Number) : 0;
}

/* The loop's own stands first in its header, in front of those of loops that are gone. */
unsigned numberOf(const Loop &loop, const Function &mark)
{
    for (const Instruction &i : *loop.getHeader())
        if (const unsigned number = numberIn(i, mark))
            return number;
    return 0;
}

/* Calls of that number in the loop, and in no loop inside. */
unsigned countMarks(const Loop &loop, const LoopInfo &loops, const Function &mark, unsigned number)
{
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block)
            count += loops.getLoopFor(block) == &loop && numberIn(i, mark) == number;
    return count;
}

/* Which iterations of loops around them, that were unrolled, loops are copies of. */
class Numbering
{
  public:
    Numbering(Function &f, const Function &of)
        : mark(of), dominators(f), after(f), loops(dominators)
    {
        for (const Instruction &i : instructions(f))
            if (const CallInst *call = markIn(i, mark))
                calls[operandOf(*call, Number)].push_back(call);
    }

    void run()
    {
        DenseMap<unsigned, SmallVector<Loop *, 4>> copies;
        for (Loop *loop : loops.getLoopsInPreorder())
            if (const unsigned number = isInRemainder(*loop) ? 0 : numberOf(*loop, mark))
                copies[number].push_back(loop);
        for (const auto &[number, all] : copies) {
            const bool inTurn = all_of(all, [&](Loop *loop) { return isAlwaysEntered(*loop); });
            for (Loop *loop : all)
                if (all.size() > 1)
                    note(*loop, unsigned(all.size()), inTurn);
        }
    }

  private:
    static bool isInRemainder(const Loop &loop)
    {
        const Loop *at = &loop;
        while (at && !isRemainder(*at))
            at = at->getParentLoop();
        return at != nullptr;
    }

    /* Whenever an iteration of the loop around it begins, or the function. */
    bool isAlwaysEntered(const Loop &loop) const
    {
        const Loop *around = loop.getParentLoop();
        const Function &f = *loop.getHeader()->getParent();
        return after.dominates(loop.getHeader(), around ? around->getHeader() : &f.getEntryBlock());
    }

    /* Numbers of loops of the source around it, from the inside outwards. */
    SmallVector<unsigned, 4> around(unsigned number) const
    {
        SmallVector<unsigned, 4> all;
        for (;;) {
            const auto found = calls.find(number);
            number = found == calls.end() ? 0 : operandOf(*found->second.front(), Around);
            if (!number)
                return all;
            all.push_back(number);
        }
    }

    const Loop *findAround(const Loop &loop, unsigned number) const
    {
        const Loop *at = loop.getParentLoop();
        while (at && numberOf(*at, mark) != number)
            at = at->getParentLoop();
        return at;
    }

    void note(Loop &loop, unsigned count, bool inTurn)
    {
        LLVMContext &context = loop.getHeader()->getContext();
        SmallVector<Metadata *, 8> operands = {MDString::get(context, Copies)};
        const auto add = [&](unsigned number) {
            operands.push_back(
                ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number)));
        };
        add(count);
        add(inTurn);
        const Instruction *at = &*loop.getHeader()->getFirstNonPHIIt();
        const CallInst *within = nullptr; /* where the iteration around begins */
        for (const unsigned number : reverse(around(numberOf(loop, mark)))) {
            unsigned before = 0;
            const CallInst *last = nullptr;
            for (const CallInst *call : calls[number]) {
                if (!dominators.dominates(call, at) ||
                    (within && !dominators.dominates(within, call)))
                    continue;
                before++;
                last = !last || dominators.dominates(last, call) ? call : last;
            }
            if (!last)
                continue;
            within = last;
            const Loop *left = findAround(loop, number);
            const unsigned of = left ? unrolledTimes(*left) : 0;
            if (of == 1) /* it is as it was */
                continue;
            add(operandOf(*last, Line));
            add(operandOf(*last, Column));
            add(before - 1);
            add(of);
        }
        addToName(loop, MDNode::get(context, operands));
    }

    static void addToName(Loop &loop, MDNode *more)
    {
        SmallVector<Metadata *, 8> operands = {nullptr};
        if (const MDNode *name = loop.getLoopID())
            for (unsigned i = 1; i < name->getNumOperands(); i++)
                operands.push_back(name->getOperand(i));
        operands.push_back(more);
        MDNode *name = MDNode::getDistinct(more->getContext(), operands);
        name->replaceOperandWith(0, name);
        loop.setLoopID(name);
    }

    const Function &mark;
    const DominatorTree dominators;
    const PostDominatorTree after;
    const LoopInfo loops;
    DenseMap<unsigned, SmallVector<const CallInst *, 4>> calls;
};

void countIn(Function &f, const Function &mark)
{
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    DenseMap<unsigned, SmallVector<Copy, 2>> copies;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (const unsigned number = numberOf(*loop, mark))
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
    unsigned count = 0;
    for (Function &f : module) {
        if (f.isDeclaration())
            continue;
        const DominatorTree dominators(f);
        const LoopInfo loops(dominators);
        DenseMap<const Loop *, unsigned> numbers;
        for (Loop *loop : loops.getLoopsInPreorder()) {
            const DILocation *place = sluice::placeOfLoop(*loop, loops);
            IRBuilder<> builder(loop->getHeader(), loop->getHeader()->getFirstInsertionPt());
            numbers[loop] = ++count;
            builder.CreateCall(declareMark(module),
                               {builder.getInt32(count),
                                builder.getInt32(numbers.lookup(loop->getParentLoop())),
                                builder.getInt32(place ? place->getLine() : 0),
                                builder.getInt32(place ? place->getColumn() : 0)});
        }
    }
}

void countUnrolledLoops(Module &module)
{
    Function *mark = module.getFunction(Mark);
    if (!mark)
        return;
    for (Function &f : module)
        if (!f.isDeclaration()) {
            countIn(f, *mark);
            Numbering(f, *mark).run();
        }
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

LoopCopies copiesOf(const Loop &loop)
{
    LoopCopies copies;
    const MDNode *node = findOptionMDForLoop(&loop, Copies);
    if (!node)
        return copies;
    const auto number = [&](unsigned i) {
        return unsigned(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
    };
    copies.count = number(1);
    copies.inTurn = number(2);
    for (unsigned i = 3; i + 4 <= node->getNumOperands(); i += 4)
        copies.around.push_back({number(i), number(i + 1), number(i + 2), number(i + 3)});
    return copies;
}
