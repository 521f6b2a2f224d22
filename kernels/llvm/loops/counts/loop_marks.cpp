/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The module is as the front end made it: conditions of loops stand in front. */
#include "llvm/loops/counts/loop_marks.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "sluice/module.h"
#include "llvm/llvm_extra.h"

using namespace llvm;

namespace
{

FunctionCallee declareMark(Module &module, const char *name)
{
    LLVMContext &context = module.getContext();
    Type *number = Type::getInt32Ty(context);
    FunctionCallee mark = module.getOrInsertFunction(
        name, FunctionType::get(Type::getVoidTy(context),
                                {number, number, number, Type::getInt64Ty(context)}, false));
    auto *f = cast<Function>(mark.getCallee());
    f->addFnAttr(Attribute::NoUnwind);
    return mark;
}

/* Nothing of the program happens in it that could not be done twice. */
bool isQuiet(const BasicBlock &block)
{
    for (const Instruction &i : block)
        if (!i.isDebugOrPseudoInst() && (isa<CallBase>(i) || isa<StoreInst>(i)))
            return false;
    return true;
}

/* Where "a && b" comes together again if the block asks for a. */
BasicBlock *behindChoice(const Loop &loop, const BasicBlock &block)
{
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional())
        return nullptr;
    for (unsigned side = 0; side < 2; side++) {
        BasicBlock *second = branch->getSuccessor(side), *joined = branch->getSuccessor(1 - side);
        if (second != joined && second->getSinglePredecessor() == &block &&
            second->getSingleSuccessor() == joined && isQuiet(*second) && loop.contains(joined) &&
            joined != loop.getHeader())
            return joined;
    }
    return nullptr;
}

/* Behind that question an iteration has nothing more: it is the end of the loop. */
bool asksAtEnd(const Loop &loop, const BasicBlock &asks)
{
    const BasicBlock *last = loop.getLoopLatch();
    while (last && last != &asks && last->sizeWithoutDebug() == 1 && last->getSingleSuccessor())
        last = last->getSinglePredecessor();
    return last == &asks;
}

uint64_t numberOf(const DebugLoc &place)
{
    return (uint64_t)place.getLine() << 32 | place.getCol();
}

/* What all functions of a module have in common. */
class Marking
{
  public:
    Marking(Module &module, const sl_loop_marking &wishes)
        : mark(declareMark(module, wishes.mark)), isQuiet(wishes.is_quiet), meets(wishes.meets),
          isPipeOperation(wishes.is_pipe_operation)
    {
        places.insert(wishes.places, wishes.places + wishes.place_count);
        for (size_t i = 0; i < wishes.place_count; i++) {
            if (wishes.unrolled[i] > 1)
                unrolled[wishes.places[i]] = wishes.unrolled[i];
            if (wishes.alone[i])
                alone.insert(wishes.places[i]);
        }
    }

    /* Of a kernel: its work-items are iterations, and this is its place; else 0. */
    unsigned lineOfItems(const Function &f) const
    {
        const DISubprogram *place = f.getSubprogram();
        const uint64_t line = place ? place->getLine() : 0;
        return f.hasFnAttribute(SL_KERNEL_ATTRIBUTE) && places.contains(line << 32) ? unsigned(line)
                                                                                    : 0;
    }

    bool isMeeting(const Instruction &i) const
    {
        const auto *call = dyn_cast<CallBase>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        return callee && meets(callee->getName().str().c_str());
    }
    /* In it, or in a function that it calls. */
    bool areMeetings(const BasicBlock &block, unsigned depth = 0)
    {
        return any_of(block, [&](const Instruction &i) {
            const auto *call = dyn_cast<CallBase>(&i);
            const Function *callee = call ? call->getCalledFunction() : nullptr;
            return isMeeting(i) || (callee && areMeetings(*callee, depth));
        });
    }
    bool areMeetings(const Function &f, unsigned depth)
    {
        if (f.isDeclaration() || depth == Deepest)
            return false;
        if (auto known = meeting.find(&f); known != meeting.end())
            return known->second;
        const bool are =
            any_of(f, [&](const BasicBlock &block) { return areMeetings(block, depth + 1); });
        meeting[&f] = are;
        return are;
    }

