/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/rounds_in_step.h"

#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <optional>

using namespace llvm;

namespace
{

constexpr unsigned mostInstructions = 256; /* of a loop: it is there twice afterwards */
constexpr unsigned mostLoops = 8;          /* of a function */

bool isPlain(const Instruction &i)
{
    if (const auto *load = dyn_cast<LoadInst>(&i))
        return load->isSimple();
    if (const auto *store = dyn_cast<StoreInst>(&i))
        return store->isSimple();
    if (sluice::isCommon(i))
        return false;
    if (const auto *call = dyn_cast<CallBase>(&i))
        return isa<IntrinsicInst>(i) || call->doesNotAccessMemory();
    return !i.mayReadOrWriteMemory() && !isa<AllocaInst>(i);
}

bool isSmallAndPlain(const Loop &loop)
{
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block)
            if (!isPlain(i) || ++count > mostInstructions)
                return false;
    return true;
}

/* Goes on while `asked predicate end`; that is the counter, or one more. */
struct Counted {
    PHINode *counter;
    Value *start, *end;
    ICmpInst *compare;
    Value *asked;
    CmpInst::Predicate predicate;
};

class RoundsInStep
{
  public:
    RoundsInStep(Loop &loop, DominatorTree &dominators, LoopInfo &loops)
        : m_loop(loop), m_dominators(dominators), m_loops(loops), m_header(*loop.getHeader())
    {
    }

    bool divide(const sl_round_questions &questions)
    {
        if (!find() || !isSmallAndPlain(m_loop))
            return false;
        const sl_round_split split = ask(questions);
        if (split == SL_ROUNDS_STAY || (split == SL_ROUNDS_FROM_LEAST && hasOtherCounters()))
            return false;
        BasicBlock *before = m_loop.getLoopPreheader();
        if (!before)
            before = InsertPreheaderForLoop(&m_loop, &m_dominators, &m_loops, nullptr, false);
        if (!before)
            return false;
        clone();
        if (split == SL_ROUNDS_FROM_LEAST)
            countFromLeast(*before, questions);
        else
            goCommonRounds(*before, questions);
        return true;
    }

  private:
    bool find()
    {
        auto *branch = dyn_cast<BranchInst>(m_header.getTerminator());
        BasicBlock *latch = m_loop.getLoopLatch();
        if (m_loop.getExitingBlock() != &m_header || !branch || !branch->isConditional() ||
            !latch || latch == &m_header || !isa<BranchInst>(latch->getTerminator()) ||
            !cast<BranchInst>(latch->getTerminator())->isUnconditional() ||
            sluice::hasUnrollWish(m_loop))
            return false;
        auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
        if (!compare || !m_loop.contains(compare) || !m_loop.getLoopPredecessor())
            return false;
        const auto predicate = m_loop.contains(branch->getSuccessor(0))
                                   ? compare->getPredicate()
                                   : compare->getInversePredicate();
        return (take(*compare, 0, predicate) ||
                take(*compare, 1, CmpInst::getSwappedPredicate(predicate))) &&
               staysInside();
    }

    bool take(ICmpInst &compare, unsigned side, CmpInst::Predicate predicate)
    {
        Value *asked = compare.getOperand(side), &end = *compare.getOperand(1 - side);
        auto *phi = dyn_cast<PHINode>(asked);
        if (auto *sum = dyn_cast<BinaryOperator>(asked))
            phi = dyn_cast<PHINode>(sum->getOperand(0));
        if (!phi || phi->getParent() != &m_header || !m_loop.isLoopInvariant(&end))
            return false;
        if (predicate != ICmpInst::ICMP_SLT && predicate != ICmpInst::ICMP_SLE &&
            predicate != ICmpInst::ICMP_ULT && predicate != ICmpInst::ICMP_ULE)
            return false;
        const Value *next = phi->getIncomingValueForBlock(m_loop.getLoopLatch());
        if (!match(next,
                   PatternMatch::m_c_Add(PatternMatch::m_Specific(phi), PatternMatch::m_One())) ||
            (asked != phi && asked != next))
            return false;
        Value *start = phi->getIncomingValueForBlock(m_loop.getLoopPredecessor());
        m_counted = {phi, start, &end, &compare, asked, predicate};
        return true;
    }

