/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/array_loops.h"

#include "llvm/loops/analyses.h"
#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

constexpr unsigned mostRounds = 65;  /* one more than are wanted: clang's loops ask in front */
constexpr uint64_t mostBytes = 1024; /* of an array */

using LoopSet = SmallSetVector<Loop *, 8>;

/* 0: it is not unrolled. */
unsigned roundsOf(sluice::Analyses &in, Loop &loop)
{
    if (!loop.getLoopLatch() || !loop.getExitingBlock() || sluice::hasUnrollWish(loop) ||
        sluice::anyOf(loop, sluice::itemsMeet))
        return 0;
    const unsigned rounds = in.evolution.getSmallConstantTripCount(&loop);
    return rounds > 1 && rounds <= mostRounds ? rounds : 0;
}

/* What a table is read with stands in another one, perhaps: each part is looked at once. */
using Parts = SmallSetVector<const SCEV *, 16>;

/* `table[i]` of a table that nobody changes: a constant, once the counters are. */
bool isOfTable(sluice::Analyses &in, Value &number, Parts &parts)
{
    auto *load = dyn_cast<LoadInst>(&number);
    if (!load || !load->isSimple())
        return false;
    auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
    if (!table || !table->isConstant() || !table->hasDefinitiveInitializer())
        return false;
    const SCEV *place = in.evolution.getSCEV(load->getPointerOperand());
    parts.insert(in.evolution.getMinusSCEV(place, in.evolution.getSCEV(table)));
    return true;
}

bool isCounterOf(sluice::Analyses &in, const SCEVAddRecExpr &counter, Parts &parts, LoopSet &loops)
{
    auto *loop = const_cast<Loop *>(counter.getLoop());
    if (!counter.isAffine() || !isa<SCEVConstant>(counter.getOperand(1)) || !roundsOf(in, *loop))
        return false;
    loops.insert(loop);
    parts.insert(counter.getStart());
    return true;
}

/* Adds what must be looked at in turn. */
bool isOfCounters(sluice::Analyses &in, const SCEV *part, Parts &parts, LoopSet &loops)
{
    if (const auto *counter = dyn_cast<SCEVAddRecExpr>(part))
        return isCounterOf(in, *counter, parts, loops);
    if (const auto *unknown = dyn_cast<SCEVUnknown>(part))
        return isOfTable(in, *unknown->getValue(), parts);
    if (!isa<SCEVConstant, SCEVIntegralCastExpr, SCEVAddExpr, SCEVMulExpr>(part))
        return false;
    parts.insert(part->operands().begin(), part->operands().end());
    return true;
}

/* The loops whose counters the distance is made of, and nothing else but tables. `parts` have been
 * looked at. */
bool countsOnly(sluice::Analyses &in, const SCEV *distance, Parts &parts, LoopSet &loops)
{
    size_t next = parts.size();
    parts.insert(distance);
    for (; next < parts.size(); next++)
        if (!isOfCounters(in, parts[next], parts, loops))
            return false;
    return true;
}

bool isAccess(const Instruction &user, const Value &pointer)
{
    if (const auto *store = dyn_cast<StoreInst>(&user))
        return store->isSimple() && store->getValueOperand() != &pointer;
    const auto *load = dyn_cast<LoadInst>(&user);
    return load && load->isSimple();
}

/* Those that all accesses need; false: it can never be values. */
bool findLoops(sluice::Analyses &in, AllocaInst &array, LoopSet &loops)
{
    SmallVector<Value *, 32> pointers = {&array};
    Parts parts;
    const SCEV *start = in.evolution.getSCEV(&array);
    for (size_t p = 0; p < pointers.size(); p++)
        for (User *user : pointers[p]->users()) {
            auto &i = *cast<Instruction>(user);
            if (i.isLifetimeStartOrEnd())
                continue;
            if (isa<GetElementPtrInst>(i))
                pointers.push_back(&i);
            else if (!isAccess(i, *pointers[p]) ||
                     !countsOnly(
                         in, in.evolution.getMinusSCEV(in.evolution.getSCEV(pointers[p]), start),
                         parts, loops))
                return false;
        }
    return !loops.empty();
}

/* Of all that is in these loops, once they are unrolled. */
uint64_t unrolledSize(sluice::Analyses &in, Function &f, const LoopSet &unrolled)
{
    uint64_t size = 0;
    for (BasicBlock &block : f) {
        uint64_t copies = 1;
        bool inside = false;
        for (Loop *loop = in.loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
            if (!unrolled.contains(loop))
                continue;
            inside = true;
            copies *= roundsOf(in, *loop);
        }
        size = inside ? SaturatingMultiplyAdd<uint64_t>(block.size(), copies, size) : size;
    }
    return size;
}

/* An inner loop that stays would only be copied. */
bool areWhole(const LoopSet &loops)
{
    return all_of(loops, [&](const Loop *loop) {
        return all_of(loop->getSubLoops(), [&](Loop *inner) { return loops.contains(inner); });
    });
}

} // namespace

void sl_llvm_unroll_array_loops(LLVMValueRef handle, uint32_t most)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<AllocaInst *, 8> arrays;
    for (Instruction &i : f.getEntryBlock())
        if (auto *array = dyn_cast<AllocaInst>(&i))
            if (array->getAllocatedType()->isArrayTy() && array->isStaticAlloca() &&
                f.getDataLayout().getTypeAllocSize(array->getAllocatedType()) <= mostBytes)
                arrays.push_back(array);
    if (arrays.empty() || none_of(instructions(f), sluice::itemsMeet))
        return;
    sluice::Analyses in(f);
    LoopSet chosen;
    for (AllocaInst *array : arrays) {
        LoopSet loops;
        if (!findLoops(in, *array, loops))
            continue;
        loops.insert(chosen.begin(), chosen.end());
        if (areWhole(loops) && unrolledSize(in, f, loops) <= most)
            chosen = std::move(loops);
    }
    for (Loop *loop : chosen)
        addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
}
