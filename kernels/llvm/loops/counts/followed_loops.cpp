/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/followed_loops.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace sluice
{

namespace
{

constexpr uint64_t apart = 1 << 20; /* arrays: more than one has bytes */

bool isKnown(const Constant *number)
{
    return number && !isa<UndefValue>(number);
}

} // namespace

FollowedLoops::FollowedLoops(Analyses &in, const DataLayout &layout, ArrayRef<AllocaInst *> arrays,
                             unsigned most_rounds, uint64_t most, bool (*may_follow)(Loop &),
                             bool numbers)
    : m_in(in), m_layout(layout), m_numbers(numbers), m_mostRounds(most_rounds), m_most(most),
      m_mayFollow(may_follow)
{
    uint64_t place = 0;
    for (AllocaInst *array : arrays)
        m_places[array] = ConstantExpr::getIntToPtr(
            ConstantInt::get(Type::getInt64Ty(array->getContext()), place += apart),
            array->getType());
}

Constant *FollowedLoops::find(const Value *value) const
{
    if (auto *constant = dyn_cast<Constant>(value))
        return isKnown(constant) ? const_cast<Constant *>(constant) : nullptr;
    if (Constant *place = m_places.lookup(value))
        return place;
    return m_values.lookup(value);
}

void FollowedLoops::set(const Value &value, Constant *is)
{
    if (isKnown(is))
        m_values[&value] = is;
    else
        m_values.erase(&value);
}

Constant *FollowedLoops::fold(const Instruction &i) const
{
    if (!i.getType()->isIntegerTy() && !i.getType()->isPointerTy() &&
        !(m_numbers && i.getType()->isFloatingPointTy()))
        return nullptr;
    if (const auto *choice = dyn_cast<SelectInst>(&i)) {
        const auto *condition = dyn_cast_or_null<ConstantInt>(find(choice->getCondition()));
        return !condition
                   ? nullptr
                   : find(condition->isOne() ? choice->getTrueValue() : choice->getFalseValue());
    }
    if (isa<CallBase>(i) && (!isa<IntrinsicInst>(i) || i.mayReadOrWriteMemory()))
        return nullptr;
    SmallVector<Constant *, 4> operands;
    for (const Use &operand : i.operands()) {
        Constant *is = find(operand);
        if (!is)
            return nullptr;
        operands.push_back(is);
    }
    if (const auto *compare = dyn_cast<CmpInst>(&i))
        return ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1],
                                               m_layout);
    if (const auto *load = dyn_cast<LoadInst>(&i))
        return load->isSimple() ? ConstantFoldLoadFromConstPtr(operands[0], i.getType(), m_layout)
                                : nullptr;
    return ConstantFoldInstOperands(&i, operands, m_layout);
}

/* The same on each way that was taken here. */
Constant *FollowedLoops::foldPhi(const PHINode &phi) const
{
    Constant *all = nullptr;
    for (unsigned k = 0; k < phi.getNumIncomingValues(); k++) {
        if (!m_ways.contains({phi.getIncomingBlock(k), phi.getParent()}))
            continue;
        Constant *is = find(phi.getIncomingValue(k));
        if (!is || (all && all != is))
            return nullptr;
        all = is;
    }
    return all;
}

/* All at once: one may be another's next. */
bool FollowedLoops::setHeader(const Loop &loop, bool first)
{
    const BasicBlock *from = first ? loop.getLoopPredecessor() : loop.getLoopLatch();
    SmallVector<std::pair<const PHINode *, Constant *>, 8> next;
    if (!from)
        return false;
    for (const PHINode &phi : loop.getHeader()->phis())
        next.push_back({&phi, find(phi.getIncomingValueForBlock(from))});
    for (auto &[phi, is] : next)
        set(*phi, is);
    return true;
}

void FollowedLoops::forgetWays(const BasicBlock &block)
{
    for (const BasicBlock *next : successors(&block))
        m_ways.erase({&block, next});
}