    /* What is behind the loop knows nothing of it but what it adds up; and the block that asks does
     * nothing else. */
    bool staysInside() const
    {
        for (const Instruction &i : m_header) {
            if (i.mayHaveSideEffects() || i.mayReadFromMemory())
                return false;
            if (isa<PHINode>(i) && &i != m_counted.counter)
                continue;
            for (const User *user : i.users())
                if (!m_loop.contains(cast<Instruction>(user)))
                    return false;
        }
        return m_counted.compare->getParent() == &m_header;
    }

    /* Numbers that go on by the same step in each round would be different ones in items that did
     * nothing in some of them. */
    bool hasOtherCounters() const
    {
        for (const PHINode &phi : m_header.phis()) {
            const Value *next = phi.getIncomingValueForBlock(m_loop.getLoopLatch());
            const auto *step = dyn_cast<Instruction>(next);
            if (&phi == m_counted.counter || !step || phi.getType()->isFloatingPointTy() ||
                (step->getOpcode() != Instruction::Add && step->getOpcode() != Instruction::Sub &&
                 step->getOpcode() != Instruction::GetElementPtr))
                continue;
            if (is_contained(step->operands(), &phi) &&
                all_of(step->operands(), [&](const Value *operand) {
                    return operand == &phi || m_loop.isLoopInvariant(operand);
                }))
                return true;
        }
        return false;
    }

    bool isUnsigned() const
    {
        return CmpInst::isUnsigned(m_counted.predicate);
    }

    sl_round_split ask(const sl_round_questions &questions) const
    {
        SmallVector<LLVMBasicBlockRef, 16> blocks;
        for (BasicBlock *block : m_loop.blocks())
            blocks.push_back(wrap(block));
        const sl_counted_loop loop = {wrap(m_counted.counter), wrap(m_counted.start),
                                      wrap(m_counted.end),     isUnsigned(),
                                      blocks.data(),           blocks.size()};
        return questions.ask(questions.data, &loop);
    }

    void clone()
    {
        for (BasicBlock *block : m_loop.blocks()) {
            BasicBlock *copy = CloneBasicBlock(block, m_map, ".some", m_header.getParent());
            m_map[block] = copy;
            m_copies.push_back(copy);
        }
        remapInstructionsInBlocks(m_copies, m_map);
        for (BasicBlock *copy : m_copies)
            copy->moveBefore(&m_header);
    }

    template <class T> T *copyOf(T &value)
    {
        return cast<T>(m_map[&value]);
    }

    Value *makeBound(BasicBlock &before, const sl_round_questions &questions, Value &number,
                     sl_round_bound which)
    {
        Type *type = number.getType();
        auto *f =
            unwrap<Function>(questions.bound(questions.data, which, isUnsigned(), wrap(type)));
        IRBuilder<> builder(before.getTerminator());
        return builder.CreateCall(f, {&number});
    }

    /* The copy comes first, and where it ends the loop begins. */
    void putInFront(BasicBlock &before)
    {
        BasicBlock *header = copyOf(m_header);
        before.getTerminator()->replaceSuccessorWith(&m_header, header);
        for (PHINode &phi : m_header.phis()) {
            const int entry = phi.getBasicBlockIndex(&before);
            phi.setIncomingValue(entry, copyOf(phi));
            phi.setIncomingBlock(entry, header);
        }
    }

    BasicBlock *bodyOf() const
    {
        auto *branch = cast<BranchInst>(m_header.getTerminator());
        return branch->getSuccessor(m_loop.contains(branch->getSuccessor(0)) ? 0 : 1);
    }

