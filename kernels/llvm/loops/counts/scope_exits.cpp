/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/scope_exits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace
{

class Exits
{
  public:
    explicit Exits(Function &f) : function(f)
    {
        for (Instruction &i : f.getEntryBlock())
            if (auto *slot = dyn_cast<AllocaInst>(&i); slot && isNumberOfExit(*slot))
                slots.push_back(slot);
    }

    /* What comes behind one scope may be the end of another one. */
    void separate()
    {
        if (slots.empty())
            return;
        for (bool any = true; any;) {
            any = false;
            SmallVector<BasicBlock *, 16> ends;
            for (BasicBlock &block : function)
                if (slotAsked(block))
                    ends.push_back(&block);
            for (BasicBlock *end : ends)
                any |= separate(*end);
            EliminateUnreachableBlocks(function);
        }
    }

  private:
    enum {
        Most = 4096, /* copies in a function: else it stays as it is */
        Deepest = 64 /* scopes that end at once */
    };

    /* The front end's: nothing but the numbers of the exits is put there. */
    static bool isNumberOfExit(const AllocaInst &slot)
    {
        return slot.getName().starts_with("cleanup.dest.slot") &&
               slot.getAllocatedType()->isIntegerTy() &&
               all_of(slot.users(), [&](const User *user) {
                   const auto *store = dyn_cast<StoreInst>(user);
                   const auto *load = dyn_cast<LoadInst>(user);
                   return store ? store->getPointerOperand() == &slot && store->isSimple()
                                : load && load->isSimple();
               });
    }

    AllocaInst *slotOf(const Value *pointer) const
    {
        const auto *found = find(slots, pointer);
        return found == slots.end() ? nullptr : *found;
    }

    /* The number that the end of a scope asks for, or that the next one does where all ways out
     * lead on to the end of the scope around it; nullptr: it is none. */
    AllocaInst *slotAsked(BasicBlock &block, unsigned depth = 0) const
    {
        const auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
        const auto *number = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
        AllocaInst *slot = nullptr;
        if (number && number->getParent() == &block)
            slot = slotOf(number->getPointerOperand());
        else if (endsVariables(block) && depth < Deepest)
            slot = slotAsked(*block.getSingleSuccessor(), depth + 1);
        return slot && isOver(block, *slot) ? slot : nullptr;
    }

    static bool endsVariables(const BasicBlock &block)
    {
        return block.getSingleSuccessor() && isa<BranchInst>(block.getTerminator()) &&
               block.hasNPredecessorsOrMore(2) && any_of(block, [](const Instruction &i) {
                   const auto *call = dyn_cast<IntrinsicInst>(&i);
                   return call && call->getIntrinsicID() == Intrinsic::lifetime_end;
               });
    }

    /* All that happens there is over when it ends, and the number stays as it is. */
    static bool isOver(const BasicBlock &block, const AllocaInst &slot)
    {
        return all_of(block, [&](const Instruction &i) {
            const auto *store = dyn_cast<StoreInst>(&i);
            return !isa<PHINode>(i) && !(store && store->getPointerOperand() == &slot) &&
                   all_of(i.users(), [&](const User *user) {
                       return cast<Instruction>(user)->getParent() == &block;
                   });
        });
    }

    /* The exit's number if the block ends with one way only; nullptr: nobody knows. */
    static ConstantInt *numberBehind(BasicBlock &last, const AllocaInst &slot)
    {
        BasicBlock *block = &last;
        for (unsigned n = 0; n < Deepest && block && block->getSingleSuccessor() &&
                             isa<BranchInst>(block->getTerminator());
             n++, block = block->getSinglePredecessor())
            for (Instruction &i : reverse(*block))
                if (auto *store = dyn_cast<StoreInst>(&i);
                    store && store->getPointerOperand() == &slot)
                    return dyn_cast<ConstantInt>(store->getValueOperand());
        return nullptr;
    }

    bool separate(BasicBlock &end)
    {
        AllocaInst *slot = slotAsked(end); /* by now it may have but one way in */
        bool any = false;
        if (!slot)
            return false;
        for (BasicBlock *from : SmallVector<BasicBlock *, 8>(predecessors(&end)))
            if (ConstantInt *number = numberBehind(*from, *slot); number && copies < Most) {
                goOn(*from, end, *number, *slot);
                any = true;
            }
        return any;
    }

    /* By a copy of the scope's end that knows where it leads. */
    void goOn(BasicBlock &from, BasicBlock &end, ConstantInt &number, AllocaInst &slot)
    {
        auto *asks = dyn_cast<SwitchInst>(end.getTerminator());
        BasicBlock *to =
            asks ? asks->findCaseValue(&number)->getCaseSuccessor() : end.getSingleSuccessor();
        ValueToValueMapTy map;
        BasicBlock *own = CloneBasicBlock(&end, map, "", &function);
        remapInstructionsInBlocks({own}, map);
        Instruction *choice = own->getTerminator();
        IRBuilder<> builder(choice);
        builder.CreateStore(&number, &slot);
        /* A way back to a loop's begin has the loop's name. */
        builder.CreateBr(to)->setMetadata(LLVMContext::MD_loop,
                                          from.getTerminator()->getMetadata(LLVMContext::MD_loop));
        from.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
        choice->eraseFromParent();
        for (PHINode &phi : to->phis())
            phi.addIncoming(phi.getIncomingValueForBlock(&end), own);
        from.getTerminator()->replaceSuccessorWith(&end, own);
        copies++;
    }

    Function &function;
    SmallVector<AllocaInst *, 2> slots;
    unsigned copies = 0;
};

} // namespace

void sluice::separateExits(Function &f)
{
    Exits(f).separate();
    removeUnreachableBlocks(f); /* of two ways it makes no switch any more */
}
