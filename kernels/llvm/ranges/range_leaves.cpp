/* SPDX-License-Identifier: Apache-2.0 */
/* What values are computed of in the end. See value_ranges.h. */
#include "llvm/ranges/range_parts.h"

#include "llvm/ranges/launch_shape.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace sluice
{

void ValueRanges::leavesOf(const Value *value, Leaves &leaves) const
{
    SmallVector<const Value *, 16> pending = {value};
    DenseSet<const Value *> seen;
    while (!pending.empty()) {
        const Value *at = pending.pop_back_val();
        if (isa<Constant>(at) || !seen.insert(at).second)
            continue;
        SmallVector<const Value *, 4> parts = partsOf(at, layout);
        pending.append(parts.begin(), parts.end());
        if (parts.empty() && isNumber(at))
            leaves.insert(at);
    }
}

void ValueRanges::divisorsOf(const Value *value, std::set<uint64_t> &out) const
{
    enum { MOST = 1 << 16 };
    SmallVector<std::pair<const Value *, uint64_t>, 16> pending = {{value, 1}};
    DenseSet<const Value *> seen;
    while (!pending.empty()) {
        auto [at, scale] = pending.pop_back_val();
        const Value *a;
        const APInt *c;
        if (!seen.insert(at).second)
            continue;
        if (match(at, m_And(m_Value(a), m_APInt(c))) && c->getActiveBits() < 32)
            out.insert(scale << c->getActiveBits());
        if ((match(at, m_URem(m_Value(a), m_APInt(c))) ||
             match(at, m_SRem(m_Value(a), m_APInt(c)))) &&
            c->isStrictlyPositive() && c->getActiveBits() < 32)
            out.insert(scale * c->getZExtValue());
        if (match(at, m_Shr(m_Value(a), m_APInt(c))) && c->ult(16))
            scale <<= c->getZExtValue();
        if ((match(at, m_UDiv(m_Value(a), m_APInt(c))) ||
             match(at, m_SDiv(m_Value(a), m_APInt(c)))) &&
            c->isStrictlyPositive() && c->ult(MOST))
            scale *= c->getZExtValue();
        for (const Value *part : partsOf(at, layout))
            pending.push_back({part, std::min<uint64_t>(scale, MOST)});
    }
}

void ValueRanges::leavesOf(const Guard &guard, Leaves &leaves) const
{
    if (guard.asked) {
        leavesOf(guard.asked, leaves);
        return;
    }
    for (const BasicBlock *from : predecessors(guard.to))
        for (const Guard &one : guardsFrom(guard.at, {from, guard.to}))
            leavesOf(one, leaves);
}

void ValueRanges::divisorsOf(const Guard &guard, std::set<uint64_t> &out) const
{
    if (guard.asked) {
        divisorsOf(guard.asked, out);
        return;
    }
    for (const BasicBlock *from : predecessors(guard.to))
        for (const Guard &one : guardsFrom(guard.at, {from, guard.to}))
            divisorsOf(one, out);
}

bool ValueRanges::takesAll(const Value *leaf, unsigned depth) const
{
    enum { MOST_NESTED = 4 };
    if (const auto *item = dyn_cast<CallInst>(leaf)) {
        const Function *callee = item->getCalledFunction();
        const auto *d = item->arg_size() ? dyn_cast<ConstantInt>(item->getArgOperand(0)) : nullptr;
        return callee && callee->getName() == "_Z12get_local_idj" && d &&
               (d->getZExtValue() >= 3 || shape.whole_groups);
    }
    const auto *phi = dyn_cast<PHINode>(leaf);
    const Loop *loop = phi ? loops.getLoopFor(phi->getParent()) : nullptr;
    const BasicBlock *end = loop ? loop->getExitingBlock() : nullptr;
    const auto *branch = end ? dyn_cast<BranchInst>(end->getTerminator()) : nullptr;
    const auto *question = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!question || depth > MOST_NESTED || loop->getHeader() != phi->getParent() ||
        phi->getNumIncomingValues() != 2)
        return false;
    bool starts = false, counts = false;
    for (const Value *value : phi->incoming_values()) {
        starts |= isa<ConstantInt>(value);
        counts |= match(value, m_Add(m_Specific(phi), m_ConstantInt())) ||
                  match(value, m_Sub(m_Specific(phi), m_ConstantInt()));
    }
    Leaves of;
    leavesOf(question, of);
    bool all = starts && counts && of.contains(phi);
    for (const Value *other : of)
        all = all && (other == phi || takesAll(other, depth + 1));
    return all;
}

} // namespace sluice