    void goCommonRounds(BasicBlock &before, const sl_round_questions &questions)
    {
        Value *end = makeBound(before, questions, *m_counted.end, SL_BOUND_COMMON);
        BasicBlock *header = copyOf(m_header);
        putInFront(before);
        Instruction *last = header->getTerminator();
        IRBuilder<> builder(last);
        Value *goes_on = builder.CreateICmp(m_counted.predicate, copyOf(*m_counted.asked), end);
        builder.CreateCondBr(goes_on, copyOf(*bodyOf()), &m_header);
        last->eraseFromParent();
    }

    void countFromLeast(BasicBlock &before, const sl_round_questions &questions)
    {
        Value *least = makeBound(before, questions, *m_counted.start, SL_BOUND_LEAST);
        Value *most = makeBound(before, questions, *m_counted.start, SL_BOUND_MOST);
        BasicBlock *header = copyOf(m_header), *body = copyOf(*bodyOf());
        BasicBlock *latch = copyOf(*m_loop.getLoopLatch());
        PHINode *counter = copyOf(*m_counted.counter);
        LLVMContext &context = m_header.getContext();
        auto *asks = BasicBlock::Create(context, "begun", m_header.getParent(), &m_header);
        auto *next = BasicBlock::Create(context, "round", m_header.getParent(), &m_header);
        putInFront(before);
        counter->setIncomingValueForBlock(&before, least);
        body->replacePhiUsesWith(header, asks);

        const auto below = isUnsigned() ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_SLT;
        const auto begun = isUnsigned() ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_SGE;
        Instruction *last = header->getTerminator();
        IRBuilder<> builder(last);
        Value *waits = builder.CreateICmp(below, counter, most);
        Value *inside = copyOf(*m_counted.compare);
        if (bodyOf() != cast<BranchInst>(m_header.getTerminator())->getSuccessor(0))
            inside = builder.CreateNot(inside);
        builder.CreateCondBr(builder.CreateAnd(waits, inside), asks, &m_header);
        last->eraseFromParent();
        builder.SetInsertPoint(asks);
        builder.CreateCondBr(builder.CreateICmp(begun, counter, m_counted.start), body, next);

        builder.SetInsertPoint(next);
        Instruction *back = latch->getTerminator();
        for (PHINode &phi : m_header.phis()) {
            PHINode *copy = copyOf(phi);
            const int at = copy->getBasicBlockIndex(latch);
            copy->setIncomingBlock(at, next);
            if (copy == counter)
                continue;
            PHINode *now = builder.CreatePHI(copy->getType(), 2);
            now->addIncoming(copy, asks);
            now->addIncoming(copy->getIncomingValue(at), latch);
            copy->setIncomingValue(at, now);
        }
        Value *one = ConstantInt::get(counter->getType(), 1);
        counter->setIncomingValueForBlock(
            next, builder.CreateAdd(counter, one, "", isUnsigned(), !isUnsigned()));
        builder.CreateBr(header)->setMetadata(LLVMContext::MD_loop,
                                              back->getMetadata(LLVMContext::MD_loop));
        builder.SetInsertPoint(back);
        builder.CreateBr(next);
        back->eraseFromParent();
    }

    Loop &m_loop;
    DominatorTree &m_dominators;
    LoopInfo &m_loops;
    BasicBlock &m_header;
    Counted m_counted = {};
    ValueToValueMapTy m_map;
    SmallVector<BasicBlock *, 16> m_copies;
};

bool divideNext(Function &f, const sl_round_questions &questions,
                SmallPtrSetImpl<const BasicBlock *> &seen)
{
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!seen.insert(loop->getHeader()).second)
            continue;
        if (RoundsInStep(*loop, dominators, loops).divide(questions))
            return true;
    }
    return false;
}

} // namespace

unsigned sl_llvm_divide_rounds(LLVMValueRef handle, const sl_round_questions *questions)
{
    auto &f = *unwrap<Function>(handle);
    SmallPtrSet<const BasicBlock *, 16> seen;
    unsigned count = 0;
    while (count < mostLoops && divideNext(f, *questions, seen))
        count++;
    return count;
}