    /* Work-items of the kernel: they meet, or several are side by side or in copies of it. */
    bool areNumbered(const Function &kernel)
    {
        return kernel.hasFnAttribute("sl-num-simd-work-items") ||
               kernel.hasFnAttribute("sl-num-compute-units") || areMeetings(kernel, 0);
    }

    unsigned timesUnrolled(const DebugLoc &place) const
    {
        const auto found = unrolled.find(numberOf(place));
        return found == unrolled.end() ? 1 : found->second;
    }

    bool isAlone(const DebugLoc &place) const
    {
        return alone.contains(numberOf(place));
    }

    bool wants(const DebugLoc &place) const
    {
        return place && places.contains(numberOf(place));
    }

    /* Of code without loops of its own: a clock hears of nothing in it. */
    bool areQuiet(iterator_range<Function::iterator> blocks, unsigned depth = 0)
    {
        return all_of(blocks, [&](const BasicBlock &block) { return areQuiet(block, depth); });
    }
    bool areQuiet(const BasicBlock &block, unsigned depth = 0)
    {
        return all_of(block, [&](const Instruction &i) {
            const auto *call = dyn_cast<CallBase>(&i);
            return !call || i.isDebugOrPseudoInst() || isa<IntrinsicInst>(i) ||
                   isQuietFunction(call->getCalledFunction(), depth);
        });
    }

    /* Nothing in it moves a packet, or is a loop: LLVM's rotation may have it twice, in front of
     * the first round and at the end of each. */
    bool isStraight(const BasicBlock &block, unsigned depth = 0)
    {
        return all_of(block, [&](const Instruction &i) {
            const auto *call = dyn_cast<CallBase>(&i);
            return !call || isStraight(call->getCalledFunction(), depth);
        });
    }

    const FunctionCallee mark;

  private:
    enum { Deepest = 8 };

    bool isStraight(Function *f, unsigned depth)
    {
        bool write = false;
        if (!f || depth == Deepest)
            return false;
        if (f->isDeclaration())
            return !isPipeOperation(f->getName().str().c_str(), &write);
        if (auto known = straight.find(f); known != straight.end())
            return known->second;
        const DominatorTree dominators(*f);
        const bool is = LoopInfo(dominators).empty() && all_of(*f, [&](const BasicBlock &block) {
                            return isStraight(block, depth + 1);
                        });
        straight[f] = is;
        return is;
    }

    bool isQuietFunction(Function *f, unsigned depth)
    {
        if (!f || depth == Deepest)
            return false;
        if (f->isDeclaration())
            return isQuiet(f->getName().str().c_str());
        if (auto known = quiet.find(f); known != quiet.end())
            return known->second;
        const DominatorTree dominators(*f);
        const bool is =
            LoopInfo(dominators).empty() && areQuiet(make_range(f->begin(), f->end()), depth + 1);
        quiet[f] = is;
        return is;
    }

    bool (*isQuiet)(const char *), (*meets)(const char *);
    bool (*isPipeOperation)(const char *, bool *);
    DenseSet<uint64_t> places, alone;
    DenseMap<uint64_t, unsigned> unrolled;
    DenseMap<const Function *, bool> quiet, meeting, straight;
};

class Marker
{
  public:
    Marker(Function &f, Marking &what)
        : function(f), marking(what), dominators(f), loops(dominators)
    {
        const bool items = marking.lineOfItems(f) != 0 || !f.hasFnAttribute(SL_KERNEL_ATTRIBUTE);
        for (Loop *loop : loops.getLoopsInPreorder())
            if (const DebugLoc place = loop->getStartLoc();
                marking.wants(place) && !(items && areMeetingsIn(*loop)))
                list.push_back({loop, place, countIfQuiet(f, *loop)});
    }

    /* Ends last: a block may end one loop and begin another. */
    void run()
    {
        for (const Row &row : list)
            begin(row);
        for (const Row &row : list)
            iterate(row);
        for (const Row &row : list)
            end(row);
        beginItems(marking.lineOfItems(function));
    }

  private:
    struct Row {
        Loop *loop;
        DebugLoc place;
        /* Of a loop that is told of at its end, or nullptr: iterations and 1; 0: not in it. */
        AllocaInst *count;
    };

