/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/rounds/extremes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace
{

constexpr unsigned mostCompared = 8;  /* values of one extreme */
constexpr unsigned mostFollowed = 64; /* values of a round */

using Values = SmallVector<const Value *, mostFollowed>;
using Compared = SmallVector<Value *, mostCompared>;

const MinMaxIntrinsic *extremeOf(const Value *value)
{
    const auto *extreme = dyn_cast<MinMaxIntrinsic>(value);
    return extreme && extreme->getType()->isIntegerTy() ? extreme : nullptr;
}

bool isStep(const Instruction &i)
{
    return i.getOpcode() == Instruction::Add || i.getOpcode() == Instruction::Sub;
}

/* What the value is computed from in this round, by sums, extremes and copies of them; itself, too.
 */
Values origins(const Value *from)
{
    Values found{from};
    SmallPtrSet<const Value *, 32> seen{from};
    for (unsigned k = 0; k < found.size(); k++) {
        const auto *i = dyn_cast<Instruction>(found[k]);
        if (!i || (!isStep(*i) && !extremeOf(i)))
            continue;
        for (const Value *operand : i->operands())
            if (found.size() < mostFollowed && seen.insert(operand).second)
                found.push_back(operand);
    }
    return found;
}

bool comesFrom(const Value *from, const Value *to)
{
    return is_contained(origins(from), to);
}

/* What a header's phi gets from the end of the loop's round; NULL: from several ends. */
const Value *lastOf(const Loop &loop, const PHINode &phi)
{
    const BasicBlock *latch = loop.getLoopLatch();
    return latch ? phi.getIncomingValueForBlock(latch) : nullptr;
}

/* Does the value come out of the last round, by a phi whose next value `extreme` takes part in? */
bool isCarried(const Loop &loop, const Value *value, const Value *extreme)
{
    for (const PHINode &phi : loop.getHeader()->phis()) {
        const Value *last = phi.getType() == value->getType() ? lastOf(loop, phi) : nullptr;
        if (last && comesFrom(value, &phi) && comesFrom(last, extreme))
            return true;
    }
    return false;
}

/* Its own operands, in place of extremes of its kind that nobody else uses. */
Compared comparedBy(const MinMaxIntrinsic &root)
{
    Compared open{root.getRHS(), root.getLHS()}, all;
    while (!open.empty()) {
        Value *value = open.pop_back_val();
        const MinMaxIntrinsic *inner = extremeOf(value);
        if (!inner || inner->getIntrinsicID() != root.getIntrinsicID() || !inner->hasOneUse() ||
            inner->getParent() != root.getParent() || all.size() + open.size() + 2 > mostCompared) {
            all.push_back(value);
            continue;
        }
        open.push_back(inner->getRHS());
        open.push_back(inner->getLHS());
    }
    return all;
}

bool isRoot(const MinMaxIntrinsic &extreme)
{
    const MinMaxIntrinsic *user = extreme.hasOneUse() ? extremeOf(extreme.user_back()) : nullptr;
    return !user || user->getIntrinsicID() != extreme.getIntrinsicID() ||
           user->getParent() != extreme.getParent();
}

bool compareLast(const Loop &loop, MinMaxIntrinsic &root)
{
    Compared values = comparedBy(root);
    if (values.size() < 3)
        return false;
    auto *carried =
        find_if(values, [&](const Value *value) { return isCarried(loop, value, &root); });
    if (carried == values.end() || *carried == root.getLHS() || *carried == root.getRHS() ||
        any_of(make_range(carried + 1, values.end()),
               [&](const Value *value) { return isCarried(loop, value, &root); }))
        return false;
    IRBuilder<> build(&root);
    Value *last = *carried, *others = nullptr;
    values.erase(carried);
    for (Value *value : values)
        others = others ? build.CreateBinaryIntrinsic(root.getIntrinsicID(), others, value) : value;
    root.replaceAllUsesWith(build.CreateBinaryIntrinsic(root.getIntrinsicID(), others, last));
    RecursivelyDeleteTriviallyDeadInstructions(&root);
    return true;
}

/* Extremes on the way from the phi to what it is in the next round, if something is added on it. */
void findCarried(const PHINode &phi, const Value *next, SetVector<MinMaxIntrinsic *> &found)
{
    SmallVector<MinMaxIntrinsic *, mostCompared> extremes;
    bool changed = false;
    for (const Value *value : origins(next)) {
        auto *i = dyn_cast<Instruction>(const_cast<Value *>(value));
        if (!i || (!isStep(*i) && !extremeOf(i)) || !comesFrom(i, &phi))
            continue;
        changed |= isStep(*i);
        if (extremeOf(i))
            extremes.push_back(cast<MinMaxIntrinsic>(i));
    }
    if (changed)
        found.insert_range(extremes);
}

void makeMove(MinMaxIntrinsic &extreme)
{
    IRBuilder<> build(&extreme);
    Value *first = extreme.getLHS(), *second = extreme.getRHS();
    Value *takes = build.CreateICmp(extreme.getPredicate(), first, second);
    Value *taken = build.CreateSelect(takes, first, second);
    if (auto *move = dyn_cast<SelectInst>(taken))
        move->setMetadata(LLVMContext::MD_unpredictable, MDNode::get(move->getContext(), {}));
    extreme.replaceAllUsesWith(taken);
    extreme.eraseFromParent();
}

} // namespace

unsigned sl_llvm_compare_carried_last(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<MinMaxIntrinsic *, 16> roots;
    for (BasicBlock &block : f)
        for (Instruction &i : block)
            if (extremeOf(&i) && isRoot(cast<MinMaxIntrinsic>(i)))
                roots.push_back(cast<MinMaxIntrinsic>(&i));
    if (roots.empty())
        return 0;
    DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    unsigned count = 0;
    for (MinMaxIntrinsic *root : roots) {
        const Loop *loop = loops.getLoopFor(root->getParent());
        if (loop && compareLast(*loop, *root))
            count++;
    }
    return count;
}

bool sl_llvm_stores_extremes(LLVMValueRef handle)
{
    auto &f = *unwrap<Function>(handle);
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    return any_of(f, [&](const BasicBlock &block) {
        return loops.getLoopFor(&block) && any_of(block, [](const Instruction &i) {
                   const auto *store = dyn_cast<StoreInst>(&i);
                   return store && extremeOf(store->getValueOperand());
               });
    });
}

void sl_llvm_keep_moves(LLVMModuleRef handle)
{
    SetVector<MinMaxIntrinsic *> carried;
    for (Function &f : *unwrap(handle))
        for (BasicBlock &block : f)
            for (PHINode &phi : block.phis())
                if (phi.getType()->isIntegerTy())
                    for (const Value *next : phi.incoming_values())
                        findCarried(phi, next, carried);
    for (MinMaxIntrinsic *extreme : carried)
        makeMove(*extreme);
}