/* NULL: it depends on something else. */
const BasicBlock *FollowedLoops::onlyWay(const BasicBlock &block) const
{
    const auto *end = dyn_cast<BranchInst>(block.getTerminator());
    if (!end || end->isUnconditional())
        return block.getSingleSuccessor();
    const auto *condition = dyn_cast_or_null<ConstantInt>(find(end->getCondition()));
    return condition ? end->getSuccessor(condition->isOne() ? 0 : 1) : nullptr;
}

void FollowedLoops::setWays(const BasicBlock &block)
{
    forgetWays(block);
    const BasicBlock *only = onlyWay(block);
    for (const BasicBlock *next : successors(&block))
        if (!only || next == only)
            m_ways.insert({&block, next});
}

bool FollowedLoops::isReached(const BasicBlock &block) const
{
    return any_of(predecessors(&block),
                  [&](const BasicBlock *from) { return m_ways.contains({from, &block}); });
}

bool FollowedLoops::followBlock(const BasicBlock &block, bool is_header, Visit visit)
{
    if (!is_header && !isReached(block)) {
        forgetWays(block);
        return true;
    }
    m_size += block.size();
    if (m_size > m_most)
        return false;
    if (!is_header)
        for (const PHINode &phi : block.phis())
            set(phi, foldPhi(phi));
    for (const Instruction &i : block) {
        if (!visit(i))
            return false;
        if (isa<PHINode>(i) || i.isTerminator())
            continue;
        set(i, fold(i));
        m_left += !find(&i);
        m_floats += i.getType()->isFloatingPointTy() && find(&i);
    }
    setWays(block);
    return true;
}

/* All of its rounds, if it is come to. */
bool FollowedLoops::followInner(Loop &loop, Visit visit)
{
    const bool reached = isReached(*loop.getHeader());
    for (const BasicBlock *block : loop.blocks())
        forgetWays(*block);
    return !reached || followRounds(loop, visit);
}

/* Its blocks, from the header on. */
const FollowedLoops::Blocks &FollowedLoops::order(const Loop &loop)
{
    std::unique_ptr<Blocks> &blocks = m_orders[&loop];
    if (!blocks) {
        LoopBlocksDFS order(const_cast<Loop *>(&loop));
        order.perform(&m_in.loops);
        blocks = std::make_unique<Blocks>(order.beginRPO(), order.endRPO());
    }
    return *blocks;
}

/* The header's phis are what they are in this round. */
bool FollowedLoops::followRound(Loop &loop, Visit visit, bool &again)
{
    for (BasicBlock *block : order(loop)) {
        Loop *own = m_in.loops.getLoopFor(block);
        if (own == &loop) {
            if (!followBlock(*block, block == loop.getHeader(), visit))
                return false;
        } else if (own->getParentLoop() == &loop && own->getHeader() == block &&
                   !followInner(*own, visit)) {
            return false;
        }
        if (block != loop.getExitingBlock())
            continue;
        const BasicBlock *only = onlyWay(*block);
        if (!only)
            return false;
        again = loop.contains(only);
        if (!again)
            return true;
    }
    return true;
}

bool FollowedLoops::followRounds(Loop &loop, Visit visit)
{
    const BasicBlock *exiting = loop.getExitingBlock(), *latch = loop.getLoopLatch();
    if (!exiting || !latch || !m_in.dominators.dominates(exiting, latch) || !m_mayFollow(loop))
        return false;
    bool again = true;
    for (unsigned round = 0; again; round++)
        if (round >= m_mostRounds || !setHeader(loop, !round) || !followRound(loop, visit, again))
            return false;
    return true;
}

bool FollowedLoops::follow(Loop &loop, Visit visit)
{
    m_values.clear();
    m_ways.clear();
    m_size = m_left = m_floats = 0;
    return followRounds(loop, visit);
}

} // namespace sluice
