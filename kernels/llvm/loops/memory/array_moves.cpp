/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/array_moves.h"

#include "llvm/loops/analyses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

using namespace llvm;

namespace
{

constexpr int64_t farthest = 1 << 24; /* bytes: sums of these do not overflow */

struct Dimension {
    const Loop *loop = nullptr;
    int64_t step = 0, rounds = 0;
};

/* Where an access is in its array, in all rounds: the inner loop first. */
struct Path {
    int64_t start = 0;
    SmallVector<Dimension, 2> dimensions;
};

std::optional<int64_t> constantOf(const SCEV *value)
{
    const auto *constant = dyn_cast<SCEVConstant>(value);
    if (!constant || constant->getAPInt().getSignificantBits() > 32)
        return std::nullopt;
    const int64_t number = constant->getAPInt().getSExtValue();
    return number < farthest && number > -farthest ? std::optional(number) : std::nullopt;
}

/* How often `block` runs each time that the loop does, whatever else it does; 0: nobody knows. */
int64_t roundsOf(sluice::Analyses &in, Loop *loop, const BasicBlock *block)
{
    BasicBlock *latch = loop->getLoopLatch(), *exiting = loop->getExitingBlock();
    if (!latch || !exiting || !loop->getExitBlock() || !in.dominators.dominates(block, latch))
        return 0;
    const auto *taken = dyn_cast<SCEVConstant>(in.evolution.getBackedgeTakenCount(loop));
    const auto back = taken ? constantOf(taken) : std::nullopt;
    if (!back || *back < 0)
        return 0;
    /* What comes behind the way out runs once less than what is in front of it. */
    return in.dominators.dominates(block, exiting) ? *back + 1 : *back;
}

bool findPath(sluice::Analyses &in, const BasicBlock *block, AllocaInst &array, Value *pointer,
              Path &out)
{
    const SCEV *at =
        in.evolution.getMinusSCEV(in.evolution.getSCEV(pointer), in.evolution.getSCEV(&array));
    while (const auto *counter = dyn_cast<SCEVAddRecExpr>(at)) {
        auto *loop = const_cast<Loop *>(counter->getLoop());
        const auto step = counter->isAffine() ? constantOf(counter->getOperand(1)) : std::nullopt;
        const Loop *inner = out.dimensions.empty() ? nullptr : out.dimensions.back().loop;
        const int64_t rounds = roundsOf(in, loop, inner ? inner->getHeader() : block);
        if (!step || !rounds || out.dimensions.size() == 2 ||
            (inner ? inner->getParentLoop() : in.loops.getLoopFor(block)) != loop)
            return false;
        out.dimensions.push_back({loop, *step, rounds});
        at = counter->getStart();
    }
    const auto start = constantOf(at);
    out.start = start.value_or(0);
    return start && !out.dimensions.empty();
}

/* One element gets another's value. */
struct Pair {
    Instruction *store, *load; /* the same, if it copies memory */
    Value *to, *from;
    int64_t bytes;
};

/* `<x, y, z, undefined>` of a vector of four: it may as well be all of them. */
Value *withoutPadding(Value *value)
{
    auto *shuffle = dyn_cast<ShuffleVectorInst>(value);
    if (!shuffle || shuffle->changesLength())
        return value;
    for (const auto &[lane, from] : enumerate(shuffle->getShuffleMask()))
        if (from >= 0 && from != static_cast<int>(lane))
            return value;
    return shuffle->getOperand(0);
}

std::optional<Pair> pairOf(Instruction &i, const DataLayout &layout)
{
    if (auto *copy = dyn_cast<MemCpyInst>(&i)) {
        const auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
        if (!bytes || copy->isVolatile() || bytes->getValue().ugt(farthest))
            return std::nullopt;
        return Pair{&i, &i, copy->getDest(), copy->getSource(),
                    static_cast<int64_t>(bytes->getZExtValue())};
    }
    auto *store = dyn_cast<StoreInst>(&i);
    auto *load = store ? dyn_cast<LoadInst>(withoutPadding(store->getValueOperand())) : nullptr;
    if (!load || !store->isSimple() || !load->isSimple())
        return std::nullopt;
    const TypeSize bytes = layout.getTypeStoreSize(load->getType());
    return Pair{store, load, store->getPointerOperand(), load->getPointerOperand(),
                static_cast<int64_t>(bytes.getFixedValue())};
}

/* Nothing else in the loop leads to the array. */
bool isAlone(const Loop &loop, const AllocaInst &array, const Pair &pair)
{
    SmallVector<const Value *, 32> pointers = {&array};
    for (size_t p = 0; p < pointers.size(); p++)
        for (const User *user : pointers[p]->users()) {
            const auto *i = cast<Instruction>(user);
            if (isa<GetElementPtrInst>(i))
                pointers.push_back(i);
            else if (loop.contains(i) && i != pair.store && i != pair.load)
                return false;
        }
    return true;
}

constexpr int64_t fewRounds = 16; /* such a loop is unrolled, whether that was asked for or not */

/* 0: it stays a loop. */
int64_t unrolledRounds(sluice::Analyses &in, const Loop *loop)
{
    const auto *taken = dyn_cast<SCEVConstant>(in.evolution.getBackedgeTakenCount(loop));
    const auto back = taken ? constantOf(taken) : std::nullopt;
    if (!back || *back < 0)
        return 0;
    const bool asked = findOptionMDForLoop(loop, "llvm.loop.unroll.full") ||
                       findOptionMDForLoop(loop, "llvm.loop.unroll.enable");
    return asked || *back <= fewRounds ? std::max<int64_t>(*back, 1) : 0;
}

/* How many elements an access is made to in unrolled loops; 0: it stays unknown to which. */
int64_t knownPlaces(sluice::Analyses &in, AllocaInst &array, Value *pointer)
{
    int64_t places = 1;
    const SCEV *at =
        in.evolution.getMinusSCEV(in.evolution.getSCEV(pointer), in.evolution.getSCEV(&array));
    while (const auto *counter = dyn_cast<SCEVAddRecExpr>(at)) {
        places *= unrolledRounds(in, counter->getLoop());
        if (!places || places > farthest)
            return 0;
        at = counter->getStart();
    }
    return isa<SCEVConstant>(at) ? places : 0;
}

/* As sl_array_move.reads. */
uint64_t readsOf(sluice::Analyses &in, AllocaInst &array)
{
    SmallVector<Value *, 32> pointers = {&array};
    int64_t reads = 1;
    for (size_t p = 0; p < pointers.size(); p++)
        for (User *user : pointers[p]->users()) {
            if (isa<GetElementPtrInst>(user))
                pointers.push_back(user);
            else if (isa<LoadInst>(user) || isa<StoreInst>(user)) {
                const int64_t places = knownPlaces(in, array, pointers[p]);
                if (!places)
                    return 0;
                if (isa<LoadInst>(user) &&
                    !(user->hasOneUse() && isa<StoreInst>(user->user_back())))
                    reads += places;
            }
        }
    return static_cast<uint64_t>(reads);
}

int64_t sign(int64_t number)
{
    return number < 0 ? -1 : 1;
}

/* In bytes, without gaps; false: what is read may have been written before. */
bool measure(const Path &to, int64_t distance, int64_t bytes, sl_array_move &out)
{
    const Dimension inner = to.dimensions.front();
    int64_t first = to.start, run = bytes * inner.rounds;
    if (std::abs(inner.step) != bytes || !distance ||
        (sign(inner.step) != sign(distance) && std::abs(distance) < run))
        return false;
    if (inner.step < 0)
        first -= run - bytes;
    Dimension outer;
    outer.rounds = 1;
    if (to.dimensions.size() == 2)
        outer = to.dimensions.back();
    const int64_t stride = std::abs(outer.step);
    if (outer.step < 0)
        first -= stride * (outer.rounds - 1);
    if (outer.rounds > 1 && stride == run) {
        /* Rows without gaps are one. */
        if (sign(outer.step) != sign(distance) ||
            (sign(inner.step) != sign(distance) && std::abs(distance) < run))
            return false;
        run *= outer.rounds;
        outer.rounds = 1;
    }
    if (outer.rounds > 1 && stride < run + std::abs(distance))
        return false;
    out.distance = distance;
    out.first = static_cast<uint64_t>(first);
    out.bytes = static_cast<uint64_t>(run);
    out.rows = static_cast<uint64_t>(outer.rounds);
    out.stride = static_cast<uint64_t>(stride);
    return first >= 0;
}

bool isInside(const sl_array_move &move, int64_t bytes)
{
    const auto low = static_cast<int64_t>(move.first),
               high = low + static_cast<int64_t>((move.rows - 1) * move.stride + move.bytes);
    return low + std::min<int64_t>(move.distance, 0) >= 0 &&
           high + std::max<int64_t>(move.distance, 0) <= bytes;
}

std::optional<sl_array_move> moveOf(sluice::Analyses &in, AllocaInst &array, const Pair &pair,
                                    int64_t bytes)
{
    const BasicBlock *block = pair.store->getParent();
    Path to, from;
    sl_array_move move{};
    if (!findPath(in, block, array, pair.to, to) || !findPath(in, block, array, pair.from, from) ||
        in.loops.getLoopFor(pair.load->getParent()) != to.dimensions.front().loop ||
        to.dimensions.size() != from.dimensions.size())
        return std::nullopt;
    for (const auto &[a, b] : zip(to.dimensions, from.dimensions))
        if (a.loop != b.loop || a.step != b.step)
            return std::nullopt;
    const Loop *all = to.dimensions.back().loop;
    BasicBlock *exit = all->getExitBlock();
    if (!measure(to, from.start - to.start, pair.bytes, move) || !isInside(move, bytes) ||
        !exit->getSinglePredecessor() || !isAlone(*all, array, pair))
        return std::nullopt;
    move.array = wrap(&array);
    move.elements = static_cast<uint64_t>(bytes / pair.bytes);
    move.reads = readsOf(in, array);
    move.store = wrap(pair.store);
    move.behind = wrap(&*exit->getFirstInsertionPt());
    return move;
}

/* Its bytes; 0: it is no such array. */
int64_t sizeOf(const Value *object, const Function &f, uint64_t least)
{
    const auto *array = dyn_cast<AllocaInst>(object);
    if (!array || array->getParent() != &f.getEntryBlock() || !array->isStaticAlloca())
        return 0;
    const auto bytes = array->getAllocationSize(f.getDataLayout());
    return bytes && bytes->getFixedValue() >= least && bytes->getFixedValue() < farthest
               ? static_cast<int64_t>(bytes->getFixedValue())
               : 0;
}

} // namespace

