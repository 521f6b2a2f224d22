/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The module is as the front end made it: conditions of loops stand in front. */
#include "llvm/loops/loop_marks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "sluice/module.h"

using namespace llvm;

namespace
{

FunctionCallee declareMark(Module &module, const char *name)
{
    LLVMContext &context = module.getContext();
    Type *number = Type::getInt32Ty(context);
    FunctionCallee mark = module.getOrInsertFunction(
        name, FunctionType::get(Type::getVoidTy(context), {number, number, number}, false));
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

class Marker
{
  public:
    Marker(Function &f, FunctionCallee callee) : mark(callee), dominators(f), loops(dominators)
    {
        for (Loop *loop : loops.getLoopsInPreorder())
            if (const DebugLoc place = loop->getStartLoc())
                list.push_back({loop, place});
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
    }

  private:
    struct Row {
        Loop *loop;
        DebugLoc place;
    };

    void put(BasicBlock::iterator before, const Row &row, enum sl_loop_mark what)
    {
        IRBuilder<> builder(before->getParent(), before);
        builder.SetCurrentDebugLocation(row.place);
        builder.CreateCall(mark, {builder.getInt32(what), builder.getInt32(row.place.getLine()),
                                  builder.getInt32(row.place.getCol())});
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

    /* The block that asks it; nullptr: none does at the top of the loop. */
    BasicBlock *question(const Loop &loop) const
    {
        enum { Most = 16 }; /* parts of a condition */
        BasicBlock *asks = loop.getHeader();
        for (int parts = 0; asks && !loop.isLoopExiting(asks); parts++) {
            asks = parts < Most ? behindChoice(loop, *asks) : nullptr;
            if (asks && loops.getLoopFor(asks) != &loop)
                return nullptr;
        }
        const auto *branch = asks ? dyn_cast<BranchInst>(asks->getTerminator()) : nullptr;
        return branch && branch->isConditional() && !loop.isLoopLatch(asks) ? asks : nullptr;
    }

    void end(const Row &row)
    {
        SmallVector<BasicBlock *, 8> exits;
        row.loop->getUniqueExitBlocks(exits);
        for (BasicBlock *block : exits)
            put(block->getFirstInsertionPt(), row, SL_LOOP_ENDS);
    }

    FunctionCallee mark;
    DominatorTree dominators;
    LoopInfo loops;
    SmallVector<Row, 8> list;
};

} // namespace

void sl_llvm_mark_loops(LLVMModuleRef handle, const char *name)
{
    Module &module = *unwrap(handle);
    const FunctionCallee mark = declareMark(module, name);
    for (Function &f : module)
        if (!f.isDeclaration())
            Marker(f, mark).run();
}
