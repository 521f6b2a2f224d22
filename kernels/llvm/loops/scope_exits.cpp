/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/scope_exits.h"

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
                if (isEndOfScope(block))
                    ends.push_back(&block);
            for (BasicBlock *end : ends)
                any |= separate(*end);
            EliminateUnreachableBlocks(function);
        }
    }

  private:
    enum {
        Most = 4096, /* copies in a function: else it stays as it is */
        /* The number that the front end gives the way to the function's end, the first one that it
         * makes. Ways by `break` stay: apart, they would be questions at a loop's top, and loops of
         * LLVM's that it turns around, with what is in front of the question at their end. */
        Return = 1
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

    /* All that happens there is over when it ends. */
    bool isEndOfScope(BasicBlock &block) const
    {
        const auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
        const auto *number = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
        const AllocaInst *slot = number ? slotOf(number->getPointerOperand()) : nullptr;
        return slot && number->getParent() == &block && all_of(block, [&](const Instruction &i) {
                   const auto *store = dyn_cast<StoreInst>(&i);
                   return !isa<PHINode>(i) && !(store && store->getPointerOperand() == slot) &&
                          all_of(i.users(), [&](const User *user) {
                              return cast<Instruction>(user)->getParent() == &block;
                          });
               });
    }

    /* The exit's number if the block ends with one way only; nullptr: nobody knows. */
    static ConstantInt *numberBehind(BasicBlock &block, const AllocaInst &slot)
    {
        if (!block.getSingleSuccessor() || !isa<BranchInst>(block.getTerminator()))
            return nullptr;
        for (Instruction &i : reverse(block))
            if (auto *store = dyn_cast<StoreInst>(&i); store && store->getPointerOperand() == &slot)
                return dyn_cast<ConstantInt>(store->getValueOperand());
        return nullptr;
    }

    bool separate(BasicBlock &end)
    {
        auto &choice = *cast<SwitchInst>(end.getTerminator());
        AllocaInst &slot = *slotOf(cast<LoadInst>(choice.getCondition())->getPointerOperand());
        bool any = false;
        for (BasicBlock *from : SmallVector<BasicBlock *, 8>(predecessors(&end)))
            if (ConstantInt *number = numberBehind(*from, slot);
                number && number->equalsInt(Return) && copies < Most) {
                goOn(*from, end, *number, slot);
                any = true;
            }
        return any;
    }

    /* By a copy of the scope's end that knows where it leads. */
    void goOn(BasicBlock &from, BasicBlock &end, ConstantInt &number, AllocaInst &slot)
    {
        BasicBlock *to =
            cast<SwitchInst>(end.getTerminator())->findCaseValue(&number)->getCaseSuccessor();
        ValueToValueMapTy map;
        BasicBlock *own = CloneBasicBlock(&end, map, "", &function);
        remapInstructionsInBlocks({own}, map);
        Instruction *choice = own->getTerminator();
        IRBuilder<> builder(choice);
        builder.CreateStore(&number, &slot);
        builder.CreateBr(to);
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