void sl_llvm_find_array_moves(LLVMValueRef handle, uint64_t least, sl_array_move_fn tell,
                              void *data)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<Pair, 8> pairs;
    for (BasicBlock &block : f)
        for (Instruction &i : block) {
            const auto pair = pairOf(i, f.getDataLayout());
            if (!pair)
                continue;
            const Value *object = getUnderlyingObject(pair->to);
            if (sizeOf(object, f, least) && getUnderlyingObject(pair->from) == object)
                pairs.push_back(*pair);
        }
    if (pairs.empty())
        return;
    sluice::Analyses in(f);
    /* One loop behind the other has no place in between. */
    for (Loop *loop : in.loops.getTopLevelLoops())
        simplifyLoop(loop, &in.dominators, &in.loops, &in.evolution, &in.assumptions, nullptr,
                     false);
    SmallVector<sl_array_move, 8> moves;
    for (const Pair &pair : pairs) {
        if (!in.loops.getLoopFor(pair.store->getParent()))
            continue;
        auto *array = cast<AllocaInst>(getUnderlyingObject(pair.to));
        if (const auto move = moveOf(in, *array, pair, sizeOf(array, f, least)))
            moves.push_back(*move);
    }
    for (const sl_array_move &move : moves)
        tell(data, &move);
}
