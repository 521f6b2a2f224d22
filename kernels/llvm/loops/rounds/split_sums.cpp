/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/split_sums.h"

#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace
{

constexpr unsigned none = ~0U;

struct Sums {
    BasicBlock *body;
    SmallVector<PHINode *, 64> phis;      /* in the order of what they become */
    DenseMap<Instruction *, unsigned> of; /* which of them it is a part of */
};

/* The block of a loop that has nothing to do but compute; NULL: it has more. */
BasicBlock *plainBody(const Loop &loop)
{
    BasicBlock *body = loop.getHeader();
    if (loop.getNumBlocks() != 1 || !loop.getLoopPreheader() || !loop.getUniqueExitBlock())
        return nullptr;
    const bool plain = all_of(*body, [](const Instruction &i) {
        const auto *load = dyn_cast<LoadInst>(&i);
        return load ? load->isSimple()
                    : (i.isTerminator() || !i.mayHaveSideEffects()) && !i.mayReadFromMemory() &&
                          !sluice::isCommon(i);
    });
    return plain ? body : nullptr;
}

Instruction *nextOf(const PHINode &phi)
{
    auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(phi.getParent()));
    return next && next->getParent() == phi.getParent() && !isa<PHINode>(next) ? next : nullptr;
}

/* False: something is made of two of them, or the loop's end or an address of one. */
bool follow(Sums &sums)
{
    for (unsigned n = 0; n < sums.phis.size(); n++)
        sums.of[sums.phis[n]] = n;
    for (Instruction &i : *sums.body) {
        if (isa<PHINode>(i))
            continue;
        unsigned part = none;
        for (Value *operand : i.operands()) {
            auto *from = dyn_cast<Instruction>(operand);
            const auto found = from ? sums.of.find(from) : sums.of.end();
            if (found == sums.of.end())
                continue;
            if (part != none && part != found->second)
                return false;
            part = found->second;
        }
        if (part == none)
            continue;
        if (i.isTerminator() || isa<LoadInst>(i))
            return false;
        sums.of[&i] = part;
    }
    return all_of(sums.body->phis(), [&](PHINode &phi) {
        auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(sums.body));
        const auto from = next ? sums.of.find(next) : sums.of.end(), to = sums.of.find(&phi);
        return to == sums.of.end() ? from == sums.of.end()
                                   : from != sums.of.end() && from->second == to->second;
    });
}

bool findSums(BasicBlock &body, Sums &sums)
{
    sums.body = &body;
    for (PHINode &phi : body.phis())
        if (phi.getType()->isFloatingPointTy() && nextOf(phi))
            sums.phis.push_back(&phi);
    sort(sums.phis,
         [](const PHINode *a, const PHINode *b) { return nextOf(*a)->comesBefore(nextOf(*b)); });
    return follow(sums);
}

/* The copy is a loop of its own for whoever looks at what was said of it. */
void nameLoop(Instruction &branch)
{
    const MDNode *old = branch.getMetadata(LLVMContext::MD_loop);
    if (!old)
        return;
    SmallVector<Metadata *, 4> parts(old->op_begin(), old->op_end());
    parts[0] = nullptr;
    MDNode *name = MDNode::getDistinct(branch.getContext(), parts);
    name->replaceOperandWith(0, name);
    branch.setMetadata(LLVMContext::MD_loop, name);
}

void drop(PHINode &phi)
{
    Instruction *next = nextOf(phi);
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
    if (isInstructionTriviallyDead(next))
        RecursivelyDeleteTriviallyDeadInstructions(next);
}

/* A copy of the loop in front of it; what it makes of a part is used behind both. */
void copyInFront(const Sums &sums, unsigned first, unsigned end)
{
    BasicBlock *body = sums.body, *before = nullptr;
    for (BasicBlock *from : predecessors(body))
        before = from != body ? from : before;
    ValueToValueMapTy map;
    BasicBlock *copy = CloneBasicBlock(body, map, ".sums", body->getParent());
    map[body] = copy;
    BasicBlock *between = BasicBlock::Create(body->getContext(), "", body->getParent(), body);
    copy->moveBefore(between);
    for (Instruction &i : *copy)
        RemapInstruction(&i, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    Instruction *branch = copy->getTerminator();
    for (unsigned k = 0; k < branch->getNumSuccessors(); k++)
        if (branch->getSuccessor(k) != copy)
            branch->setSuccessor(k, between);
    nameLoop(*branch);
    before->getTerminator()->replaceSuccessorWith(body, copy);
    BranchInst::Create(body, between)->setDebugLoc(branch->getDebugLoc());
    for (PHINode &phi : body->phis())
        phi.replaceIncomingBlockWith(before, between);
    for (const auto &[i, part] : sums.of)
        if (part >= first && part < end)
            i->replaceUsesWithIf(cast<Value>(map[i]), [&](const Use &use) {
                return cast<Instruction>(use.getUser())->getParent() != body &&
                       cast<Instruction>(use.getUser())->getParent() != copy;
            });
    for (unsigned n = 0; n < sums.phis.size(); n++)
        if (n < first || n >= end)
            drop(*cast<PHINode>(map[sums.phis[n]]));
}

void split(Sums &sums, unsigned most)
{
    const unsigned count = (unsigned)sums.phis.size(), loops = (count + most - 1) / most;
    const unsigned last = count * (loops - 1) / loops;
    for (unsigned n = 0; n + 1 < loops; n++)
        copyInFront(sums, count * n / loops, count * (n + 1) / loops);
    for (unsigned n = 0; n < last; n++)
        drop(*sums.phis[n]);
}

bool isWorthIt(const Sums &sums, unsigned registers)
{
    const auto loads = count_if(*sums.body, [](const Instruction &i) { return isa<LoadInst>(i); });
    return sums.phis.size() > registers && 2 * (size_t)loads <= sums.phis.size();
}

} // namespace

uint32_t sl_llvm_split_sums(LLVMValueRef handle, uint32_t registers, uint32_t most)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<BasicBlock *, 4> bodies;
    {
        DominatorTree dominators(f);
        LoopInfo loops(dominators);
        for (Loop *loop : loops.getLoopsInPreorder())
            if (BasicBlock *body = plainBody(*loop))
                bodies.push_back(body);
    }
    uint32_t count = 0;
    for (BasicBlock *body : bodies) {
        Sums sums;
        if (!findSums(*body, sums) || !isWorthIt(sums, registers))
            continue;
        split(sums, most);
        count++;
    }
    return count;
}