    bool areMeetingsIn(const Loop &loop)
    {
        return any_of(loop.blocks(),
                      [&](const BasicBlock *block) { return marking.areMeetings(*block); });
    }

    /* The loop has no loop inside, and nothing but iterations to tell of. */
    AllocaInst *countIfQuiet(Function &f, const Loop &loop)
    {
        const bool quiet =
            loop.isInnermost() && all_of(loop.blocks(), [&](const BasicBlock *block) {
                return marking.areQuiet(*block);
            });
        if (!quiet)
            return nullptr;
        IRBuilder<> builder(&f.getEntryBlock(), f.getEntryBlock().begin());
        AllocaInst *count = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "iterations");
        builder.CreateStore(builder.getInt64(0), count);
        return count;
    }

    /* Of iterations and 1: how many `times` of them are, and 1; 0 stays. */
    static Value *together(IRBuilder<> &builder, Value *count, unsigned times)
    {
        if (times == 1)
            return count;
        Value *sum = builder.CreateAdd(count, builder.getInt64(2 * times - 2));
        Value *any = builder.CreateICmpNE(count, builder.getInt64(0));
        Value *none = builder.getInt64(0);
        return builder.CreateSelect(any, builder.CreateUDiv(sum, builder.getInt64(times)), none);
    }

    void put(BasicBlock::iterator before, const Row &row, enum sl_loop_mark what)
    {
        IRBuilder<> builder(before->getParent(), before);
        Value *count = builder.getInt64(0);
        builder.SetCurrentDebugLocation(row.place);
        if (row.count && what == SL_LOOP_BEGINS) {
            builder.CreateStore(builder.getInt64(1), row.count);
            return;
        }
        if (row.count) {
            count = builder.CreateLoad(count->getType(), row.count);
            if (what == SL_LOOP_ITERATES) {
                builder.CreateStore(builder.CreateAdd(count, builder.getInt64(1)), row.count);
                return;
            }
            builder.CreateStore(builder.getInt64(0), row.count);
            count = together(builder, count, marking.timesUnrolled(row.place));
            what = SL_LOOP_IS_THROUGH;
        }
        CallInst *told = builder.CreateCall(
            marking.mark, {builder.getInt32(what), builder.getInt32(row.place.getLine()),
                           builder.getInt32(row.place.getCol()), count});
        if (marking.isAlone(row.place))
            told->setMetadata(SL_LOOP_MARK_ALONE, MDNode::get(function.getContext(), {}));
    }

    /* At the end of each block that leads into the loop; one that leads elsewhere as well is
     * divided. */
    void begin(const Row &row)
    {
        BasicBlock *header = row.loop->getHeader();
        SmallVector<BasicBlock *, 4> outside;
        for (BasicBlock *from : predecessors(header))
            if (!row.loop->contains(from) && !is_contained(outside, from))
                outside.push_back(from);
        for (BasicBlock *from : outside) {
            BasicBlock *at = from;
            if (!from->getSingleSuccessor())
                at = SplitEdge(from, header, &dominators, &loops);
            put(at->getTerminator()->getIterator(), row, SL_LOOP_BEGINS);
        }
    }

    /* Behind the question whether there is another one, if that comes first: where LLVM's
     * rotation of loops has the begin of an iteration. */
    void iterate(const Row &row)
    {
        BasicBlock *to = row.loop->getHeader(), *asks = question(*row.loop);
        if (asks) {
            const auto *branch = cast<BranchInst>(asks->getTerminator());
            to = branch->getSuccessor(row.loop->contains(branch->getSuccessor(0)) ? 0 : 1);
            if (!to->getSinglePredecessor())
                to = SplitEdge(asks, to, &dominators, &loops);
        }
        put(to->getFirstInsertionPt(), row, SL_LOOP_ITERATES);
    }

    /* Of blocks that are but one, the last one; nullptr: something is in front of its end that no
     * question is asked behind (isStraight). */
    BasicBlock *endOfRow(const Loop &loop, BasicBlock *block) const
    {
        while (block && marking.isStraight(*block)) {
            BasicBlock *next = block->getSingleSuccessor();
            if (!next || !next->getSinglePredecessor() || !loop.contains(next))
                return block;
            block = next;
        }
        return nullptr;
    }

    /* The block that asks it; nullptr: none does at the top of the loop only. */
    BasicBlock *question(const Loop &loop) const
    {
        enum { Most = 16 }; /* parts of a condition */
        BasicBlock *asks = endOfRow(loop, loop.getHeader());
        for (int parts = 0; asks && !loop.isLoopExiting(asks); parts++) {
            asks = parts < Most ? endOfRow(loop, behindChoice(loop, *asks)) : nullptr;
            if (asks && loops.getLoopFor(asks) != &loop)
                return nullptr;
        }
        const auto *branch = asks ? dyn_cast<BranchInst>(asks->getTerminator()) : nullptr;
        return branch && branch->isConditional() && !asksAtEnd(loop, *asks) ? asks : nullptr;
    }

    void end(const Row &row)
    {
        SmallVector<BasicBlock *, 8> exits;
        row.loop->getUniqueExitBlocks(exits);
        for (BasicBlock *block : exits) {
            BasicBlock *at = row.count ? inEachRound(*row.loop, block) : block;
            put(at->getFirstInsertionPt(), row, SL_LOOP_ENDS);
        }
    }

    /* Each round of the loop goes through the block. */
    bool isInEachRound(const Loop &loop, const BasicBlock *block) const
    {
        return all_of(predecessors(loop.getHeader()), [&](const BasicBlock *from) {
            return !loop.contains(from) || dominators.dominates(block, from);
        });
    }

    /* A loop that is told of at its end may stand behind a condition: where that is over it is told
     * of as well, if a clock hears of nothing in between, for whoever has not been in it tells of
     * nothing. So each round of the loop around it tells of the same loops. */
    BasicBlock *inEachRound(const Loop &inner, BasicBlock *block)
    {
        const Loop *around = inner.getParentLoop();
        BasicBlock *at = block;
        while (around && !isInEachRound(*around, at)) {
            BasicBlock *next = at->getSingleSuccessor();
            if (loops.getLoopFor(at) != around || !next || loops.getLoopFor(next) != around ||
                next == around->getHeader() || !marking.areQuiet(*at))
                return block;
            at = next;
        }
        return around ? at : block;
    }

    /* `line`: of a kernel whose work-items anybody wants to hear of; else 0. Functions that kernels
     * call may have meetings as well. */
    void beginItems(unsigned line)
    {
        SmallVector<Instruction *, 4> meetings;
        const bool isKernel = function.hasFnAttribute(SL_KERNEL_ATTRIBUTE);
        for (BasicBlock &block : function)
            for (Instruction &i : block)
                if (marking.isMeeting(i) && (line || !isKernel))
                    meetings.push_back(&i);
        if (line) {
            const DebugLoc place =
                DILocation::get(function.getContext(), line, 0, function.getSubprogram());
            beginItem(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), place,
                      marking.areNumbered(function));
        }
        for (Instruction *i : meetings)
            beginItem(std::next(i->getIterator()), i->getDebugLoc(), true, true);
    }

    /* The kernel's begin is in column 0, which those where LLVM knows none must not seem to be. */
    void beginItem(BasicBlock::iterator before, const DebugLoc &place, bool numbered,
                   bool meeting = false)
    {
        IRBuilder<> builder(before->getParent(), before);
        builder.SetCurrentDebugLocation(place);
        Value *number = builder.getInt64(0);
        const unsigned column = std::max(place ? place.getCol() : 0, meeting ? 1u : 0u);
        if (numbered)
            number = builder.CreateCall(function.getParent()->getOrInsertFunction(
                "_Z19get_local_linear_idv", number->getType()));
        builder.CreateCall(marking.mark, {builder.getInt32(SL_LOOP_IS_ITEM),
                                          builder.getInt32(place ? place.getLine() : 0),
                                          builder.getInt32(column), number});
    }

    Function &function;
    Marking &marking;
    DominatorTree dominators;
    LoopInfo loops;
    SmallVector<Row, 8> list;
};

} // namespace

void sl_llvm_mark_loops(LLVMModuleRef handle, const struct sl_loop_marking *wishes)
{
    Module &module = *unwrap(handle);
    Marking marking(module, *wishes);
    for (Function &f : module)
        if (!f.isDeclaration())
            Marker(f, marking).run();
}
